/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/archive.h"

#include "engine/core/movegen.h"
#include "engine/core/variant_rules.h"
#include "engine/base/check.h"
#include "engine/train/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLY_SIZE = 4, PATH_SIZE = 4096 };
enum { GAME_SIZE_MAX = (int)sizeof(PackedPosition) + PLY_SIZE * (ARCHIVE_PLIES_MAX + 1) };
enum { FULL_SIZE = ARCHIVE_SHARD_SIZE - GAME_SIZE_MAX };

/* Where the fields of the header lie. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_SIZE = 12,
    AT_SEED = 16,
    AT_NUMBER = 24,
    AT_NODES = 28,
    AT_KIND = 32,
    AT_LABELLER = 48,
    AT_NETWORK = 96,
    AT_GENERATOR = 128,
    AT_OPTIONS = 160,
    AT_BENCH = 224,
    AT_ZERO = 232,
};

static const char magic[8] = { 'c', 'a', 's', 't', 'g', 'a', 'm', 'e' };

struct ShardWriter {
    int fd;
    bool is_finished; /* the file has its final name */
    uint64_t games;
    size_t size;
    char name[ARCHIVE_NAME_SIZE];
    char path[PATH_SIZE]; /* final */
    char part[PATH_SIZE];
    uint8_t bytes[GAME_SIZE_MAX];
};

static void header_write(const ShardHeader *header, uint8_t bytes[ARCHIVE_HEADER_SIZE])
{
    uint32_t version = ARCHIVE_VERSION, size = ARCHIVE_HEADER_SIZE;
    memset(bytes, 0, ARCHIVE_HEADER_SIZE);
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    memcpy(bytes + AT_VERSION, &version, sizeof version);
    memcpy(bytes + AT_HEADER_SIZE, &size, sizeof size);
    memcpy(bytes + AT_SEED, &header->seed, sizeof header->seed);
    memcpy(bytes + AT_NUMBER, &header->number, sizeof header->number);
    memcpy(bytes + AT_NODES, &header->nodes, sizeof header->nodes);
    memcpy(bytes + AT_KIND, header->kind, sizeof header->kind);
    memcpy(bytes + AT_LABELLER, header->labeller, sizeof header->labeller);
    memcpy(bytes + AT_NETWORK, header->network, sizeof header->network);
    memcpy(bytes + AT_GENERATOR, header->generator, sizeof header->generator);
    memcpy(bytes + AT_OPTIONS, header->options, sizeof header->options);
    memcpy(bytes + AT_BENCH, &header->bench, sizeof header->bench);
}

/* A kind becomes part of a file's name. */
static bool is_kind(const char *kind)
{
    size_t len = strlen(kind);
    return len > 0 && strspn(kind, "abcdefghijklmnopqrstuvwxyz0123456789") == len;
}

bool shard_name(const ShardHeader *header, char name[ARCHIVE_NAME_SIZE], Error *err)
{
    uint8_t bytes[ARCHIVE_HEADER_SIZE], hash[OUTPUT_HASH_SIZE];
    if (!is_kind(header->kind)) {
        error_set(err, ERR_INVALID, "kind of games: not lower-case letters and digits");
        return false;
    }
    header_write(header, bytes);
    if (!output_hash(hash, bytes, sizeof bytes, err))
        return false;
    int len = snprintf(name, ARCHIVE_NAME_SIZE, "%s-%02x%02x%02x%02x-%llu-%u.games", header->kind,
                       hash[0], hash[1], hash[2], hash[3], (unsigned long long)header->seed,
                       header->number);
    assert(len > 0 && len < ARCHIVE_NAME_SIZE);
    (void)len;
    return true;
}

/* Copies a text of the header; false unless it is printable and filled up with zeros. */
static bool text_read(char *out, const uint8_t *bytes, size_t size)
{
    size_t len = 0;
    while (len < size && bytes[len] >= ' ' && bytes[len] < 127)
        len++;
    for (size_t i = len; i < size; i++) {
        if (bytes[i])
            return false;
    }
    memcpy(out, bytes, size);
    return len < size;
}

