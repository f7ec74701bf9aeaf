/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - whole games with the scores of their positions: what networks are trained from, at
 * four bytes a ply. Filters, scale and smoothing come later (expand.h), so that they can change
 * without new games.
 *
 * A shard is one file of at most ARCHIVE_SHARD_SIZE bytes: a header of 256 bytes, then games. All
 * numbers are little-endian. The header:
 *
 *       0  char[8]  "castgame"              96  char[32]  the labeller's network
 *       8  u32      version, 2             128  char[32]  the program that made the games
 *      12  u32      size of the header     160  char[64]  options
 *      16  u64      seed                   224  u64       the labeller's bench count
 *      24  u32      number of the shard    232  u8[24]    zero
 *      28  u32      nodes a move
 *      32  char[16] kind of games
 *      48  char[48] labeller
 *
 * A game is a PackedPosition, its start (result filled in, score 0, PACKED_FIRST_OF_GAME), then for
 * each ply the move (move.h) and the score of the position before it, two bytes each, then four
 * zero bytes. A file is named after its header, "KIND-HASH-SEED-NUMBER.games": equal names hold the
 * same games, the shorter file the beginning of the longer. It is NAME.part while it grows.
 *
 * Version 1 wrote castling on the queen's side with a flag of its own.
 *
 * The magic has 33 bits set: it cannot be the board of a game. */
#pragma once
#include "engine/base/mapped_file.h"
#include "engine/train/packed_position.h"

enum {
    ARCHIVE_VERSION = 2,
    ARCHIVE_HEADER_SIZE = 256,
    ARCHIVE_SHARD_SIZE = 15 << 20,
    ARCHIVE_PLIES_MAX = 1000,
    ARCHIVE_NAME_SIZE = 64, /* of a file without its folder, with its NUL */
};

/* Scores are centipawns of the labeller for White, without any damping by the fifty-move counter,
 * within ±ARCHIVE_SCORE_MAX; or one of these. */
enum { ARCHIVE_SCORE_MAX = 32000, ARCHIVE_RANDOM_MOVE = 32766, ARCHIVE_NO_SCORE = 32767 };

typedef struct {
    Move move;
    int16_t score; /* of the position before the move. ARCHIVE_RANDOM_MOVE: the move was drawn, not
                      searched. ARCHIVE_NO_SCORE: a mate score, or none worth keeping */
} ArchivedPly;

typedef struct {
    PackedPosition start;
    int ply_count;
    ArchivedPly plies[ARCHIVE_PLIES_MAX];
} ArchivedGame;

/* What a shard's games depend on. Texts are printable ASCII without blanks at the ends. */
typedef struct {
    uint64_t seed;
    uint32_t number; /* of the shard among those of its seed, from 0 */
    uint32_t nodes;  /* a move */
    char kind[16];
    char labeller[48];
    char network[32];
    char generator[32];
    char options[64];
    uint64_t bench; /* 0: not known */
} ShardHeader;

/* The file name that the header gives, without ".part". */
bool shard_name(const ShardHeader *header, char name[ARCHIVE_NAME_SIZE], Error *err) MUST_CHECK;

/* -- reading: bytes of unknown origin -- */

bool shard_header_read(ShardHeader *header, const uint8_t *bytes, size_t size,
                       Error *err) MUST_CHECK;

typedef enum {
    ARCHIVE_GAME,
    ARCHIVE_END, /* no bytes are left */
    ARCHIVE_CUT, /* the bytes end inside a game, as in a file that was still being written */
    ARCHIVE_BAD, /* no game: the Error says why */
} ArchiveStep;

/* Reads the game that bytes[0..size) begin with: its start and every move are legal. *used is its
 * length in bytes. Both are written only for ARCHIVE_GAME. */
ArchiveStep archive_game_read(ArchivedGame *game, size_t *used, const uint8_t *bytes, size_t size,
                              Error *err) MUST_CHECK;

/* A shard being read, finished or not. */
typedef struct {
    MappedFile file;
    size_t at; /* byte of the next game */
    ShardHeader header;
} ShardReader;

/* Maps the file and reads its header. The caller releases. */
bool shard_reader_init(ShardReader *reader, const char *path, Error *err) MUST_CHECK;
void shard_reader_release(ShardReader *reader);

/* The next game; the Error of ARCHIVE_BAD and ARCHIVE_CUT names the byte. */
ArchiveStep shard_reader_next(ShardReader *reader, ArchivedGame *game, Error *err) MUST_CHECK;

/* -- writing -- */

/* A shard that grows. Owner's thread only. */
typedef struct ShardWriter ShardWriter;

/* Begins the header's shard in the folder, or goes on with what is there of it, finished or not: an
 * unfinished last game is cut off. No other process may write the same shard. */
bool shard_writer_new(ShardWriter **out, const char *folder, const ShardHeader *header,
                      Error *err) MUST_CHECK;

/* Leaves what was written as NAME.part. NULL is fine. */
void shard_writer_free(ShardWriter *writer);

/* Games in the shard so far. */
uint64_t shard_writer_games(const ShardWriter *writer);

/* May no further game be added? Depends on the games alone. */
bool shard_writer_is_full(const ShardWriter *writer);

/* Appends a game, whole or not at all. The game is the caller's and legal; the shard is not full.
 * After a failure the writer can only be freed. */
bool shard_writer_put(ShardWriter *writer, const ArchivedGame *game, Error *err) MUST_CHECK;

/* Gives the shard its final name, once it is on the disk. */
bool shard_writer_finish(ShardWriter *writer, Error *err) MUST_CHECK;
