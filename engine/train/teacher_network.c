/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher_network.h"

#include "engine/base/mapped_file.h"
#include "engine/base/minmax.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shape. */
enum {
    UNITS = 1024,
    PIECE_INPUTS = 11 * SQUARE_COUNT, /* ten kinds of pieces, and both kings as one */
    KING_BUCKETS = 32,
    INPUTS = KING_BUCKETS * PIECE_INPUTS,
    STACKS = 8,
    LAYER1 = 16, /* the last of them is added to the result as it is */
    LAYER1_HIDDEN = 15,
    LAYER2_INPUTS = 32, /* LAYER1_HIDDEN squared, the same as they are, and two that are nothing */
    LAYER2 = 32,
};

/* Units of its integers. */
enum {
    ACTIVE_MAX = 127,
    WEIGHT_SHIFT = 6,
    SQUARE_SHIFT = 2 * WEIGHT_SHIFT + 7,
    OUTPUT_SCALE = 16,
    SKIP_SCALE = 600,
    PAWN_UNITS = 361,
    SCORE_MAX = 30000, /* whatever the file holds */
};

/* The file: version, hash, length of a text, the text; then the inputs' layer and the stacks, each
 * after a hash. */
enum { VERSION = 0x7AF32F20, PREFIX_SIZE = 12, HASH_SIZE = 4, NAME_SIZE = 32 };

typedef struct {
    int32_t bias1[LAYER1];
    int16_t weights1[LAYER1][UNITS];
    int32_t bias2[LAYER2];
    int16_t weights2[LAYER2][LAYER2_INPUTS];
    int32_t bias3;
    int16_t weights3[LAYER2];
} Stack;

struct TeacherNetwork {
    _Alignas(64) int16_t rows[INPUTS][UNITS];
    int16_t bias[UNITS];
    int32_t material[INPUTS][STACKS];
    Stack stacks[STACKS];
    char name[NAME_SIZE];
    uint8_t hash[TEACHER_HASH_SIZE];
};

/* One side's view of the board that it saw last. */
typedef struct {
    _Alignas(64) int16_t units[UNITS];
    int64_t material[STACKS];
    Piece board[SQUARE_COUNT];
    Square king; /* SQUARE_NONE: it saw none */
} View;

struct TeacherEvaluator {
    const TeacherNetwork *network;
    View views[COLOUR_COUNT];
};

enum {
    SIZE_INPUTS = HASH_SIZE + 2 * UNITS + 2 * INPUTS * UNITS + 4 * INPUTS * STACKS,
    SIZE_STACK =
        HASH_SIZE + 4 * LAYER1 + LAYER1 * UNITS + 4 * LAYER2 + LAYER2 * LAYER2_INPUTS + 4 + LAYER2,
    SIZE_BODY = SIZE_INPUTS + STACKS * SIZE_STACK,
};

/* The file's numbers are little-endian, as this machine's are (packed_position.h). */
static const uint8_t *copy(void *to, const uint8_t *at, size_t size)
{
    memcpy(to, at, size);
    return at + size;
}

static const uint8_t *widen(int16_t *to, const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (int8_t)at[i];
    return at + count;
}

static void body_read(TeacherNetwork *network, const uint8_t *at)
{
    at = copy(network->bias, at + HASH_SIZE, sizeof network->bias);
    at = copy(network->rows, at, sizeof network->rows);
    at = copy(network->material, at, sizeof network->material);
    for (int i = 0; i < STACKS; i++) {
        Stack *stack = &network->stacks[i];
        at = copy(stack->bias1, at + HASH_SIZE, sizeof stack->bias1);
        at = widen(stack->weights1[0], at, (size_t)LAYER1 * UNITS);
        at = copy(stack->bias2, at, sizeof stack->bias2);
        at = widen(stack->weights2[0], at, (size_t)LAYER2 * LAYER2_INPUTS);
        at = copy(&stack->bias3, at, sizeof stack->bias3);
        at = widen(stack->weights3, at, LAYER2);
    }
}

