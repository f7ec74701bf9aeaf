/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/option.h"

#include "bot/config/did_you_mean.h"
#include "bot/model/ids.h"
#include "engine/base/buf.h"
#include "engine/base/number.h"

#include <ctype.h>
#include <string.h>

enum { ROWS_MAX = 32 };

static const char *const latest[] = { "latest" };
const WordList option_latest = { latest, 1, 0 };

/* ---- readers ---- */

bool option_flag(const Option *option, void *at, const char *value, Error *err)
{
    (void)option;
    (void)value;
    (void)err;
    *(bool *)at = true;
    return true;
}

bool option_text(const Option *option, void *at, const char *value, Error *err)
{
    (void)option;
    if (value[0] == '\0') {
        error_set(err, ERR_INVALID, "is empty");
        return false;
    }
    *(const char **)at = value;
    return true;
}

bool option_number(const Option *option, void *at, const char *value, Error *err)
{
    return number_parse(value, strlen(value), option->lo, option->hi, at, err);
}

bool option_game(const Option *option, void *at, const char *value, Error *err)
{
    (void)option;
    if (!game_id_is_valid(text_of(value))) {
        error_set(err, ERR_INVALID, "not the id of a game");
        return false;
    }
    *(const char **)at = value;
    return true;
}

static bool is_allowed(const WordList *words, int i)
{
    return words->words[i] && !(words->without >> i & 1);
}

bool option_word(const Option *option, void *at, const char *value, Error *err)
{
    const WordList *words = option->words;
    Buf allowed;
    for (int i = 0; i < words->count; i++)
        if (is_allowed(words, i) && strcmp(value, words->words[i]) == 0) {
            *(int *)at = i;
            return true;
        }
    buf_init(&allowed, sizeof err->text);
    for (int i = 0; i < words->count; i++)
        if (is_allowed(words, i) &&
            !buf_printf(&allowed, "%s%s", allowed.len > 0 ? ", " : "", words->words[i]))
            break; /* an Error's text is cut, too */
    error_set(err, ERR_INVALID, "none of %s", buf_view(&allowed));
    buf_release(&allowed);
    return false;
}

bool option_choice(const Option *option, void *at, const char *value, Error *err)
{
    int *chosen = at;
    (void)value;
    if (*chosen != 0 && *chosen != option->lo) {
        error_set(err, ERR_INVALID, "what was given before it excludes it");
        return false;
    }
    *chosen = (int)option->lo;
    return true;
}

/* ---- rows ---- */

bool option_has_dashes(const Option *option)
{
    return option->name[0] == '-';
}

int option_value_count(const Option *option)
{
    if (!option->value || option->value[0] == '[')
        return 0;
    int count = 1;
    for (const char *at = option->value; (at = strchr(at, ' ')); at++)
        count++;
    return count;
}

typedef struct {
    const Option *const *groups;
    void *const *targets;
    const char *const *words;
    int word_count, at; /* at: the next word */
    bool seen[OPTION_GROUPS_MAX][ROWS_MAX];
    bool has_ended;     /* "--" has been read: no options any more */
    const Option *rest; /* an OPTION_REST that has begun; NULL: none */
} Reading;

/* A row of the tables. */
typedef struct {
    int group, row;
} Place;

static const Option *row_at(const Reading *reading, Place place)
{
    return &reading->groups[place.group][place.row];
}

/* Goes through all rows; begins with { 0, -1 }. */
static bool next_row(const Reading *reading, Place *place)
{
    place->row++;
    while (place->group < OPTION_GROUPS_MAX && reading->groups[place->group]) {
        if (row_at(reading, *place)->name)
            return true;
        *place = (Place){ place->group + 1, 0 };
    }
    return false;
}

static bool find_option(const Reading *reading, const char *word, size_t len, Place *place)
{
    for (*place = (Place){ 0, -1 }; next_row(reading, place);) {
        const char *name = row_at(reading, *place)->name;
        if (strncmp(name, word, len) == 0 && name[len] == '\0')
            return true;
    }
    return false;
}

/* A word without dashes: one that stands so in a table, or else the next one by its place. */
static bool find_word(const Reading *reading, const char *word, Place *place)
{
    if (islower((unsigned char)word[0]) && find_option(reading, word, strlen(word), place))
        return true;
    for (*place = (Place){ 0, -1 }; next_row(reading, place);) {
        const Option *row = row_at(reading, *place);
        bool is_open = row->count >= OPTION_MANY || !reading->seen[place->group][place->row];
        if (isupper((unsigned char)row->name[0]) && is_open)
            return true;
    }
    return false;
}

