/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/archive_query.h"

#include "bot/admin/html.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"

#include <inttypes.h>

/* What the form lets one choose from. The first of each is anything. */
typedef struct {
    const char *word, *label;
    int value;
} Choice;

static const Choice kinds[] = {
    { "", "anyone", 0 },
    { "human", "humans", STORE_HUMANS },
    { "bot", "bots", STORE_BOTS },
    { NULL, NULL, 0 },
};
static const Choice speeds[] = {
    { "", "any", SPEED_UNKNOWN },
    { "ultraBullet", "ultraBullet", SPEED_ULTRA_BULLET },
    { "bullet", "bullet", SPEED_BULLET },
    { "blitz", "blitz", SPEED_BLITZ },
    { "rapid", "rapid", SPEED_RAPID },
    { "classical", "classical", SPEED_CLASSICAL },
    { "correspondence", "correspondence", SPEED_CORRESPONDENCE },
    { NULL, NULL, 0 },
};
static const Choice outcomes[] = {
    { "", "any", 0 },
    { "won", "won", STORE_WON },
    { "drawn", "drawn", STORE_DRAWN },
    { "lost", "lost", STORE_LOST },
    { NULL, NULL, 0 },
};
static const Choice periods[] = {
    { "", "all time", 0 },           { "7", "the last week", 7 }, { "30", "the last month", 30 },
    { "365", "the last year", 365 }, { NULL, NULL, 0 },
};

static int choose(const Choice *choices, Text word, int otherwise)
{
    for (; choices->word; choices++)
        if (text_is(word, choices->word))
            return choices->value;
    return otherwise;
}

void archive_query_take(ArchiveQuery *query, Text name, Text value)
{
    if (text_is(name, "opponent")) {
        value = text_trimmed(value, " ");
        bool is_name = value.len < sizeof query->opponent &&
                       (value.len == 0 || !memchr(value.at, '\0', value.len));
        if (is_name)
            (void)!text_copy(query->opponent, sizeof query->opponent, value);
    } else if (text_is(name, "against")) {
        query->kind = choose(kinds, value, query->kind);
    } else if (text_is(name, "speed")) {
        query->speed = (Speed)choose(speeds, value, (int)query->speed);
    } else if (text_is(name, "result")) {
        query->outcome = choose(outcomes, value, query->outcome);
    } else if (text_is(name, "days")) {
        query->days = choose(periods, value, (int)query->days);
    } else if (text_is(name, "page")) {
        (void)!number_parse(value.at, value.len, 0, ARCHIVE_QUERY_PAGES_MAX, &query->page, NULL);
    }
}

StoreFilter archive_query_filter(const ArchiveQuery *query, int64_t now_unix_ms)
{
    return (StoreFilter){
        .opponent = query->opponent[0] != '\0' ? query->opponent : NULL,
        .kind = query->kind,
        .outcome = query->outcome,
        .speed = query->speed,
        .since_ms = query->days > 0 ? now_unix_ms - query->days * DURATION_DAY_MS : 0,
    };
}

static bool put_choices(Buf *out, const char *name, const char *label, const Choice *choices,
                        int chosen)
{
    bool ok = buf_printf(out, "<label>%s <select name=\"%s\">", label, name);
    for (; ok && choices->word; choices++)
        ok = buf_printf(out, "<option value=\"%s\"%s>%s</option>", choices->word,
                        choices->value == chosen ? " selected" : "", choices->label);
    return ok && buf_put_text(out, "</select></label> ");
}

bool archive_query_put_form(Buf *out, const ArchiveQuery *query, ArchiveForm form)
{
    bool is_list = form == ARCHIVE_FORM_GAMES;
    return buf_printf(out,
                      "<form id=\"filter\" action=\"%s\"><label>opponent <input name=\"opponent\" "
                      "maxlength=\"%d\" value=\"",
                      is_list ? "/games" : "/stats", RECORD_NAME_SIZE - 1) &&
           html_put(out, text_of(query->opponent)) && buf_put_text(out, "\"></label> ") &&
           put_choices(out, "against", "against", kinds, query->kind) &&
           put_choices(out, "speed", "speed", speeds, (int)query->speed) &&
           (!is_list || put_choices(out, "result", "result", outcomes, query->outcome)) &&
           put_choices(out, "days", "ended in", periods, (int)query->days) &&
           buf_put_text(out, "<button>show</button></form>\n");
}
