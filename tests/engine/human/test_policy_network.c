/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_network.h"
#include "tests/support/chess.h"
#include "tests/support/policy_maker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The game of a UCI "position" command's words, its last position and its legal moves. */
typedef struct {
    HumanHistory history;
    Position pos;
    MoveList moves;
} Case;

static void case_of(Case *c, const char *words)
{
    char text[4096], *next = NULL;
    assert_true((size_t)snprintf(text, sizeof text, "%s", words) < sizeof text);
    char *moves = strstr(text, " moves ");
    if (moves)
        *moves = '\0';
    bool is_fen = strncmp(text, "fen ", 4) == 0;
    c->pos = position_in(is_fen ? text + 4 : FEN_START, FEN_LENIENT);
    human_history_init(&c->history, &c->pos, is_fen ? human_en_passant_of(text + 4) : SQUARE_NONE);
    for (char *word = moves ? strtok_r(moves + 7, " ", &next) : NULL; word;
         word = strtok_r(NULL, " ", &next)) {
        Undo undo;
        position_make(&c->pos, move_of(&c->pos, word), &undo);
        human_history_push(&c->history, &c->pos);
    }
    movegen_legal(&c->pos, &c->moves);
}

typedef struct {
    PolicyNetwork *network;
    PolicyRoom *room;
} Judge;

static Judge judge_of(const uint8_t *bytes, size_t size)
{
    Judge judge = { 0 };
    Error err = { 0 };
    if (!policy_read(&judge.network, bytes, size, &err) ||
        !policy_room_new(&judge.room, judge.network, &err))
        fail_msg("%s", err.text);
    return judge;
}

static void judge_free(Judge *judge)
{
    policy_room_free(judge->room);
    policy_free(judge->network);
}

static PolicyVerdict verdict_on(const Judge *judge, const char *words)
{
    Case c;
    PolicyVerdict verdict;
    case_of(&c, words);
    policy_evaluate(judge->network, judge->room, &c.history, &c.pos, &c.moves, 1500, &verdict);
    return verdict;
}

/* A line of reference.tsv: what Lc0 says. */
static void check_reference(const Judge *judge, char *line, double *worst, double *worst_value)
{
    char *fields[7], *next = line;
    for (int i = 0; i < 7; i++)
        fields[i] = strsep(&next, "\t");
    assert_non_null(fields[6]);
    Case c;
    PolicyVerdict verdict;
    case_of(&c, fields[1]);
    assert_int_equal(c.moves.count, atoi(fields[5]));
    policy_evaluate(judge->network, judge->room, &c.history, &c.pos, &c.moves, 1500, &verdict);
    double value = fabs((double)(verdict.win - verdict.loss) - strtod(fields[3], NULL));
    *worst_value = fmax(*worst_value, value);
    int first = 0, wanted_first = -1;
    for (int i = 1; i < c.moves.count; i++)
        first = verdict.probability[i] > verdict.probability[first] ? i : first;
    for (char *word; (word = strsep(&fields[6], " "));) {
        char *colon = strchr(word, ':');
        assert_non_null(colon);
        *colon = '\0';
        Move m = move_of(&c.pos, word);
        int i = 0;
        while (c.moves.moves[i] != m)
            i++;
        wanted_first = wanted_first < 0 ? i : wanted_first;
        double gap = fabs((double)verdict.probability[i] - strtod(colon + 1, NULL));
        *worst = fmax(*worst, gap);
        if (gap > 0.001)
            fail_msg("%s: %s: %s has %.4f", fields[0], fields[1], word,
                     (double)verdict.probability[i]);
    }
    float gap = verdict.probability[first] - verdict.probability[wanted_first];
    if (first != wanted_first && gap > 0.001F)
        fail_msg("%s: %s: another first move", fields[0], fields[1]);
}

TEST(maia_networks_judge_as_lc0_does)
{
    static char line[8192];
    FILE *file = fopen(SUITES_DIR "/maia/reference.tsv", "r");
    if (!file)
        skip();
    double worst = 0, worst_value = 0;
    int count = 0;
    Judge judges[3] = { { 0 } };
    for (int i = 0; i < 3; i++) {
        char path[sizeof SUITES_DIR + 64];
        Error err = { 0 };
        (void)snprintf(path, sizeof path, "%s/maia/maia-%d.pb.gz", SUITES_DIR, 1100 + 400 * i);
        if (!policy_load(&judges[i].network, path, &err) ||
            !policy_room_new(&judges[i].room, judges[i].network, &err))
            fail_msg("%s", err.text);
        assert_int_equal(policy_info(judges[i].network).training_steps, 400000);
    }
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char rating[8];
        if (sscanf(line, "%*[^\t]\t%*[^\t]\t%7s", rating) != 1)
            fail_msg("%s", line);
        check_reference(&judges[(atoi(rating) - 1100) / 400], line, &worst, &worst_value);
        count++;
    }
    (void)fclose(file);
    print_message("%d positions: probabilities within %.5f, values within %.5f\n", count, worst,
                  worst_value);
    assert_int_equal(count, 900);
    assert_true(worst_value < 0.0002);
    for (int i = 0; i < 3; i++)
        judge_free(&judges[i]);
}

