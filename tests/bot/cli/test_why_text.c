/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/why_text.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

enum { MOVES = 8 };

/* Before each move and after the last: White errs at 2 and 6, Black at 3. */
static const int scores[MOVES + 1] = { 15, 20, 25, -100, 150, 140, 130, -400, -390 };

typedef struct {
    GameRecord game;
    PositionEval evals[MOVES + 1];
    Buf text;
} Scene;

static int set_scene(void **state)
{
    Scene *scene = calloc(1, sizeof *scene);
    record_make(&scene->game, "abcdefgh", "alba", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    scene->game.time.increment_s = 0;
    scene->game.players[BLACK].rating = 0; /* nobody's moves are told */
    record_end(&scene->game, STATUS_MATE, BLACK, 1790000060000);
    for (size_t i = 0; i <= MOVES; i++)
        scene->evals[i].score = scores[i];
    memcpy(scene->evals[2].best, "b1c3", 5);
    memcpy(scene->evals[6].best, "e1g1", 5);
    buf_init(&scene->text, WHY_TEXT_MAX);
    *state = scene;
    return 0;
}

static int clear_scene(void **state)
{
    Scene *scene = *state;
    buf_release(&scene->text);
    record_release(&scene->game);
    free(scene);
    return 0;
}

static const char *write(Scene *scene)
{
    buf_reset(&scene->text);
    assert_true(why_text_write(&scene->text, &scene->game, scene->evals));
    return buf_view(&scene->text);
}

static void says(Scene *scene, const char *what)
{
    const char *text = write(scene);
    if (!strstr(text, what))
        fail_msg("no \"%s\" in:\n%s", what, text);
}

#define STAGED(test) TEST_IN(test, set_scene, clear_scene)

STAGED(the_engine_that_played_is_named)
{
    Scene *scene = *state;
    memcpy(scene->game.engine, "far: Stockfish 17 (3f2a91bc0d12)", 33);
    says(scene,
         " 4 moves\nC50 Italian Game: Giuoco Pianissimo, Normal\nplayed by far: Stockfish 17 "
         "(3f2a91bc0d12)\n");
    scene->game.strikes = 2;
    says(scene, "(3f2a91bc0d12), 2 strikes\n");
}

STAGED(a_game_is_told_whole)
{
    Scene *scene = *state;
    static const char expected[] =
        "abcdefgh  Castled-Bot (2240) - alba  0-1 mate\n"
        "rated blitz 3+0, 2026-09-21, 4 moves\n"
        "C50 Italian Game: Giuoco Pianissimo, Normal\n"
        "\n"
        "White |         |\n"
        "      |    ▁▁▁  |\n"
        " even |▅▅▅ ███  |\n"
        "      |███████  |\n"
        "Black |███████▇█|\n"
        "          ^   ^\n"
        "\n"
        "move              before    after   lost  by\n"
        "2. Nf3?            +0.25    -1.00   11 %  chess  we: Nc3 was best; our search saw -0.09"
        " at depth 14\n"
        "2... Nc6??         -1.00    +1.50   23 %  chess  they: another move was best\n"
        "4. d3??            +1.30    -4.00   43 %  chess  we: O-O was best; our search saw -0.89"
        " at depth 18\n"
        "\n"
        "                         accuracy  inaccuracies  mistakes  blunders  points lost by\n"
        "Castled-Bot";
    const char *text = write(scene);
    if (strncmp(text, expected, sizeof expected - 1) != 0)
        fail_msg("%s", text);
    says(scene, "\nWe lost by: chess\n");
}

/* Also one that let a mate in where nearly all was lost. */
STAGED(each_mark_has_its_row)
{
    Scene *scene = *state;
    int rows = 0, marks = 0;
    scene->evals[6].score = -1500;
    scene->evals[7].score = -(SCORE_MATE - 4);
    scene->evals[8].score = -(SCORE_MATE - 3);
    const char *text = write(scene);
    for (const char *at = text; (at = strstr(at, "  we: ")); at++)
        rows++;
    for (const char *at = text; (at = strchr(at, '^')); at++)
        marks++;
    assert_int_equal(marks, 2);
    assert_int_equal(rows, marks);
    says(scene, "4. d3?!           -15.00      #-2    0 %  chess  we: O-O was best");
    says(scene, "             1         1         0  chess 0.1");
    scene->evals[7].score = 1500;
    scene->evals[8].score = SCORE_MATE - 3;
    says(scene, "   0 %  chess  they: ");
}

STAGED(each_cause_is_told_with_its_figures)
{
    Scene *scene = *state;
    RecordMove *moves = scene->game.moves;
    moves[6].depth = 0;
    moves[6].nodes = 0;
    says(scene, "43 %  book   we: O-O was best; it came from a book or a web service\n");
    says(scene, "\nWe lost by: book\n");
    moves[6].nodes = 9;
    moves[4].clock_ms = 9400;
    moves[6].clock_ms = 9000;
    says(scene, "43 %  clock  we: O-O was best; 9.4 s were left\n");
    moves[4].clock_ms = 20000;
    says(scene, "43 %  fault  we: O-O was best; 10.4 s went to the line, 0.6 s to the search\n");
    moves[6].has_choice = false;
    moves[6].clock_ms = 19000;
    says(scene,
         "fault  we: O-O was best; nothing is known of its search: was castled started again?");
    scene->game.status = STATUS_OUTOFTIME;
    says(scene, "\nWe lost by: clock\n");
}

STAGED(a_game_without_mistakes_says_so)
{
    Scene *scene = *state;
    for (size_t i = 0; i <= MOVES; i++)
        scene->evals[i].score = 20;
    record_end(&scene->game, STATUS_DRAW, COLOUR_NONE, 1790000060000);
    says(scene, "\nNo move lost points.\n");
    says(scene, "100.0 %");
    assert_null(strstr(write(scene), "We lost by"));
}

STAGED(foreign_names_do_no_harm)
{
    Scene *scene = *state;
    memcpy(scene->game.players[BLACK].name, "\x1b[2J\xff", 6);
    assert_null(strchr(write(scene), '\x1b'));
    memcpy(scene->game.moves[3].uci, "e1e1", 5);
    says(scene, "2... e1e1??");
    memcpy(scene->game.moves[3].uci, "\x1b[2J", 5);
    says(scene, "2... \\u001b[2J??");
    memcpy(scene->game.id, "\x1b[2J", 5);
    says(scene, "\\u001b[2J  Castled-Bot");
    scene->game.count = 0;
    says(scene, "accuracy");
}

STAGED(a_full_buffer_fails)
{
    Scene *scene = *state;
    for (size_t most = 0; most < 600; most += 7) {
        Buf small;
        buf_init(&small, most);
        assert_false(why_text_write(&small, &scene->game, scene->evals));
        buf_release(&small);
    }
}

int main(void)
{
    return run_all_tests();
}

STAGED(how_many_people_play_a_move_is_told)
{
    Scene *scene = *state;
    scene->game.players[BLACK].rating = 1563;
    says(scene, " % of 1500s play it\n");
    memcpy(scene->game.moves[6].uci, "h2h4", 5); /* hardly anybody plays it */
    says(scene, " % of 1500s play it, ");
    scene->game.players[BLACK].rating = 2800;
    says(scene, " % of 1900s play it");
    memcpy(scene->game.moves[3].uci, "a1a1", 5); /* what comes after is not known */
    scene->game.players[BLACK].rating = 700;
    says(scene, " % of 1100s play it");
    if (strstr(write(scene), "43 %") && strstr(strstr(write(scene), "43 %"), "play it"))
        fail_msg("a move after an illegal one is told");
}