static bool name_set(TeacherNetwork *network, const MappedFile *file, Error *err)
{
    uint8_t *hash = network->hash;
    if (EVP_Digest(file->bytes, file->size, hash, NULL, EVP_sha256(), NULL) != 1) {
        error_set(err, ERR_MEMORY, "SHA-256 cannot be computed");
        return false;
    }
    snprintf(network->name, NAME_SIZE, "nn-%02x%02x%02x%02x%02x%02x.nnue", hash[0], hash[1],
             hash[2], hash[3], hash[4], hash[5]);
    return true;
}

static bool file_read(TeacherNetwork *network, const MappedFile *file, Error *err)
{
    uint32_t version = 0, text_size = 0;
    if (file->size >= PREFIX_SIZE) {
        memcpy(&version, file->bytes, sizeof version);
        memcpy(&text_size, file->bytes + PREFIX_SIZE - sizeof text_size, sizeof text_size);
    }
    if (version != VERSION || file->size != (size_t)PREFIX_SIZE + text_size + SIZE_BODY) {
        error_set(err, ERR_INVALID,
                  "no network of Stockfish 15.1; write one with its command export_net");
        return false;
    }
    body_read(network, file->bytes + PREFIX_SIZE + text_size);
    return name_set(network, file, err);
}

bool teacher_network_new(TeacherNetwork **out, const char *path, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    TeacherNetwork *network = aligned_alloc(64, sizeof *network);
    bool ok = network && file_read(network, &file, err);
    if (!network)
        error_set(err, ERR_MEMORY, "no memory for the network");
    mapped_file_release(&file);
    if (!ok) {
        error_prefix(err, "%s", path);
        free(network);
        return false;
    }
    *out = network;
    return true;
}

void teacher_network_free(TeacherNetwork *network)
{
    free(network);
}

const char *teacher_network_name(const TeacherNetwork *network)
{
    return network->name;
}

const uint8_t *teacher_network_hash(const TeacherNetwork *network)
{
    return network->hash;
}

bool teacher_evaluator_new(TeacherEvaluator **out, const TeacherNetwork *network, Error *err)
{
    TeacherEvaluator *evaluator = aligned_alloc(64, sizeof *evaluator);
    if (!evaluator) {
        error_set(err, ERR_MEMORY, "no memory for an evaluator");
        return false;
    }
    evaluator->network = network;
    for (Colour us = WHITE; us <= BLACK; us++)
        evaluator->views[us].king = SQUARE_NONE;
    *out = evaluator;
    return true;
}

void teacher_evaluator_free(TeacherEvaluator *evaluator)
{
    free(evaluator);
}

/* The own king always stands on files e to h and the own pieces come first. */
static int input_of(Colour us, Square king, Piece piece, Square square)
{
    int flip = (us == BLACK ? 56 : 0) ^ ((king & 7) < 4 ? 7 : 0);
    int seen = king ^ flip;
    int bucket = 31 - 4 * (seen >> 3) - ((seen & 7) - 4);
    int kind =
        piece_type(piece) == KING ? 10 : 2 * (int)piece_type(piece) + (piece_colour(piece) != us);
    return bucket * PIECE_INPUTS + kind * SQUARE_COUNT + (square ^ flip);
}

static void input_add(View *view, const TeacherNetwork *network, int input)
{
    for (int i = 0; i < UNITS; i++)
        view->units[i] = (int16_t)(view->units[i] + network->rows[input][i]);
    for (int i = 0; i < STACKS; i++)
        view->material[i] += network->material[input][i];
}

static void input_remove(View *view, const TeacherNetwork *network, int input)
{
    for (int i = 0; i < UNITS; i++)
        view->units[i] = (int16_t)(view->units[i] - network->rows[input][i]);
    for (int i = 0; i < STACKS; i++)
        view->material[i] -= network->material[input][i];
}

static void view_reset(View *view, const TeacherNetwork *network, Square king)
{
    memcpy(view->units, network->bias, sizeof view->units);
    memset(view->material, 0, sizeof view->material);
    memset(view->board, PIECE_NONE, sizeof view->board);
    view->king = king;
}

