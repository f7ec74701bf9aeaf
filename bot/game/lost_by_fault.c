/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/lost_by_fault.h"

const char *lost_by_fault(const Game *game)
{
    if (game->winner == COLOUR_NONE || game->winner == game->us)
        return NULL;
    switch (game->status) {
    case STATUS_OUTOFTIME:
        return "our time ran out";
    case STATUS_TIMEOUT:
        return "for the server we had left the game";
    case STATUS_NO_START:
        return "our first move did not arrive";
    case STATUS_CHEAT:
        return "the server calls it cheating";
    case STATUS_RESIGN:
        return game->has_resigned ? NULL : "resigned, but not by castled";
    case STATUS_UNKNOWN_FINISH:
        return "the server does not say why";
    case STATUS_UNKNOWN:
    case STATUS_CREATED:
    case STATUS_STARTED:
    case STATUS_ABORTED:
    case STATUS_MATE:
    case STATUS_STALEMATE:
    case STATUS_DRAW:
    case STATUS_INSUFFICIENT_MATERIAL_CLAIM:
    case STATUS_VARIANT_END:
    case STATUS_COUNT:
        break;
    }
    return NULL;
}
