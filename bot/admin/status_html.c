/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_html.h"

#include "bot/lichess/jsonread.h"
#include "bot/ops/printable.h"
#include "engine/base/duration.h"
#include "engine/search/engine.h"

#include <inttypes.h>

enum { REFRESH_S = 5 };

static const char head[] =
    "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
    "<meta name=viewport content=\"width=device-width\"><title>castled</title><style>\n"
    "body{font:1em/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em;"
    "color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}th,td{text-align:left;padding:.2em 1.2em .2em 0;"
    "vertical-align:top}\n"
    "th{font-weight:600}td.n{text-align:right}.bad{color:#b00}h1{font-size:1.4em}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#191919}.bad{color:#f77}"
    "a{color:#8bf}}\n</style>";

static int64_t number(const struct json_object *from, const char *key)
{
    return jsonread_int(from, key, INT64_MIN, INT64_MAX, -1);
}

/* Fit to stand between tags and in a quoted attribute. */
static bool put(Buf *out, Text text)
{
    static const struct {
        char c;
        const char *entity;
    } escapes[] = {
        { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\'', "&#39;" },
    };
    bool ok = true;
    while (ok && text.len > 0) {
        PrintableChar shown = printable_take(&text);
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
            if (shown.len == 1 && shown.text[0] == escapes[i].c)
                entity = escapes[i].entity;
        ok = entity ? buf_put_text(out, entity) : buf_put(out, shown.text, shown.len);
    }
    return ok;
}

static bool put_member(Buf *out, const struct json_object *from, const char *key)
{
    return put(out, jsonread_text(from, key));
}

static bool put_duration(Buf *out, int64_t seconds)
{
    char words[DURATION_SIZE];
    return buf_put_text(out, duration_write(words, seconds));
}

static bool put_clock(Buf *out, int64_t ms)
{
    if (ms < 0)
        return buf_put_text(out, "–");
    return buf_printf(out, "%" PRId64 ":%02" PRId64, ms / 60000, ms / 1000 % 60);
}

/* ---- games ---- */

/* For White: pawns, or "#-3" for a mate. */
static bool put_score(Buf *out, const struct json_object *eval)
{
    int64_t mate = jsonread_int(eval, "mate", -MAX_PLY, MAX_PLY, 0);
    int64_t cp = jsonread_int(eval, "cp", -SCORE_MATE, SCORE_MATE, SCORE_NONE);
    if (mate != 0)
        return buf_printf(out, "#%" PRId64, mate);
    return cp == SCORE_NONE || buf_printf(out, "%+.2f", (double)cp / 100);
}

static bool put_kind(Buf *out, const struct json_object *game)
{
    bool ok = put_member(out, game, "variant") && buf_put_char(out, ' ') &&
              put_member(out, game, "speed");
    if (ok && number(game, "initial_s") >= 0)
        ok = buf_printf(out, " %" PRId64 "+%" PRId64, number(game, "initial_s"),
                        number(game, "increment_s"));
    return ok && (jsonread_bool(game, "rated", false) ? buf_put_text(out, ", rated") : true);
}

static bool put_player(Buf *out, const struct json_object *player)
{
    int64_t rating = number(player, "rating");
    bool ok = put_member(out, player, "title") && buf_put_char(out, ' ') &&
              put_member(out, player, "name");
    return ok && (rating <= 0 || buf_printf(out, " (%" PRId64 ")", rating));
}

static bool put_game(Buf *out, const struct json_object *game, Text url)
{
    const struct json_object *clocks = jsonread_object(game, "clock_ms");
    bool ok = buf_put_text(out, "<tr><td><a href=\"") && put(out, url) && buf_put_char(out, '/') &&
              put_member(out, game, "id") && buf_put_text(out, "\">") &&
              put_member(out, game, "id") && buf_put_text(out, "</a></td><td>");
    if (number(game, "plies") < 0)
        return ok && put_member(out, game, "phase") &&
               buf_put_text(out, "</td><td colspan=6></td></tr>\n");
    ok = ok && put_player(out, jsonread_object(game, "white")) && buf_put_text(out, "</td><td>") &&
         put_player(out, jsonread_object(game, "black")) && buf_put_text(out, "</td><td>") &&
         put_kind(out, game);
    ok = ok &&
         buf_printf(out, "</td><td class=n>%" PRId64 "</td><td>", number(game, "plies") / 2 + 1) &&
         put_member(out, game, "turn") && buf_put_text(out, "</td><td class=n>") &&
         put_clock(out, number(clocks, "white")) && buf_put_text(out, " : ") &&
         put_clock(out, number(clocks, "black"));
    return ok && buf_put_text(out, "</td><td class=n>") &&
           put_score(out, jsonread_object(game, "eval")) && buf_put_text(out, "</td></tr>\n");
}