TEST(every_set_of_instructions_gives_the_same)
{
    static const char *const games[] = { "startpos", "startpos moves e2e4 e7e5 g1f3",
                                         "fen 8/2P5/8/8/8/k7/8/K7 w - - 30 90" };
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 40, .blocks = 2, .seed = 5 });
    Judge judge = judge_of(file.bytes, file.size);
    PolicyVerdict first[3];
    const char *name = "";
    for (int n = 0; policy_force(judge.network, n); n++) {
        assert_string_not_equal(policy_info(judge.network).instructions, name);
        name = policy_info(judge.network).instructions;
        for (int i = 0; i < 3; i++) {
            PolicyVerdict v = verdict_on(&judge, games[i]);
            if (n == 0)
                first[i] = v;
            assert_true(fabsf(v.win - first[i].win) < 1e-4F);
            for (int m = 0; m < 4; m++)
                assert_true(fabsf(v.probability[m] - first[i].probability[m]) < 1e-4F);
        }
    }
    judge_free(&judge);
    policy_file_release(&file);
}

TEST(probabilities_and_chances_add_up)
{
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 1 });
    Judge judge = judge_of(file.bytes, file.size);
    PolicyVerdict v = verdict_on(&judge, "startpos moves e2e4");
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        assert_true(v.probability[i] > 0);
        sum += (double)v.probability[i];
    }
    assert_true(fabs(sum - 1) < 1e-5);
    assert_true(fabsf(v.win + v.draw + v.loss - 1) < 1e-5F);
    judge_free(&judge);
    policy_file_release(&file);
}

/* The colours changed, all but the plane of Black's turn is the same. */
TEST(both_colours_see_the_same_board)
{
    Case white, black;
    HumanPlane a[HUMAN_PLANES], b[HUMAN_PLANES];
    case_of(&white, "fen r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20");
    case_of(&black, "fen r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 20");
    human_planes(a, &white.history, &white.pos);
    human_planes(b, &black.history, &black.pos);
    for (int i = 0; i < HUMAN_PLANES; i++)
        if (i != 108 && (a[i].squares != b[i].squares || a[i].value != b[i].value))
            fail_msg("plane %d", i);
    assert_int_equal(a[108].squares, 0);
    assert_true(b[108].squares == ~0ULL);
}

TEST(the_past_is_seen_as_far_as_there_is_one)
{
    Case c;
    HumanPlane planes[HUMAN_PLANES];
    case_of(&c, "startpos moves e2e4 e7e5");
    human_planes(planes, &c.history, &c.pos);
    assert_true(planes[13 * 2].squares == 0xff00); /* our pawns at the start */
    assert_true(planes[13 * 3].squares == 0);      /* nothing was before it */
    case_of(&c, "fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2 moves e5d6");
    human_planes(planes, &c.history, &c.pos);
    /* Black looks on: his pawn on d5, and before that on d7, seen from the other side. */
    assert_true(planes[13].squares == 1ULL << 27);
    assert_true(planes[13 * 2].squares == 1ULL << 11);
    assert_true(planes[13 * 7].squares == 1ULL << 11);
    case_of(&c, "startpos moves g1f3 g8f6 f3g1 f6g8");
    human_planes(planes, &c.history, &c.pos);
    assert_true(planes[12].squares == ~0ULL);
    assert_true(planes[13 + 12].squares == 0);
    assert_true(planes[109].value == 4);
}

TEST(moves_have_their_places)
{
    static const struct {
        const char *fen, *move;
        int plane;
        const char *square;
    } rows[] = {
        { "8/8/8/8/3Q4/8/8/K1k5 w - - 0 1", "d4d8", 3, "d4" },
        { "8/8/8/8/3Q4/8/8/K1k5 w - - 0 1", "d4f6", 8, "d4" },
        { "8/8/8/8/3Q4/8/8/K1k5 w - - 0 1", "d4a7", 51, "d4" },
        { "8/8/8/8/3q4/8/8/1K1k4 b - - 0 1", "d4d8", 31, "d5" },
        { "8/8/8/8/3N4/8/8/K1k5 w - - 0 1", "d4e6", 56, "d4" },
        { "8/8/8/8/3N4/8/8/K1k5 w - - 0 1", "d4c6", 63, "d4" },
        { "3n4/4P3/8/8/8/8/8/K1k5 w - - 0 1", "e7e8q", 69, "e7" },
        { "3n4/4P3/8/8/8/8/8/K1k5 w - - 0 1", "e7d8r", 64, "e7" },
        { "3n4/4P3/8/8/8/8/8/K1k5 w - - 0 1", "e7e8n", 0, "e7" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 16, "e1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 45, "e1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        int wanted = rows[i].plane * 64 + (rows[i].square[1] - '1') * 8 + rows[i].square[0] - 'a';
        int index = human_output_index(&pos, move_of(&pos, rows[i].move));
        if (index != wanted)
            fail_msg("%s: plane %d, square %d", rows[i].move, index / 64, index % 64);
    }
}