static bool is_unknown(const Reading *reading, const char *word, Error *err)
{
    const char *names[OPTION_GROUPS_MAX * ROWS_MAX];
    size_t count = 0;
    for (Place place = { 0, -1 }; next_row(reading, &place);)
        if (option_has_dashes(row_at(reading, place)))
            names[count++] = row_at(reading, place)->name;
    const char *meant = word[0] == '-' ? did_you_mean(word, names, count) : NULL;
    if (meant)
        error_set(err, ERR_INVALID, "%s: unknown; did you mean %s?", word, meant);
    else
        error_set(err, ERR_INVALID, "%s: %s", word,
                  word[0] == '-' ? "unknown option" : "unexpected argument");
    return false;
}

/* ---- reading ---- */

static bool read_value(Reading *reading, Place place, const char *value, Error *err)
{
    const Option *row = row_at(reading, place);
    Error why = { 0 };
    reading->seen[place.group][place.row] = true;
    if (row->read(row, (char *)reading->targets[place.group] + row->at, value, &why))
        return true;
    if (option_has_dashes(row))
        error_set(err, ERR_INVALID, "%s%s%s: %s", row->name, value ? " " : "", value ? value : "",
                  why.text);
    else
        error_set(err, ERR_INVALID, "%s: %s", value, why.text);
    return false;
}

/* `inlined`: what stands behind "="; NULL: there is none. */
static bool read_option(Reading *reading, Place place, const char *inlined, Error *err)
{
    const Option *row = row_at(reading, place);
    int count = option_value_count(row);
    bool fits = inlined ? count == 1 : reading->at + count <= reading->word_count;
    if (!fits) {
        error_set(err, ERR_INVALID, "%s takes %s", row->name, count > 0 ? row->value : "nothing");
        return false;
    }
    if (count == 0 || inlined)
        return read_value(reading, place, inlined, err);
    for (int i = 0; i < count; i++)
        if (!read_value(reading, place, reading->words[reading->at++], err))
            return false;
    return true;
}

static bool read_word(Reading *reading, const char *word, Error *err)
{
    Place place;
    const char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    bool is_option = !reading->has_ended && !reading->rest && word[0] == '-' && word[1] != '\0';
    if (is_option && strcmp(word, "--") == 0) {
        reading->has_ended = true;
        return true;
    }
    if (is_option && find_option(reading, word, len, &place))
        return read_option(reading, place, equals ? equals + 1 : NULL, err);
    if (is_option || !find_word(reading, word, &place))
        return is_unknown(reading, word, err);
    if (row_at(reading, place)->count == OPTION_REST)
        reading->rest = row_at(reading, place);
    return read_value(reading, place, word, err);
}

static bool is_complete(const Reading *reading, Error *err)
{
    for (Place place = { 0, -1 }; next_row(reading, &place);) {
        const Option *row = row_at(reading, place);
        if (row->count != OPTION_MUST || reading->seen[place.group][place.row])
            continue;
        error_set(err, ERR_INVALID, "%s%s%s is missing: %s", row->name, row->value ? " " : "",
                  row->value ? row->value : "", row->help);
        return false;
    }
    return true;
}

bool options_read(const Option *const groups[OPTION_GROUPS_MAX], void *const targets[],
                  const char *const *words, int word_count, Error *err)
{
    Reading reading = {
        .groups = groups, .targets = targets, .words = words, .word_count = word_count
    };
    while (reading.at < word_count)
        if (!read_word(&reading, words[reading.at++], err))
            return false;
    return is_complete(&reading, err);
}

int option_try(const Option *table, void *target, const char *const *words, int word_count,
               Error *err)
{
    const Option *groups[OPTION_GROUPS_MAX] = { table };
    Reading reading = {
        .groups = groups, .targets = &target, .words = words, .word_count = word_count, .at = 1
    };
    const char *equals = strchr(words[0], '=');
    size_t len = equals ? (size_t)(equals - words[0]) : strlen(words[0]);
    Place place;
    if (words[0][0] != '-' || !find_option(&reading, words[0], len, &place))
        return 0;
    return read_option(&reading, place, equals ? equals + 1 : NULL, err) ? reading.at : -1;
}