static void view_update(View *view, const TeacherNetwork *network, const Position *pos, Colour us)
{
    Square king = position_king(pos, us);
    if (view->king != king)
        view_reset(view, network, king);
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        Piece was = view->board[square], is = pos->board[square];
        if (was == is)
            continue;
        if (was != PIECE_NONE)
            input_remove(view, network, input_of(us, king, was, square));
        if (is != PIECE_NONE)
            input_add(view, network, input_of(us, king, is, square));
        view->board[square] = is;
    }
}

static void pairs_multiply(int16_t *to, const int16_t *units)
{
    for (int i = 0; i < UNITS / 2; i++) {
        int a = int_clamp(units[i], 0, ACTIVE_MAX),
            b = int_clamp(units[i + UNITS / 2], 0, ACTIVE_MAX);
        to[i] = (int16_t)(a * b / (ACTIVE_MAX + 1));
    }
}

static int32_t dot(const int16_t *a, const int16_t *b, int count)
{
    int32_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += (int32_t)a[i] * b[i];
    return sum;
}

static int16_t clipped(int64_t sum, int shift)
{
    return (int16_t)int64_clamp(sum >> shift, 0, ACTIVE_MAX);
}

/* Sums are of 64 bits: a file's biases may be anything. */
static int64_t layers_run(const Stack *stack, const int16_t inputs[UNITS])
{
    int64_t sums[LAYER1];
    int16_t hidden[LAYER2_INPUTS] = { 0 }, last[LAYER2];
    for (int i = 0; i < LAYER1; i++)
        sums[i] = (int64_t)stack->bias1[i] + dot(stack->weights1[i], inputs, UNITS);
    for (int i = 0; i < LAYER1_HIDDEN; i++) {
        hidden[i] = clipped(sums[i] * sums[i], SQUARE_SHIFT);
        hidden[LAYER1_HIDDEN + i] = clipped(sums[i], WEIGHT_SHIFT);
    }
    for (int i = 0; i < LAYER2; i++) {
        int64_t sum = (int64_t)stack->bias2[i] + dot(stack->weights2[i], hidden, LAYER2_INPUTS);
        last[i] = clipped(sum, WEIGHT_SHIFT);
    }
    int64_t skipped = sums[LAYER1 - 1] * (SKIP_SCALE * OUTPUT_SCALE) / (ACTIVE_MAX << WEIGHT_SHIFT);
    return skipped + stack->bias3 + dot(stack->weights3, last, LAYER2);
}

static int pieces_value(const Position *pos)
{
    static const int values[PIECE_TYPE_COUNT] = {
        [KNIGHT] = 781, [BISHOP] = 825, [ROOK] = 1276, [QUEEN] = 2538
    };
    int sum = 0;
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        sum += values[type] * bitboard_count(pos->pieces[WHITE][type] | pos->pieces[BLACK][type]);
    return sum;
}

int teacher_evaluate(TeacherEvaluator *evaluator, const Position *pos)
{
    const TeacherNetwork *network = evaluator->network;
    Colour us = pos->side_to_move, them = us ^ 1;
    _Alignas(64) int16_t inputs[UNITS];
    int stack = (bitboard_count(pos->occupied) - 1) / 4;
    int pieces = pieces_value(pos);
    view_update(&evaluator->views[WHITE], network, pos, WHITE);
    view_update(&evaluator->views[BLACK], network, pos, BLACK);
    pairs_multiply(inputs, evaluator->views[us].units);
    pairs_multiply(inputs + UNITS / 2, evaluator->views[them].units);
    int64_t positional = layers_run(&network->stacks[stack], inputs);
    int64_t material =
        (evaluator->views[us].material[stack] - evaluator->views[them].material[stack]) / 2;
    int delta = 24 - pieces / 9560;
    int64_t value =
        ((1024 - delta) * material + (1024 + delta) * positional) / (1024 * OUTPUT_SCALE);
    value = value * (1064 + 106 * pieces / 5120) / 1024;
    return (int)int64_clamp(value * 100 / PAWN_UNITS, -SCORE_MAX, SCORE_MAX);
}