bool shard_header_read(ShardHeader *header, const uint8_t *bytes, size_t size, Error *err)
{
    static const uint8_t zeros[ARCHIVE_HEADER_SIZE - AT_ZERO];
    ShardHeader read = { 0 };
    uint32_t version, header_size;
    if (size < ARCHIVE_HEADER_SIZE || memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0) {
        error_set(err, ERR_INVALID, "no shard of games: it does not begin with \"%.8s\"", magic);
        return false;
    }
    memcpy(&version, bytes + AT_VERSION, sizeof version);
    memcpy(&header_size, bytes + AT_HEADER_SIZE, sizeof header_size);
    if (version != ARCHIVE_VERSION || header_size != ARCHIVE_HEADER_SIZE) {
        error_set(err, ERR_INVALID, "shard of version %u with a header of %u bytes, not %d and %d",
                  version, header_size, ARCHIVE_VERSION, ARCHIVE_HEADER_SIZE);
        return false;
    }
    memcpy(&read.seed, bytes + AT_SEED, sizeof read.seed);
    memcpy(&read.number, bytes + AT_NUMBER, sizeof read.number);
    memcpy(&read.nodes, bytes + AT_NODES, sizeof read.nodes);
    memcpy(&read.bench, bytes + AT_BENCH, sizeof read.bench);
    bool ok = text_read(read.kind, bytes + AT_KIND, sizeof read.kind) &&
              text_read(read.labeller, bytes + AT_LABELLER, sizeof read.labeller) &&
              text_read(read.network, bytes + AT_NETWORK, sizeof read.network) &&
              text_read(read.generator, bytes + AT_GENERATOR, sizeof read.generator) &&
              text_read(read.options, bytes + AT_OPTIONS, sizeof read.options) &&
              is_kind(read.kind) && memcmp(bytes + AT_ZERO, zeros, sizeof zeros) == 0;
    if (ok)
        *header = read;
    else
        error_set(err, ERR_INVALID, "shard header: a text is not printable or not ended by zeros");
    return ok;
}

/* Is the record fit to begin a game? */
static bool start_read(Position *pos, const PackedPosition *start, Error *err)
{
    if (start->score == 0 && start->result <= PACKED_WHITE_WON &&
        (start->flags & (PACKED_FIRST_OF_GAME | PACKED_NO_RESULT)) == PACKED_FIRST_OF_GAME)
        return packed_position_read(pos, start, err);
    error_set(err, ERR_INVALID, "result %u, flags %u: no start of a game", start->result,
              start->flags);
    return false;
}

static bool score_is_valid(int score)
{
    return abs(score) <= ARCHIVE_SCORE_MAX || score == ARCHIVE_RANDOM_MOVE ||
           score == ARCHIVE_NO_SCORE;
}

ArchiveStep archive_game_read(ArchivedGame *game, size_t *used, const uint8_t *bytes, size_t size,
                              Error *err)
{
    PackedPosition start;
    Position pos;
    size_t at = sizeof start;
    if (size == 0)
        return ARCHIVE_END;
    if (size < sizeof start)
        return ARCHIVE_CUT;
    memcpy(&start, bytes, sizeof start);
    if (!start_read(&pos, &start, err))
        return ARCHIVE_BAD;
    for (int count = 0;; count++, at += PLY_SIZE) {
        ArchivedPly ply;
        Undo undo;
        if (size - at < PLY_SIZE)
            return ARCHIVE_CUT;
        memcpy(&ply.move, bytes + at, sizeof ply.move);
        memcpy(&ply.score, bytes + at + 2, sizeof ply.score);
        if (ply.move == MOVE_NONE && ply.score == 0) {
            game->start = start;
            game->ply_count = count;
            *used = at + PLY_SIZE;
            return ARCHIVE_GAME;
        }
        if (count == ARCHIVE_PLIES_MAX || !score_is_valid(ply.score) ||
            variant_end(&pos) != VARIANT_GOES_ON || !position_allows(&pos, ply.move)) {
            error_set(err, ERR_INVALID, "ply %d: move %u, score %d: not legal", count + 1, ply.move,
                      ply.score);
            return ARCHIVE_BAD;
        }
        position_make(&pos, ply.move, &undo);
        game->plies[count] = ply;
    }
}

bool shard_reader_init(ShardReader *reader, const char *path, Error *err)
{
    ShardReader opened = { .at = ARCHIVE_HEADER_SIZE };
    if (!mapped_file_init(&opened.file, path, err))
        return false;
    if (!shard_header_read(&opened.header, opened.file.bytes, opened.file.size, err)) {
        error_prefix(err, "%s", path);
        mapped_file_release(&opened.file);
        return false;
    }
    *reader = opened;
    return true;
}

void shard_reader_release(ShardReader *reader)
{
    mapped_file_release(&reader->file);
}

ArchiveStep shard_reader_next(ShardReader *reader, ArchivedGame *game, Error *err)
{
    size_t used;
    ArchiveStep step = archive_game_read(game, &used, reader->file.bytes + reader->at,
                                         reader->file.size - reader->at, err);
    if (step == ARCHIVE_GAME)
        reader->at += used;
    else if (step == ARCHIVE_CUT)
        error_set(err, ERR_INVALID, "byte %zu: the last game is cut off", reader->at);
    else if (step == ARCHIVE_BAD)
        error_prefix(err, "byte %zu", reader->at);
    return step;
}

static bool system_failed(const char *path, Error *err)
{
    error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    return false;
}

static bool paths_set(ShardWriter *writer, const char *folder, Error *err)
{
    int path_len = snprintf(writer->path, sizeof writer->path, "%s/%s", folder, writer->name);
    int part_len = snprintf(writer->part, sizeof writer->part, "%s/%s.part", folder, writer->name);
    if (path_len > 0 && part_len > 0 && (size_t)part_len < sizeof writer->part)
        return true;
    error_set(err, ERR_RANGE, "folder of shards: its path is longer than %d bytes", PATH_SIZE);
    return false;
}