static bool put_games(Buf *out, const struct json_object *status)
{
    const struct json_object *games = jsonread_array(status, "games");
    size_t count = games ? json_object_array_length(games) : 0;
    Text url = jsonread_text(status, "url");
    if (count == 0)
        return buf_put_text(out, "<p>No game is being played.</p>\n");
    bool ok = buf_put_text(out, "<table><tr><th>Game<th>White<th>Black<th>Kind<th>Move"
                                "<th>Turn<th>Clocks<th>Score</tr>\n");
    for (size_t i = 0; ok && i < count; i++)
        ok = put_game(out, json_object_array_get_idx(games, i), url);
    return ok && buf_put_text(out, "</table>\n");
}

/* ---- the rest: a table of names and values ---- */

static bool row(Buf *out, const char *name)
{
    return buf_printf(out, "<tr><th>%s<td>", name);
}

static bool put_state(Buf *out, const struct json_object *status)
{
    bool is_online = jsonread_bool(status, "online", false);
    bool ok =
        row(out, "State") && (is_online ? buf_put_text(out, "online for ") &&
                                              put_duration(out, number(status, "online_s"))
                                        : buf_put_text(out, "<span class=bad>offline</span>"));
    if (ok && jsonread_bool(status, "draining", false))
        ok = buf_put_text(out, ", takes no more games");
    return ok && buf_put_text(out, "; up for ") && put_duration(out, number(status, "up_s"));
}

static bool put_slots(Buf *out, const struct json_object *status)
{
    const struct json_object *waiting = jsonread_array(status, "waiting");
    size_t count = waiting ? json_object_array_length(waiting) : 0;
    bool ok =
        row(out, "Slots") && buf_printf(out, "%" PRId64 " of %" PRId64 " taken",
                                        number(status, "slots_used"), number(status, "slots"));
    if (ok && number(status, "correspondence_slots") >= 0)
        ok = buf_printf(out, ", %" PRId64 " of %" PRId64 " for correspondence",
                        number(status, "correspondence_used"),
                        number(status, "correspondence_slots"));
    for (size_t i = 0; ok && i < count; i++)
        ok = buf_put_text(out, i == 0 ? "; waiting: " : ", ") &&
             put_member(out, json_object_array_get_idx(waiting, i), "player");
    return ok;
}

static bool put_tournament(Buf *out, const struct json_object *arena, Text url)
{
    Text name = jsonread_text(arena, "name");
    int64_t starts_s = number(arena, "starts_in_s"), ends_s = number(arena, "ends_in_s");
    bool ok = buf_put_text(out, "<a href=\"") && put(out, url) &&
              buf_put_text(out, "/tournament/") && put_member(out, arena, "id") &&
              buf_put_text(out, "\">") &&
              put(out, name.len > 0 ? name : jsonread_text(arena, "id")) &&
              buf_put_text(out, "</a>: ") && put_member(out, arena, "state");
    if (ok && starts_s >= 0)
        return buf_put_text(out, ", starts in ") && put_duration(out, starts_s);
    return ok && (ends_s < 0 || (buf_put_text(out, ", ends in ") && put_duration(out, ends_s)));
}

static bool put_tournaments(Buf *out, const struct json_object *status)
{
    const struct json_object *list = jsonread_array(status, "tournaments");
    size_t count = list ? json_object_array_length(list) : 0;
    bool ok = row(out, "Tournaments") && (count > 0 || buf_put_text(out, "none"));
    for (size_t i = 0; ok && i < count; i++)
        ok = (i == 0 || buf_put_text(out, "<br>")) &&
             put_tournament(out, json_object_array_get_idx(list, i), jsonread_text(status, "url"));
    return ok;
}

static bool put_scheduled_match(Buf *out, const struct json_object *scheduled)
{
    return put_member(out, scheduled, "challenge") &&
           buf_printf(out, ", %" PRId64 " at ", number(scheduled, "games")) &&
           put_member(out, scheduled, "at");
}

