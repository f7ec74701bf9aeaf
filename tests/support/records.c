/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/records.h"
#include "bot/game/record_lines.h"

#include <stdio.h>
#include <stdlib.h>

void record_make(GameRecord *out, const char *id, const char *opponent, const char *moves)
{
    GameFull full = {
        .variant = VARIANT_STANDARD,
        .speed = SPEED_BLITZ,
        .rated = true,
        .time = { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 },
        .created_at_ms = 1790000000000,
        .state = { .moves = text_of(moves), .time_ms = { -1, -1 } },
    };
    if (snprintf(full.id, sizeof full.id, "%s", id) < 0)
        abort();
    full.players[WHITE] =
        (Player){ .id = "castled-bot", .name = "Castled-Bot", .title = "BOT", .rating = 2240 };
    full.players[BLACK] = (Player){ .title = "FM", .rating = 2213 };
    text_copy(full.players[BLACK].id, USER_ID_SIZE, text_of(opponent));
    text_copy(full.players[BLACK].name, PLAYER_NAME_SIZE, text_of(opponent));
    record_init(out);
    record_read_full(out, &full, WHITE);
    for (size_t i = 0; i < out->count; i++) {
        RecordMove *move = &out->moves[i];
        move->clock_ms = 180000 - (int64_t)i * 700;
        move->has_choice = i % 2 == 0;
        if (!move->has_choice)
            continue;
        move->score = 31 - (int)i * 20;
        move->depth = 12 + (int)(i % 10);
        move->nodes = 100000 + i;
        move->time_ms = 600;
    }
    record_end(out, STATUS_RESIGN, WHITE, 1790000060000);
}
