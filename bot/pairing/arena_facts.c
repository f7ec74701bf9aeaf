/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/arena_facts.h"

#include "engine/base/duration.h"
#include "engine/base/text_format.h"

#include <string.h>

enum { UNFIT_LIFE_MS = 3600000 }; /* a team's arena that admits no bots is not looked at again */

static const char out[] = "out";

static const char *word_of(ArenaFrom from)
{
    static const char *const words[ARENA_FROM_COUNT] = {
        [ARENA_FROM_CONFIG] = "config", [ARENA_FROM_HAND] = "hand", [ARENA_FROM_TEAM] = "team"
    };
    return words[from];
}

/* ARENA_FROM_COUNT: such a word was never written. */
static ArenaFrom from_of(Text word)
{
    int from = 0;
    while (from < ARENA_FROM_COUNT && !text_is(word, word_of((ArenaFrom)from)))
        from++;
    return (ArenaFrom)from;
}

static void remember_for(PairStep *step, const ArenaEntry *entry, const char *value,
                         int64_t life_ms)
{
    pair_remember(step, FACT_ARENA, text_of(entry->spec.id), value, step->now.unix_ms + life_ms);
}

static void remember(PairStep *step, const ArenaEntry *entry, const char *value)
{
    int64_t ends = entry->arena.ends_ms;
    remember_for(step, entry, value,
                 ends == INT64_MAX ? 30 * DURATION_DAY_MS : ends - step->now.ms + DURATION_DAY_MS);
}

/* The password and the team too: the configuration may not name them. */
void arena_facts_joined(PairStep *step, const ArenaEntry *entry)
{
    const ArenaSpec *spec = &entry->spec;
    char value[FACT_VALUE_SIZE];
    bool fits = text_format_fits(value, sizeof value, "%s%s%s%s%s", word_of(entry->from),
                                 spec->password[0] ? " password=" : "", spec->password,
                                 spec->team[0] ? " team=" : "", spec->team);
    if (fits)
        remember(step, entry, value);
}

void arena_facts_done(PairStep *step, const ArenaEntry *entry)
{
    const Arena *arena = &entry->arena;
    if (arena->before != ARENA_WANTED)
        remember(step, entry, arena->is_over ? "" : out);
    else if (entry->from == ARENA_FROM_TEAM && entry->reason[0] != '\0')
        remember(step, entry, out);
    else if (entry->from == ARENA_FROM_TEAM)
        remember_for(step, entry, out, UNFIT_LIFE_MS);
}

bool arena_facts_are_out(const PairStep *step, Text id)
{
    const char *value = pair_recall(step, FACT_ARENA, id);
    return value && strcmp(value, out) == 0;
}

/* "hand password=sesame", "config", … as arena_facts_joined() wrote it. */
bool arena_facts_read(const Fact *fact, ArenaSpec *spec, ArenaFrom *from)
{
    Text rest = text_of(fact->value);
    ArenaFrom is_from = from_of(text_next_word(&rest, " "));
    Buf words;
    buf_init(&words, FACT_KEY_SIZE + FACT_VALUE_SIZE);
    bool ok = is_from != ARENA_FROM_COUNT &&
              buf_printf(&words, "%s%.*s", fact_id(FACT_ARENA, fact), TEXT_ARGS(rest)) &&
              arena_spec_read(spec, buf_view(&words), NULL);
    buf_release(&words);
    if (ok)
        *from = is_from;
    return ok;
}
