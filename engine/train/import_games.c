/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/import_games.h"

#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/core/uci_move.h"

#include <stdlib.h>
#include <string.h>

enum { SCORE_PRINTED_MAX = 1000000, LINE_SIZE = 65536 };

typedef struct {
    FILE *in;
    ShardHeader header;
    uint64_t lines; /* read */
    char line[LINE_SIZE];
} ImportGames;

/* What stands before the next `separator`, which is taken too. */
static Text part_take(Text *rest, char separator)
{
    const char *end = rest->len ? memchr(rest->at, separator, rest->len) : NULL;
    Text part = { rest->at, end ? (size_t)(end - rest->at) : rest->len };
    size_t taken = part.len + (end != NULL);
    *rest = (Text){ taken ? rest->at + taken : rest->at, rest->len - taken };
    return part;
}

static bool start_read(Position *pos, Text kind, Text start, Error *err)
{
    char fen[FEN_SIZE];
    bool is_usual = text_is(start, "startpos"), is_chess960 = text_is(kind, "chess960");
    if (!is_chess960 && !text_is(kind, "chess")) {
        error_set(err, ERR_INVALID, "neither chess nor chess960");
        return false;
    }
    int len = is_usual ? snprintf(fen, sizeof fen, "%s", FEN_START)
                       : snprintf(fen, sizeof fen, "%.*s", TEXT_ARGS(start));
    if (len < 0 || (size_t)len >= sizeof fen) {
        error_set(err, ERR_INVALID, "start: longer than a FEN");
        return false;
    }
    return fen_read(pos, fen, FEN_STRICT, NULL, err);
}

static bool result_read(uint8_t *result, Text text, Error *err)
{
    static const char *const results[] = { "0-1", "1/2-1/2", "1-0" };
    for (uint8_t i = 0; i < 3; i++) {
        if (text_is(text, results[i])) {
            *result = i;
            return true;
        }
    }
    error_set(err, ERR_INVALID, "result: none of 1-0, 0-1, 1/2-1/2");
    return false;
}

static bool score_read(int16_t *score, Text text, const Position *pos, Error *err)
{
    int64_t value;
    *score = ARCHIVE_NO_SCORE;
    if (text_is(text, "?") || text_starts_with(text, "m"))
        return true;
    if (text.len > 0 && (text.at[text.len - 1] == 'u' || text.at[text.len - 1] == 'l'))
        text.len--;
    if (!number_parse(text.at, text.len, -SCORE_PRINTED_MAX, SCORE_PRINTED_MAX, &value, err))
        return false;
    value = int64_clamp(value, -ARCHIVE_SCORE_MAX, ARCHIVE_SCORE_MAX);
    *score = (int16_t)(pos->side_to_move == WHITE ? value : -value);
    return true;
}

static bool move_read(ArchivedPly *ply, Text text, const Position *pos, Error *err)
{
    Text score = text;
    Text move = part_take(&score, ':');
    bool is_random = move.len == text.len;
    ply->score = ARCHIVE_RANDOM_MOVE;
    return uci_move_match(pos, move.at, move.len, &ply->move, err) &&
           (is_random || score_read(&ply->score, score, pos, err));
}

bool import_game_read(ArchivedGame *game, Text line, Error *err)
{
    Position pos;
    uint8_t result;
    Text kind = part_take(&line, '\t'), start = part_take(&line, '\t');
    Text points = part_take(&line, '\t');
    part_take(&line, '\t');
    if (!start_read(&pos, kind, start, err) || !result_read(&result, points, err))
        return false;
    game->start = packed_position_of(&pos);
    game->start.flags |= PACKED_FIRST_OF_GAME;
    game->start.result = result;
    game->ply_count = 0;
    while (line.len > 0) {
        Undo undo;
        ArchivedPly *ply = &game->plies[game->ply_count];
        if (game->ply_count == ARCHIVE_PLIES_MAX) {
            error_set(err, ERR_RANGE, "more than %d plies", ARCHIVE_PLIES_MAX);
            return false;
        }
        if (!move_read(ply, part_take(&line, ' '), &pos, err)) {
            error_prefix(err, "ply %d", game->ply_count + 1);
            return false;
        }
        position_make(&pos, ply->move, &undo);
        game->ply_count++;
    }
    return true;
}

static MakerStep next_shard(void *user, uint32_t shard, ShardHeader *header, Error *err)
{
    ImportGames *games = user;
    (void)err;
    int next = getc(games->in);
    if (next == EOF)
        return MAKER_ENDED;
    ungetc(next, games->in);
    *header = games->header;
    header->number = shard;
    return MAKER_MADE;
}

static MakerStep line_read(ImportGames *games, size_t *len, Error *err)
{
    if (!fgets(games->line, sizeof games->line, games->in)) {
        if (!ferror(games->in))
            return MAKER_ENDED;
        error_set(err, ERR_IO, "line %llu cannot be read", (unsigned long long)games->lines + 1);
        return MAKER_FAILED;
    }
    games->lines++;
    *len = strcspn(games->line, "\n");
    if (games->line[*len] == '\n')
        return MAKER_MADE;
    error_set(err, ERR_INVALID, "line %llu: longer than %d bytes, or without an end",
              (unsigned long long)games->lines, LINE_SIZE);
    return MAKER_FAILED;
}

/* Every line is a game, so lines that an earlier run took are counted off. */
static MakerStep make(void *user, GameIndex index, ArchivedGame *game, Error *err)
{
    ImportGames *games = user;
    size_t len = 0;
    while (games->lines <= index.total) {
        MakerStep step = line_read(games, &len, err);
        if (step != MAKER_MADE)
            return step;
    }
    if (import_game_read(game, (Text){ games->line, len }, err))
        return MAKER_MADE;
    error_prefix(err, "line %llu", (unsigned long long)games->lines);
    return MAKER_FAILED;
}

bool import_games_new(GameMaker *maker, FILE *in, const ShardHeader *header, Error *err)
{
    ImportGames *games = calloc(1, sizeof *games);
    if (!games) {
        error_set(err, ERR_MEMORY, "no memory for a job");
        return false;
    }
    games->in = in;
    games->header = *header;
    *maker = (GameMaker){ .next_shard = next_shard, .make = make, .free = free, .user = games };
    return true;
}
