/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_ask.h"

#include "bot/ops/url.h"
#include "engine/core/fen.h"

#include <stdio.h>

enum { CLOUD_LINES_ASKED = 5 }; /* the server gives no more */

const char *online_name(OnlineService service)
{
    static const char *const names[ONLINE_SERVICE_COUNT] = {
        [ONLINE_TABLEBASE] = "tablebase",
        [ONLINE_CLOUD] = "cloud",
        [ONLINE_EXPLORER] = "explorer",
        [ONLINE_CHESSDB] = "chessdb",
    };
    return names[service];
}

static bool asks_for_player(const MoveRequest *request)
{
    return request->online.games == EXPLORER_PLAYER || request->online.games == EXPLORER_OPPONENT;
}

static const char *players_colour(const MoveRequest *request)
{
    bool is_ours = request->online.games == EXPLORER_PLAYER;
    return colour_name(is_ours ? request->us : !request->us);
}

static bool put_explorer(Buf *out, const MoveRequest *request, const char *variant)
{
    switch (request->online.games) {
    case EXPLORER_MASTERS:
        return buf_put_text(out, "/masters?topGames=0&fen=");
    case EXPLORER_LICHESS:
        return buf_printf(out, "/lichess?topGames=0&recentGames=0&variant=%s&fen=", variant);
    case EXPLORER_PLAYER:
    case EXPLORER_OPPONENT:
        return buf_put_text(out, "/player?player=") &&
               url_put_escaped(out, request->online.player) &&
               buf_printf(out, "&color=%s&recentGames=0&variant=%s&fen=", players_colour(request),
                          variant);
    case EXPLORER_COUNT:
        return false;
    }
    return false;
}

/* As cloud and explorer call it. */
static const char *variant_asked(const Position *position, const MoveRequest *request)
{
    if (!variant_is_chess(request->variant))
        return variant_name(request->variant);
    return request->variant == VARIANT_CHESS960 || position->rules.chess960 ? "chess960"
                                                                            : "standard";
}

/* Of the cloud no more lines than we choose among: the deepest evaluation may have but one. */
static bool put_path(Buf *out, OnlineService service, const Position *position,
                     const MoveRequest *request)
{
    const char *variant = variant_asked(position, request);
    switch (service) {
    case ONLINE_TABLEBASE: /* of Chess960 as well: without castling it is chess */
        return buf_printf(out,
                          "/%s?fen=", variant_is_chess(request->variant) ? "standard" : variant);
    case ONLINE_CLOUD:
        return buf_printf(out, "/api/cloud-eval?multiPv=%d&variant=%s&fen=",
                          request->online.max_drop_cp > 0 ? CLOUD_LINES_ASKED : 1, variant);
    case ONLINE_EXPLORER:
        return put_explorer(out, request, variant);
    case ONLINE_CHESSDB: /* learn=0: our position is not put into their queue */
        return buf_put_text(out, "/cdb.php?action=queryall&learn=0&json=1&board=");
    case ONLINE_SERVICE_COUNT:
        return false;
    }
    return false;
}

bool online_url(char out[ONLINE_URL_SIZE], OnlineService service, const char *base,
                const Position *position, const MoveRequest *request)
{
    char fen[FEN_SIZE];
    Buf url;
    buf_init(&url, ONLINE_URL_SIZE - 1);
    fen_write(position, fen);
    bool ok = buf_put_text(&url, base) && put_path(&url, service, position, request) &&
              url_put_escaped(&url, fen);
    if (ok)
        memcpy(out, buf_view(&url), url.len + 1);
    buf_release(&url);
    return ok;
}

bool online_is_streamed(OnlineService service, const MoveRequest *request)
{
    return service == ONLINE_EXPLORER && asks_for_player(request);
}

bool online_may_have_token(const char *explorer, const char *account)
{
    static const char secure[] = "https://", name[] = "explorer.";
    size_t scheme = sizeof secure - 1, prefix = sizeof name - 1;
    if (strcmp(explorer, account) == 0)
        return true;
    return strncmp(explorer, secure, scheme) == 0 && strncmp(account, secure, scheme) == 0 &&
           strncmp(explorer + scheme, name, prefix) == 0 &&
           strcmp(explorer + scheme + prefix, account + scheme) == 0;
}