static off_t file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static bool bytes_write(ShardWriter *writer, const uint8_t *bytes, size_t size, Error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t wrote = pwrite(writer->fd, bytes + done, size - done, (off_t)(writer->size + done));
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return system_failed(writer->part, err);
        done += (size_t)wrote;
    }
    writer->size += size;
    return true;
}

/* Counts the whole games of the open file and cuts off what follows them. */
static bool games_count(ShardWriter *writer, const char *path, const uint8_t *header, Error *err)
{
    MappedFile file;
    ArchivedGame *game = malloc(sizeof *game);
    ArchiveStep step = ARCHIVE_BAD;
    if (!game) {
        error_set(err, ERR_MEMORY, "no memory for a game");
        return false;
    }
    if (!mapped_file_init(&file, path, err)) {
        free(game);
        return false;
    }
    if (file.size >= ARCHIVE_HEADER_SIZE && memcmp(file.bytes, header, ARCHIVE_HEADER_SIZE) == 0) {
        size_t used;
        writer->size = ARCHIVE_HEADER_SIZE;
        while ((step = archive_game_read(game, &used, file.bytes + writer->size,
                                         file.size - writer->size, err)) == ARCHIVE_GAME) {
            writer->size += used;
            writer->games++;
        }
    } else {
        error_set(err, ERR_INVALID, "another header than its name says");
    }
    if (step == ARCHIVE_BAD)
        error_prefix(err, "%s: byte %zu", path, writer->size);
    mapped_file_release(&file);
    free(game);
    if (step == ARCHIVE_CUT && ftruncate(writer->fd, (off_t)writer->size) != 0)
        return system_failed(path, err);
    return step != ARCHIVE_BAD;
}

static bool writer_open(ShardWriter *writer, const ShardHeader *header, Error *err)
{
    uint8_t bytes[ARCHIVE_HEADER_SIZE];
    off_t finished = file_size(writer->path), growing = file_size(writer->part);
    /* A file shorter than its header was killed at birth. */
    bool is_new = finished < 0 && growing < ARCHIVE_HEADER_SIZE;
    writer->is_finished = finished >= 0 && finished >= growing;
    const char *path = writer->is_finished ? writer->path : writer->part;
    header_write(header, bytes);
    writer->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (writer->fd < 0)
        return system_failed(path, err);
    if (flock(writer->fd, LOCK_EX | LOCK_NB) != 0) {
        error_set(err, ERR_NOT_NOW, "%s: another process writes it; give each its own seed", path);
        return false;
    }
    if (is_new)
        return bytes_write(writer, bytes, sizeof bytes, err);
    return games_count(writer, path, bytes, err);
}

bool shard_writer_new(ShardWriter **out, const char *folder, const ShardHeader *header, Error *err)
{
    ShardWriter *writer = calloc(1, sizeof *writer);
    if (!writer) {
        error_set(err, ERR_MEMORY, "no memory for a shard");
        return false;
    }
    writer->fd = -1;
    if (!shard_name(header, writer->name, err) || !paths_set(writer, folder, err) ||
        !writer_open(writer, header, err)) {
        shard_writer_free(writer);
        return false;
    }
    *out = writer;
    return true;
}

void shard_writer_free(ShardWriter *writer)
{
    if (writer && writer->fd >= 0)
        close(writer->fd);
    free(writer);
}

uint64_t shard_writer_games(const ShardWriter *writer)
{
    return writer->games;
}

bool shard_writer_is_full(const ShardWriter *writer)
{
    return writer->size >= FULL_SIZE;
}

static size_t game_write(uint8_t *bytes, const ArchivedGame *game)
{
    size_t at = sizeof game->start;
    memcpy(bytes, &game->start, sizeof game->start);
    for (int i = 0; i < game->ply_count; i++, at += PLY_SIZE) {
        memcpy(bytes + at, &game->plies[i].move, sizeof(Move));
        memcpy(bytes + at + 2, &game->plies[i].score, sizeof(int16_t));
    }
    memset(bytes + at, 0, PLY_SIZE);
    return at + PLY_SIZE;
}

bool shard_writer_put(ShardWriter *writer, const ArchivedGame *game, Error *err)
{
    assert(!shard_writer_is_full(writer));
    CHECK(game->ply_count >= 0 && game->ply_count <= ARCHIVE_PLIES_MAX);
    if (writer->is_finished && rename(writer->path, writer->part) != 0)
        return system_failed(writer->path, err);
    writer->is_finished = false;
    size_t size = game_write(writer->bytes, game);
    if (!bytes_write(writer, writer->bytes, size, err))
        return false;
    writer->games++;
    return true;
}

bool shard_writer_finish(ShardWriter *writer, Error *err)
{
    if (writer->is_finished)
        return true;
    if (fsync(writer->fd) != 0)
        return system_failed(writer->part, err);
    if (rename(writer->part, writer->path) != 0)
        return system_failed(writer->path, err);
    writer->is_finished = true;
    return true;
}