static bool put_scheduled(Buf *out, const struct json_object *status)
{
    const struct json_object *list = jsonread_array(status, "scheduled");
    size_t count = list ? json_object_array_length(list) : 0;
    bool ok = row(out, "Planned") && (count > 0 || buf_put_text(out, "nothing"));
    for (size_t i = 0; ok && i < count; i++)
        ok = (i == 0 || buf_put_text(out, "<br>")) &&
             put_scheduled_match(out, json_object_array_get_idx(list, i));
    return ok;
}

static bool put_results(Buf *out, const struct json_object *status)
{
    const struct json_object *games = jsonread_object(status, "games_finished");
    return row(out, "Since the start") &&
           buf_printf(out, "won %" PRId64 ", drawn %" PRId64 ", lost %" PRId64 ", aborted %" PRId64,
                      number(games, "won"), number(games, "drawn"), number(games, "lost"),
                      number(games, "aborted"));
}

static bool put_moves(Buf *out, const struct json_object *status)
{
    const struct json_object *moves = jsonread_object(status, "moves");
    int64_t arrived = number(moves, "arrived");
    bool ok = row(out, "Moves") && buf_printf(out, "%" PRId64, arrived);
    if (ok && arrived > 0)
        ok = buf_printf(out, ", on the server's list after %" PRId64 " ms (worst %" PRId64 " ms)",
                        number(moves, "echo_sum_ms") / arrived, number(moves, "echo_worst_ms"));
    return ok;
}

static bool put_requests(Buf *out, const struct json_object *status)
{
    const struct json_object *pacer = jsonread_object(status, "pacer");
    struct json_object *limits = jsonread_object(status, "limits");
    bool ok = row(out, "Requests") &&
              buf_printf(out, "%" PRId64 " in the last minute, %" PRId64 " waiting",
                         number(pacer, "last_minute"), number(pacer, "waiting"));
    if (!limits)
        return ok;
    struct json_object_iterator at = json_object_iter_begin(limits);
    struct json_object_iterator end = json_object_iter_end(limits);
    for (; ok && !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
        ok = buf_put_text(out, "; <span class=bad>limited: ") &&
             put(out, text_of(json_object_iter_peek_name(&at))) && buf_put_text(out, " for ") &&
             put_duration(out, json_object_get_int64(json_object_iter_peek_value(&at))) &&
             buf_put_text(out, "</span>");
    return ok;
}

static bool put_matchmaking(Buf *out, const struct json_object *status)
{
    const struct json_object *from = jsonread_object(status, "matchmaking");
    return row(out, "Matchmaking") && put_member(out, from, "doing") &&
           buf_printf(out,
                      "; today %" PRId64 " of %" PRId64 " games against bots, %" PRId64
                      " of %" PRId64 " credits",
                      number(from, "bot_games_today"), number(from, "bot_games_allowed"),
                      number(from, "credits_today"), number(from, "credits_allowed"));
}

static bool put_archive(Buf *out, const struct json_object *status)
{
    const struct json_object *from = jsonread_object(status, "archive");
    Text why = jsonread_text(from, "why");
    return row(out, "Archive") && put_member(out, from, "state") &&
           buf_printf(out, ", %" PRId64 " games written", number(from, "written")) &&
           (why.len == 0 || (buf_put_text(out, "; <span class=bad>") && put(out, why) &&
                             buf_put_text(out, "</span>")));
}

static bool put_memory(Buf *out, const struct json_object *status)
{
    return row(out, "Memory") &&
           buf_printf(out, "%" PRId64 " MiB", number(status, "memory_kib") / 1024);
}

bool status_html_write(const struct json_object *status, Buf *out)
{
    static bool (*const rows[])(Buf * out, const struct json_object *status) = {
        put_state, put_slots,    put_scheduled,   put_tournaments, put_results,
        put_moves, put_requests, put_matchmaking, put_archive,     put_memory,
    };
    bool ok =
        buf_put_text(out, head) &&
        buf_printf(out, "<meta http-equiv=refresh content=%d></head>\n<body><h1>", REFRESH_S) &&
        put_member(out, status, "account") && buf_put_text(out, " on ") &&
        put_member(out, status, "url") && buf_put_text(out, "</h1>\n") && put_games(out, status) &&
        buf_put_text(out, "<table>\n");
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        ok = rows[i](out, status) && buf_put_text(out, "</tr>\n");
    return ok && buf_put_text(out, "</table>\n<p>castled ") && put_member(out, status, "version") &&
           buf_put_text(out, " · <a href=metrics>metrics</a> · <a href=status.json>status.json</a>"
                             "</p></body></html>\n");
}
