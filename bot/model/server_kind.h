/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_kind.h - whose bot API a server speaks. Pure. */
#pragma once

typedef enum { SERVER_LICHESS, SERVER_PYCHESS, SERVER_COUNT } ServerKind;
