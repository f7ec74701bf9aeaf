/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tournaments as the server tells of them, and as the operator names them. */
#include "bot/config/tournament_spec.h"
#include "bot/lichess/tournament.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TournamentInfo info;
    TournamentSpec spec;
    if (tournament_parse(&info, (const char *)data, size, NULL)) {
        must(memchr(info.name, '\0', sizeof info.name) != NULL);
        must(info.seconds_to_start >= 0 && info.seconds_to_finish >= -1);
        must(info.has_us || !info.has_withdrawn);
    }
    char *words = malloc(size + 1);
    must(words != NULL);
    if (size > 0)
        memcpy(words, data, size);
    words[size] = '\0';
    if (tournament_spec_read(&spec, words, NULL)) {
        must(game_id_is_valid(text_of(spec.id)));
        must(memchr(spec.password, '\0', sizeof spec.password) != NULL);
        must(memchr(spec.team, '\0', sizeof spec.team) != NULL);
    }
    free(words);
    return 0;
}
