/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/game_html.h"

#include "bot/admin/beside_board.h"
#include "bot/admin/board_svg.h"
#include "bot/admin/html.h"
#include "bot/lichess/jsonread.h"
#include "engine/search/engine.h"

#include <inttypes.h>
#include <math.h>

static const char *const sides[COLOUR_COUNT] = { "white", "black" };

static int64_t number(const struct json_object *from, const char *key)
{
    return jsonread_int(from, key, INT64_MIN, INT64_MAX, -1);
}

double game_html_chances(const struct json_object *eval)
{
    int64_t mate = jsonread_int(eval, "mate", -MAX_PLY, MAX_PLY, 0);
    int64_t cp = jsonread_int(eval, "cp", -SCORE_MATE, SCORE_MATE, 0);
    if (mate != 0)
        return mate > 0 ? 1 : 0;
    return 1 / (1 + exp(-0.00368208 * (double)cp));
}

/* ---- players ---- */

/* Hours only where there are any. */
static bool put_clock(Buf *out, const struct json_object *game, Colour side)
{
    int64_t ms = number(jsonread_object(game, "clock_ms"), sides[side]), s = ms / 1000;
    bool runs = jsonread_bool(game, "is_ticking", false) &&
                text_is(jsonread_text(game, "turn"), sides[side]);
    bool ok = buf_printf(out, "<span class=\"clock%s\">", runs ? " runs" : "");
    if (ok && s >= 3600)
        ok = buf_printf(out, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60, s % 60);
    else if (ok && ms >= 0)
        ok = buf_printf(out, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    return ok && buf_put_text(out, "</span>");
}

static bool put_player(Buf *out, const struct json_object *game, Colour side)
{
    const struct json_object *player = jsonread_object(game, sides[side]);
    bool ok = buf_printf(out, "<p class=\"player %s\"><span class=\"who\">", sides[side]);
    if (ok && jsonread_text(player, "title").len > 0)
        ok = buf_put_text(out, "<b>") && html_put_member(out, player, "title") &&
             buf_put_text(out, "</b> ");
    ok = ok && html_put_member(out, player, "name");
    if (ok && number(player, "rating") > 0)
        ok =
            buf_printf(out, " <span class=\"rating\">%" PRId64 "</span>", number(player, "rating"));
    return ok && buf_put_text(out, "</span><span class=\"beside\">") &&
           beside_board_write(out, jsonread_text(game, "fen"), side) &&
           buf_put_text(out, "</span>") && put_clock(out, game, side) && buf_put_text(out, "</p>");
}

/* ---- what we think of it ---- */

static bool put_bar(Buf *out, const struct json_object *eval, Colour below)
{
    double white = 100 * game_html_chances(eval), height = below == WHITE ? white : 100 - white;
    return buf_printf(
        out,
        "<svg class=\"bar\" viewBox=\"0 0 1 100\" preserveAspectRatio=\"none\">"
        "<rect class=\"%s\" width=\"1\" height=\"100\"/><rect class=\"%s near\" y=\"%.1f\" "
        "width=\"1\" height=\"100\"/></svg>",
        below == WHITE ? "black" : "white", sides[below], 100 - height);
}

static bool put_score(Buf *out, const struct json_object *eval)
{
    int64_t mate = jsonread_int(eval, "mate", -MAX_PLY, MAX_PLY, 0);
    int64_t cp = jsonread_int(eval, "cp", -SCORE_MATE, SCORE_MATE, SCORE_NONE);
    if (mate != 0)
        return buf_printf(out, "#%" PRId64, mate);
    return cp == SCORE_NONE || buf_printf(out, "%+.2f", (double)cp / 100);
}

/* "12. Nf3 Nc6 13. Bb5". */
static bool put_pv(Buf *out, const struct json_object *eval)
{
    const struct json_object *list = jsonread_array(eval, "pv");
    int64_t ply = number(eval, "pv_ply");
    bool ok = true;
    for (size_t i = 0; ok && list && i < json_object_array_length(list); i++, ply++) {
        struct json_object *san = json_object_array_get_idx(list, i);
        ok = i == 0 || buf_put_char(out, ' ');
        if (ok && (ply % 2 == 1 || i == 0))
            ok = buf_printf(out, "%" PRId64 "%s ", (ply + 1) / 2, ply % 2 == 1 ? "." : "…");
        if (ok && json_object_is_type(san, json_type_string))
            ok = html_put(out, text_of(json_object_get_string(san)));
    }
    return ok;
}

static bool put_thought(Buf *out, const struct json_object *game)
{
    const struct json_object *eval = jsonread_object(game, "eval");
    bool ok = buf_put_text(out, "<p class=\"thought\"><b class=\"score\">") &&
              put_score(out, eval) && buf_put_text(out, "</b> <span class=\"depth\">");
    if (ok && number(eval, "depth") > 0)
        ok = buf_printf(out, "depth %" PRId64, number(eval, "depth"));
    return ok && buf_put_text(out, "</span> <span class=\"pv\">") && put_pv(out, eval) &&
           buf_put_text(out, "</span></p>");
}

/* ---- which game it is ---- */

static bool put_kind(Buf *out, const struct json_object *game)
{
    bool ok = html_put_member(out, game, "variant") && buf_put_char(out, ' ') &&
              html_put_member(out, game, "speed");
    if (ok && number(game, "initial_s") >= 0)
        ok = buf_printf(out, " %" PRId64 "+%" PRId64, number(game, "initial_s"),
                        number(game, "increment_s"));
    return ok && (!jsonread_bool(game, "rated", false) || buf_put_text(out, ", rated"));
}

static bool put_caption(Buf *out, const struct json_object *game, Text url)
{
    bool is_over = text_is(jsonread_text(game, "phase"), "over");
    return buf_put_text(out, "<p class=\"caption\"><a class=\"open\" href=\"/game/") &&
           html_put_member(out, game, "id") && buf_put_text(out, "\">") && put_kind(out, game) &&
           buf_put_text(out, "</a> <span class=\"state\">") &&
           html_put_member(out, game, is_over ? "result" : "phase") && buf_put_char(out, ' ') &&
           (!is_over || html_put_member(out, game, "status")) &&
           buf_put_text(out, "</span> <a class=\"server\" href=\"") && html_put(out, url) &&
           buf_put_char(out, '/') && html_put_member(out, game, "id") && buf_put_text(out, "\">") &&
           html_put_member(out, game, "id") && buf_put_text(out, "</a></p>");
}

static bool put_moves(Buf *out, const struct json_object *game)
{
    const struct json_object *list = jsonread_array(game, "moves");
    bool ok = buf_put_text(out, "<ol class=\"moves\">");
    for (size_t i = 0; ok && list && i < json_object_array_length(list); i++)
        ok = buf_put_text(out, "<li>") &&
             html_put_member(out, json_object_array_get_idx(list, i), "san") &&
             buf_put_text(out, "</li>");
    return ok && buf_put_text(out, "</ol>");
}

/* ---- all of it ---- */

bool game_html_write(Buf *out, const struct json_object *game, Text url, GameHtmlDetail detail)
{
    /* In a race both sides run upwards, as on Lichess. */
    bool is_black = text_is(jsonread_text(game, "us"), "black") &&
                    !text_is(jsonread_text(game, "variant"), "racingKings");
    Colour below = is_black ? BLACK : WHITE, above = is_black ? WHITE : BLACK;
    bool ok =
        buf_put_text(out, "<article class=\"game\" data-id=\"") &&
        html_put_member(out, game, "id") &&
        buf_printf(out, "\" data-below=\"%s\" data-ply=\"%" PRId64 "\">", sides[below],
                   number(game, "plies")) &&
        put_player(out, game, above) && buf_put_text(out, "<div class=\"field\">") &&
        put_bar(out, jsonread_object(game, "eval"), below) &&
        board_svg_write(out, jsonread_text(game, "fen"), jsonread_text(game, "last"), below) &&
        buf_put_text(out, "</div>") && put_player(out, game, below);
    if (ok && detail != GAME_HTML_BARE)
        ok = put_thought(out, game) && put_caption(out, game, url);
    if (ok && detail == GAME_HTML_WHOLE)
        ok = put_moves(out, game);
    return ok && buf_put_text(out, "</article>\n");
}
