/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_html.h"

#include "bot/admin/html.h"
#include "bot/lichess/jsonread.h"
#include "engine/base/duration.h"

#include <inttypes.h>

static int64_t number(const struct json_object *from, const char *key)
{
    return jsonread_int(from, key, INT64_MIN, INT64_MAX, -1);
}

static bool put_duration(Buf *out, int64_t seconds)
{
    char words[DURATION_SIZE];
    return buf_put_text(out, duration_write(words, seconds));
}

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

static bool put_waiting(Buf *out, const struct json_object *entry)
{
    bool ok = html_put_member(out, entry, "player");
    if (jsonread_text(entry, "game").len == 0)
        return ok;
    return ok && buf_put_text(out, " (") && html_put_member(out, entry, "game") &&
           buf_put_text(out, ", for ") && put_duration(out, number(entry, "waiting_s")) &&
           buf_put_char(out, ')');
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
             put_waiting(out, json_object_array_get_idx(waiting, i));
    return ok;
}

static bool put_tournament(Buf *out, const struct json_object *arena, Text url)
{
    Text name = jsonread_text(arena, "name");
    int64_t starts_s = number(arena, "starts_in_s"), ends_s = number(arena, "ends_in_s");
    bool ok = buf_put_text(out, "<a href=\"") && html_put(out, url) &&
              buf_put_text(out, "/tournament/") && html_put_member(out, arena, "id") &&
              buf_put_text(out, "\">") &&
              html_put(out, name.len > 0 ? name : jsonread_text(arena, "id")) &&
              buf_put_text(out, "</a>: ") && html_put_member(out, arena, "state");
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
    return html_put_member(out, scheduled, "challenge") &&
           buf_printf(out, ", %" PRId64 " at ", number(scheduled, "games")) &&
           html_put_member(out, scheduled, "at");
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
             html_put(out, text_of(json_object_iter_peek_name(&at))) &&
             buf_put_text(out, " for ") &&
             put_duration(out, json_object_get_int64(json_object_iter_peek_value(&at))) &&
             buf_put_text(out, "</span>");
    return ok;
}

static bool put_matchmaking(Buf *out, const struct json_object *status)
{
    const struct json_object *from = jsonread_object(status, "matchmaking");
    return row(out, "Matchmaking") && html_put_member(out, from, "doing") &&
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
    return row(out, "Archive") && html_put_member(out, from, "state") &&
           buf_printf(out, ", %" PRId64 " games written", number(from, "written")) &&
           (why.len == 0 || (buf_put_text(out, "; <span class=bad>") && html_put(out, why) &&
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
    bool ok = buf_put_text(out, "<table>\n");
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        ok = rows[i](out, status) && buf_put_text(out, "</tr>\n");
    return ok && buf_put_text(out, "</table>\n");
}
