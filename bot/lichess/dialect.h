/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dialect.h - servers that speak almost like Lichess. What such a server says is rewritten into
 * what Lichess would say, before anything else reads it.
 *
 * PyChess (gbtami/pychess-variants) has the bot API that Lichess had in 2019. Its players have no
 * ids, its variants other names, its increments are seconds; a game's stream tells neither clock
 * nor Chess960, and its end is {"type":"gameEnd"} without last move or result. What a game's own
 * stream does not say is remembered from its challenge, or read from its first clocks. Loop thread
 * only. */
#pragma once
#include "bot/model/server_kind.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdbool.h>

struct json_object;

typedef struct Dialect Dialect;

/* Another header line for all requests to such a server; NULL: none. Static. */
const char *dialect_header(ServerKind server);

/* Has it lists of the challenges that are open, and of who is online? */
bool dialect_has_lists(ServerKind server);

/* For one connection to a server. *out is NULL for Lichess, which needs none. */
bool dialect_new(Dialect **out, ServerKind server, Error *err) MUST_CHECK;
void dialect_free(Dialect *dialect);

typedef enum {
    DIALECT_EVENT,
    DIALECT_KEEPALIVE, /* says only that the server is there */
    DIALECT_NO_MEMORY,
} DialectLine;

/* Rewrites one line of a stream in place. `game_id`: whose stream it is; "" for others. */
DialectLine dialect_translate(Dialect *dialect, const char *game_id,
                              struct json_object *line) MUST_CHECK;
