/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/games_html.h"

#include "bot/admin/html.h"
#include "bot/admin/page_html.h"
#include "bot/ops/utc_time.h"

#include <inttypes.h>

/* "2026-11-22 18:00", in UTC. */
static bool put_time(Buf *out, int64_t unix_ms)
{
    char text[UTC_TIME_SIZE];
    enum { DATE = 10, MINUTE = 16 };
    utc_time_write(unix_ms / 1000 - unix_ms / 1000 % 60, text);
    if (strlen(text) < MINUTE)
        return buf_put_text(out, "?");
    return buf_printf(out, "<time datetime=\"%s\">%.*s %.*s</time>", text, DATE, text,
                      MINUTE - DATE - 1, text + DATE + 1);
}

static bool put_player(Buf *out, const RecordPlayer *player)
{
    if (player->ai_level > 0)
        return buf_printf(out, "Stockfish level %d", player->ai_level);
    bool ok = player->title[0] == '\0' ||
              (buf_put_text(out, "<b>") && html_put(out, text_of(player->title)) &&
               buf_put_text(out, "</b> "));
    ok = ok && html_put(out, text_of(player->name[0] != '\0' ? player->name : "anonymous"));
    return ok && (player->rating <= 0 ||
                  buf_printf(out, " <span class=\"rating\">%d</span>", player->rating));
}

static const char *outcome_of(const GameRecord *record)
{
    if (record->winner != COLOUR_NONE && record->us != COLOUR_NONE)
        return record->winner == record->us ? "won" : "lost";
    return record_result(record->status, record->winner)[0] == '*' ? "unfinished" : "drawn";
}

static bool put_kind(Buf *out, const GameRecord *record)
{
    bool ok = true;
    if (record->variant != VARIANT_STANDARD)
        ok = buf_printf(out, "%s ", variant_name(record->variant));
    ok = ok && buf_put_text(out, speed_name(record->speed));
    if (ok && record->has_clock)
        ok = buf_printf(out, " %" PRId64 "+%" PRId64, record->initial_ms / 1000,
                        record->increment_ms / 1000);
    else if (ok && record->days_per_turn > 0)
        ok = buf_printf(out, " %d d", record->days_per_turn);
    return ok && (!record->rated || buf_put_text(out, ", rated"));
}

bool games_html_begin(Buf *out, const struct json_object *site, const ArchiveQuery *query)
{
    return page_html_begin(out, site, "finished games", PAGE_KIND_GAMES) &&
           buf_put_text(out, "<main><h2>Finished games</h2>\n") &&
           archive_query_put_form(out, query, ARCHIVE_FORM_GAMES) &&
           buf_put_text(out, "<div class=\"wide\"><table><tr><th>ended (UTC)</th><th>opponent</th>"
                             "<th>result</th><th>by</th><th>we had</th><th>game</th>"
                             "<th>moves</th></tr>\n");
}

bool games_html_row(Buf *out, const GameRecord *record, int plies)
{
    const RecordPlayer *them = &record->players[record->us == WHITE ? BLACK : WHITE];
    const char *outcome = outcome_of(record);
    return buf_put_text(out, "<tr><td><a href=\"/game/") && html_put(out, text_of(record->id)) &&
           buf_put_text(out, "\">") && put_time(out, record->ended_at_ms) &&
           buf_put_text(out, "</a></td><td>") && put_player(out, them) &&
           buf_printf(out, "</td><td class=\"%s\">%s</td><td>%s</td><td>%s</td><td>", outcome,
                      outcome, status_name(record->status),
                      record->us == COLOUR_NONE ? "?" : colour_name(record->us)) &&
           put_kind(out, record) &&
           buf_printf(out, "</td><td class=\"n\">%d</td></tr>\n", (plies + 1) / 2);
}

static bool put_pager(Buf *out, const char *label, int64_t page)
{
    return buf_printf(out,
                      "<button form=\"filter\" name=\"page\" value=\"%" PRId64 "\">%s</button> ",
                      page, label);
}

bool games_html_end(Buf *out, const ArchiveQuery *query, bool has_more)
{
    bool ok = buf_put_text(out, "</table></div>\n<p class=\"pager\">");
    if (ok && query->page > 0)
        ok = put_pager(out, "← later", query->page - 1);
    if (ok && (has_more || query->page > 0))
        ok = buf_printf(out, "page %" PRId64 " ", query->page + 1);
    if (ok && has_more)
        ok = put_pager(out, "earlier →", query->page + 1);
    return ok && buf_put_text(out, "</p></main>") && page_html_end(out);
}
