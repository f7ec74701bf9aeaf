/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher_network.h"

#include "engine/base/buf.h"
#include "engine/core/fen.h"
#include "tests/support/games.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

/* Where the parts of a file without a text lie, as Stockfish 15.1 writes it. */
enum {
    AT_BIAS = 16,
    AT_ROWS = AT_BIAS + 2 * 1024,
    AT_MATERIAL = AT_ROWS + 22528 * 1024 * 2,
    AT_STACKS = AT_MATERIAL + 22528 * 8 * 4,
    STACK_SIZE = 4 + 4 * 16 + 16 * 1024 + 4 * 32 + 32 * 32 + 4 + 32,
    AT_BIAS3 = STACK_SIZE - 32 - 4, /* within a stack */
    FILE_SIZE = AT_STACKS + 8 * STACK_SIZE,
    PATH_SIZE = 64,
};

typedef struct {
    char folder[PATH_SIZE / 2], path[PATH_SIZE];
    uint8_t *bytes;
} Place;

static void place_init(Place *place)
{
    static const uint8_t version[] = { 0x20, 0x2f, 0xf3, 0x7a };
    snprintf(place->folder, sizeof place->folder, "/tmp/castled-network-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, PATH_SIZE, "%s/net.nnue", place->folder);
    place->bytes = calloc(1, FILE_SIZE + 1);
    assert_non_null(place->bytes);
    memcpy(place->bytes, version, sizeof version);
}

static void place_release(Place *place)
{
    free(place->bytes);
    unlink(place->path);
    assert_int_equal(rmdir(place->folder), 0);
}

static void put32(uint8_t *at, int32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void file_write(const Place *place, size_t size)
{
    FILE *file = fopen(place->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(place->bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int evaluate(const char *path, const char *fen)
{
    TeacherNetwork *network;
    TeacherEvaluator *evaluator = NULL;
    Position pos;
    Error err = { 0 };
    if (!teacher_network_new(&network, path, &err) ||
        !teacher_evaluator_new(&evaluator, network, &err) ||
        !fen_read(&pos, fen, FEN_STRICT, NULL, &err))
        fail_msg("%s", err.text);
    int score = teacher_evaluate(evaluator, &pos);
    teacher_evaluator_free(evaluator);
    teacher_network_free(network);
    return score;
}

TEST(other_files_are_refused)
{
    static const struct {
        const char *name;
        size_t at; /* of the byte that is made 1 */
        size_t size;
    } rows[] = {
        { "another version", 0, FILE_SIZE },
        { "a text that it does not have", 8, FILE_SIZE },
        { "a text beyond 2 GiB", 11, FILE_SIZE },
        { "a byte short", 4, FILE_SIZE - 1 },
        { "a byte more", 4, FILE_SIZE + 1 },
        { "seven bytes", 4, 7 },
        { "a byte", 0, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Place place;
        TeacherNetwork *network;
        Error err = { 0 };
        place_init(&place);
        place.bytes[rows[i].at] = 1;
        file_write(&place, rows[i].size);
        if (teacher_network_new(&network, place.path, &err))
            fail_msg("took %s", rows[i].name);
        assert_non_null(strstr(err.text, "export_net"));
        assert_non_null(strstr(err.text, place.path));
        place_release(&place);
    }
}

/* With all else zero, stack 7 gives 16 * 361 / 1024ths of: (1024 + delta) * bias; the men of the
 * start position are worth 16,604: delta = 23, scale 1064 + 343 = 1407. */
TEST(the_stack_follows_the_number_of_men)
{
    Place place;
    place_init(&place);
    put32(place.bytes + AT_STACKS + 7 * STACK_SIZE + AT_BIAS3, 16 * 361);
    put32(place.bytes + AT_STACKS + AT_BIAS3, -16 * 361);
    file_write(&place, FILE_SIZE);
    /* 361 * 1047 / 1024 = 369; 369 * 1407 / 1024 = 507; 507 * 100 / 361 = 140 */
    assert_int_equal(evaluate(place.path, FEN_START), 140);
    /* 361 * 1048 / 1024 = 369; 369 * 1064 / 1024 = 383; 383 * 100 / 361 = 106 */
    assert_int_equal(evaluate(place.path, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), -106);
    assert_int_equal(evaluate(place.path, "4k3/pppppp2/8/8/8/8/4P3/4K3 w - - 0 1"), 0);
    place_release(&place);
}

/* Sums that overflow are found by the sanitizer. */
TEST(weights_at_their_ends_give_a_score)
{
    static const struct {
        uint8_t byte;
        int32_t bias;
    } rows[] = { { 0x7f, INT32_MAX }, { 0x80, INT32_MIN } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Place place;
        place_init(&place);
        memset(place.bytes + AT_BIAS, rows[i].byte, FILE_SIZE - AT_BIAS);
        for (int stack = 0; stack < 8; stack++)
            put32(place.bytes + AT_STACKS + stack * STACK_SIZE + AT_BIAS3, rows[i].bias);
        file_write(&place, FILE_SIZE);
        assert_in_range(evaluate(place.path, FEN_START) + 30000, 0, 60000);
        assert_in_range(evaluate(place.path, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1") + 30000, 0, 60000);
        place_release(&place);
    }
}

/* White's king on e1 is in bucket 31, Black's view of White's pawn is that of an enemy: the pawn's
 * input is 31 * 704 + 12 for White, 31 * 704 + 64 + 52 for Black. */
TEST(inputs_are_those_of_the_format)
{
    static const struct {
        const char *name, *fen;
        int input, score;
    } rows[] = {
        /* 16 * 361 * 2 / 2 of material for the one view, as above */
        { "own pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 31 * 704 + 12, 100 },
        { "own pawn, the opponent to move", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 31 * 704 + 12,
          -100 },
        { "enemy pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 31 * 704 + 64 + 52, -100 },
        { "king on the left", "4k3/8/8/8/8/8/4P3/1K6 w - - 0 1", 29 * 704 + 11, 100 },
        { "king on the seventh rank", "8/4K3/8/8/8/8/4P3/k7 w - - 0 1", 7 * 704 + 12, 100 },
        { "own king", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 31 * 704 + 640 + 4, 0 },
        { "enemy queen", "4k3/8/8/q7/8/8/8/5K2 w - - 0 1", 30 * 704 + 9 * 64 + 32, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Place place;
        place_init(&place);
        put32(place.bytes + AT_MATERIAL + (rows[i].input * 8) * 4, 16 * 361 * 2);
        file_write(&place, FILE_SIZE);
        int score = evaluate(place.path, rows[i].fen);
        if ((score > 0) - (score < 0) != (rows[i].score > 0) - (rows[i].score < 0))
            fail_msg("%s: %d", rows[i].name, score);
        place_release(&place);
    }
}

/* -- held against the program itself -- */

enum { ASKED_MAX = 400, ASK_EACH = 25, BALANCE_MAX = 3 };

typedef struct {
    FILE *commands;
    TeacherEvaluator *evaluator;
    int seen, asked;
    char fens[ASKED_MAX][FEN_SIZE];
    int scores[ASKED_MAX]; /* for White */
} Judge;

/* Where one side is far ahead the program asks another function. */
static bool is_even(const Position *pos)
{
    static const int values[PIECE_TYPE_COUNT] = { 1, 3, 3, 5, 9, 0 };
    int balance = 0;
    for (PieceType type = PAWN; type < KING; type++)
        balance += values[type] * (bitboard_count(pos->pieces[WHITE][type]) -
                                   bitboard_count(pos->pieces[BLACK][type]));
    return abs(balance) <= BALANCE_MAX;
}

static void ask(Position *pos, void *user)
{
    Judge *judge = user;
    if (judge->seen++ % ASK_EACH != 0 || judge->asked == ASKED_MAX || position_in_check(pos) ||
        !is_even(pos))
        return;
    Position asked = *pos;
    asked.halfmove_clock = 0;
    int score = teacher_evaluate(judge->evaluator, &asked);
    judge->scores[judge->asked] = pos->side_to_move == WHITE ? score : -score;
    fen_write(&asked, judge->fens[judge->asked]);
    fprintf(judge->commands, "position fen %s\neval\n", judge->fens[judge->asked++]);
}

static void run(const char *program, const char *commands, const char *answers)
{
    char line[256];
    int wrote = snprintf(line, sizeof line, "%s <%s >%s", program, commands, answers);
    assert_true(wrote > 0 && (size_t)wrote < sizeof line);
    assert_int_equal(system(line), 0);
}

static void network_export(const char *program, const Place *place, const char *commands)
{
    FILE *file = fopen(commands, "w");
    assert_non_null(file);
    fprintf(file, "export_net %s\n", place->path);
    assert_int_equal(fclose(file), 0);
    run(program, commands, "/dev/null");
}

TEST(it_evaluates_as_stockfish_does)
{
    const char *program = "/usr/games/stockfish";
    if (access(program, X_OK) != 0)
        skip();
    static Judge judge;
    Place place;
    TeacherNetwork *network;
    Error err = { 0 };
    char commands[PATH_SIZE], answers[PATH_SIZE], line[256];
    place_init(&place);
    snprintf(commands, PATH_SIZE, "%s/commands", place.folder);
    snprintf(answers, PATH_SIZE, "%s/answers", place.folder);
    network_export(program, &place, commands);
    if (!teacher_network_new(&network, place.path, &err)) {
        bool is_another_version = strstr(err.text, "no network of Stockfish 15.1") != NULL;
        unlink(commands);
        place_release(&place);
        if (is_another_version)
            skip();
        fail_msg("%s", err.text);
    }
    assert_string_equal(teacher_network_name(network), "nn-ad9b42354671.nnue");
    assert_true(teacher_evaluator_new(&judge.evaluator, network, &err));
    judge.commands = fopen(commands, "w");
    assert_non_null(judge.commands);
    fprintf(judge.commands, "setoption name UCI_Chess960 value true\n");
    game_set_play(3, 80, ask, &judge);
    fclose(judge.commands);
    assert_true(judge.asked > 100);
    run(program, commands, answers);

    FILE *file = fopen(answers, "r");
    assert_non_null(file);
    int answered = 0;
    double told;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "Final evaluation %lf (white side)", &told) != 1)
            continue;
        assert_true(answered < judge.asked);
        /* It shrinks by 195/211 with a fifty-move counter of zero, and prints hundredths. */
        double ours = judge.scores[answered] * 195.0 / 21100;
        if (ours - told > 0.02 || told - ours > 0.02)
            fail_msg("%s: %.3f, Stockfish %.2f", judge.fens[answered], ours, told);
        answered++;
    }
    assert_int_equal(answered, judge.asked);
    fclose(file);
    unlink(commands);
    unlink(answers);
    teacher_evaluator_free(judge.evaluator);
    teacher_network_free(network);
    place_release(&place);
}
