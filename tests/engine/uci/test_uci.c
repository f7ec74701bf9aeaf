/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/buf.h"
#include "engine/uci/command.h"
#include "engine/uci/options.h"
#include "engine/uci/protocol.h"
#include "tests/support/random_network.h"
#include "tests/support/chess.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static Tokens tokens_in(const char *text)
{
    return tokens_of(text, strlen(text));
}

TEST(tokens_are_split_at_blanks)
{
    Tokens tokens = tokens_in("  go\tdepth  7 \r\n");
    assert_true(token_is(tokens_peek(&tokens), "go"));
    assert_true(token_is(tokens_next(&tokens), "go"));
    assert_true(token_is(tokens_rest(&tokens), "depth  7"));
    assert_true(token_is(tokens_next(&tokens), "depth"));
    assert_true(token_is_nocase(tokens_next(&tokens), "7"));
    assert_int_equal(tokens_next(&tokens).len, 0);
    assert_int_equal(tokens_rest(&tokens).len, 0);
}

TEST(positions_are_read_with_their_moves)
{
    static const struct {
        const char *text, *fen;
        bool chess960;
        Ruleset ruleset;
    } rows[] = {
        { "startpos", FEN_START, false, RULES_STANDARD },
        { "startpos moves", FEN_START, false, RULES_STANDARD },
        { "startpos moves e2e4 e7e5 g1f3",
          "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", false, RULES_STANDARD },
        { "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1", false,
          RULES_STANDARD },
        { "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1", true,
          RULES_STANDARD },
        { "fen 4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", false,
          RULES_STANDARD },
        { "startpos moves e2e4 d7d5 e4d5 d8d5 P@e4",
          "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3", false,
          RULES_CRAZYHOUSE },
        { "fen 8/P7/8/8/8/8/8/7k w - - 0 1 moves a7a8k", "K7/8/8/8/8/8/8/7k b - - 0 1", false,
          RULES_ANTICHESS },
        { "fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +1+0 moves a1a8",
          "R3k3/8/8/8/8/8/8/4K3 b - - 1+3 1 1", false, RULES_THREE_CHECK },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos;
        HumanHistory history;
        Error err = { 0 };
        if (!command_read_position(tokens_in(rows[i].text), rows[i].ruleset, rows[i].chess960, &pos,
                                   &history, &err))
            fail_msg("%s: %s", rows[i].text, err.text);
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        assert_string_equal(fen, rows[i].fen);
    }
}

TEST(bad_positions_are_refused_by_name)
{
    static const struct {
        const char *text, *message; /* a part of it */
    } rows[] = {
        { "", "startpos or fen expected" },
        { "nonsense", "\"nonsense\"" },
        { "startpos e2e4", "\"e2e4\": moves expected" },
        { "startpos moves e2e5", "move 1: " },
        { "startpos moves e2e4 e7e5 e4e5", "move 3: " },
        { "startpos moves e2e4 moves", "move 2: " },
        { "fen", "position: " },
        { "fen 8/8/8/8/8/8/8/8 w - - 0 1", "position: " },
        { "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "position: " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = { .ply = 4711 };
        HumanHistory history;
        Error err = { 0 };
        assert_false(command_read_position(tokens_in(rows[i].text), RULES_STANDARD, false, &pos,
                                           &history, &err));
        assert_int_equal(pos.ply, 4711);
        if (!strstr(err.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.text);
    }
    enum { LONG = 100000 };
    char *text = malloc(LONG);
    assert_non_null(text);
    memset(text, '8', LONG);
    memcpy(text, "fen ", 4);
    Position pos;
    HumanHistory history;
    Error err = { 0 };
    assert_false(
        command_read_position(tokens_of(text, LONG), RULES_STANDARD, false, &pos, &history, &err));
    free(text);
}

TEST(limits_are_read_in_any_order)
{
    Position pos = position_of(FEN_START);
    GoCommand go;
    assert_true(command_read_go(
        tokens_in("winc 10 binc 20 movestogo 7 btime 900 searchmoves e2e4 d2d4 ponder wtime -5"),
        &pos, &go, NULL));
    assert_true(go.limits.has_clock && go.limits.ponder && !go.limits.infinite);
    assert_int_equal(go.limits.time_ms[WHITE], -5);
    assert_int_equal(go.limits.time_ms[BLACK], 900);
    assert_int_equal(go.limits.increment_ms[WHITE], 10);
    assert_int_equal(go.limits.increment_ms[BLACK], 20);
    assert_int_equal(go.limits.moves_to_go, 7);
    assert_int_equal(go.limits.search_move_count, 2);
    assert_true(command_read_go(tokens_in("depth 5 nodes 123456789012 mate 3 movetime 77 infinite"),
                                &pos, &go, NULL));
    assert_int_equal(go.limits.depth, 5);
    assert_true(go.limits.nodes == 123456789012);
    assert_int_equal(go.limits.mate, 3);
    assert_int_equal(go.limits.movetime_ms, 77);
    assert_true(go.limits.infinite && !go.limits.has_clock);
    assert_true(command_read_go(tokens_in("perft 3"), &pos, &go, NULL));
    assert_int_equal(go.perft_depth, 3);
}

TEST(bad_limits_are_named_and_the_rest_counts)
{
    static const struct {
        const char *text, *message;
        SearchLimits limits;
    } rows[] = {
        { "depth", "go depth: ", { .depth = 1 } },
        { "depth infinite", "go depth: \"\"", { .depth = 1, .infinite = true } },
        { "depth x", "go depth: \"x\"", { .depth = 1 } },
        { "depth 0", "go depth: ", { .depth = 1 } },
        { "depth -3 nodes 7", "go depth: ", { .depth = 1, .nodes = 7 } },
        { "movetime 0", "go movetime: ", { .movetime_ms = 1 } },
        { "nodes 0", "go nodes: ", { .nodes = 1 } },
        { "nodes 99999999999999999999", "go nodes: ", { .nodes = INT64_MAX } },
        { "winc -1 winc x", "go winc: -1", { .has_clock = true } },
        { "wtime 1000 btime 1e3",
          "go btime: ",
          { .has_clock = true, .time_ms = { 1000, -(INT64_C(1) << 40) } } },
        { "searchmoves", "go searchmoves: no moves", { 0 } },
        { "searchmoves e2e5 depth 3", "go searchmoves: ", { .depth = 3 } },
        { "searchmoves infinite", "go searchmoves: no moves", { .infinite = true } },
        { "fast depth 2", "go: unknown word \"fast\"", { .depth = 2 } },
        { "infinite 5", "go: unknown word \"5\"", { .infinite = true } },
    };
    Position pos = position_of(FEN_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GoCommand go;
        Error err = { 0 };
        assert_false(command_read_go(tokens_in(rows[i].text), &pos, &go, &err));
        if (!strstr(err.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.text);
        if (memcmp(&go.limits, &rows[i].limits, sizeof go.limits) != 0)
            fail_msg("%s: other limits", rows[i].text);
    }
}

TEST(illegal_searchmoves_are_left_out)
{
    Position pos = position_of(FEN_START);
    GoCommand go;
    Error err = { 0 };
    assert_false(command_read_go(tokens_in("searchmoves e2e5 e2e4 nonsense"), &pos, &go, &err));
    assert_non_null(strstr(err.text, "e2e5"));
    assert_int_equal(go.limits.search_move_count, 1);
    assert_int_equal(go.limits.search_moves[0], move_make(12, 28, MOVE_DOUBLE_PUSH));
}

TEST(options_are_set_and_checked)
{
    static const struct {
        const char *text, *message; /* NULL: accepted */
        OptionEffect effect;
    } rows[] = {
        { "name Hash value 64", NULL, OPTION_ENGINE },
        { "name hash value 1", NULL, OPTION_ENGINE },
        { "name Move Overhead value 250", NULL, OPTION_ENGINE },
        { "name UCI_Chess960 value true", NULL, OPTION_PROTOCOL },
        { "name UCI_LimitStrength value true", NULL, OPTION_RATING },
        { "name UCI_Elo value 1500", NULL, OPTION_RATING },
        { "name Style value Human", NULL, OPTION_PROTOCOL },
        { "name Style value wild", "setoption Style: \"wild\" is neither engine nor human", 0 },
        { "name HumanChoice value likeliest", NULL, OPTION_PROTOCOL },
        { "name HumanFile value /maia 1100.pb.gz", NULL, OPTION_HUMAN },
        { "name UCI_Elo value 599", "setoption UCI_Elo: ", 0 },
        { "name UCI_Variant value kingofthehill", NULL, OPTION_VARIANT },
        { "name UCI_Variant value Chess", NULL, OPTION_VARIANT },
        { "name UCI_Variant value shogi", "setoption UCI_Variant: no variant \"shogi\"", 0 },
        { "name Clear Hash", NULL, OPTION_CLEAR },
        { "name SyzygyPath value /a/b:/c d", NULL, OPTION_TABLEBASE },
        { "name SyzygyPath value <empty>", NULL, OPTION_TABLEBASE },
        { "name EvalFile value /a b.nnue", NULL, OPTION_NETWORK },
        { "name EvalFile value <empty>", NULL, OPTION_NETWORK },
        { "name Hash value 0", "setoption Hash: ", 0 },
        { "name Hash value", "setoption Hash: ", 0 },
        { "name Hash", "setoption Hash: ", 0 },
        { "name Threads value many", "setoption Threads: ", 0 },
        { "name Threads value 100000", "setoption Threads: ", 0 },
        { "name UCI_Chess960 value maybe", "neither true nor false", 0 },
        { "name Contempt value -30", NULL, OPTION_PROTOCOL },
        { "name Contempt value 251", "setoption Contempt: ", 0 },
        { "name Optimism value 3", "no option \"Optimism\"", 0 },
        { "name", "name is missing", 0 },
        { "name value 3", "name is missing", 0 },
        { "Hash 3", "\"name\" expected", 0 },
        { "", "\"name\" expected", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        UciOptions options = UCI_OPTIONS_DEFAULT;
        OptionEffect effect;
        Error err = { 0 };
        bool ok = options_set(&options, tokens_in(rows[i].text), &effect, &err);
        if (ok != !rows[i].message || (ok && effect != rows[i].effect) ||
            (!ok && !strstr(err.text, rows[i].message)))
            fail_msg("%s: %d %s", rows[i].text, ok, err.text);
    }
    UciOptions options = UCI_OPTIONS_DEFAULT;
    OptionEffect effect;
    assert_true(options_set(&options, tokens_in("name Move Overhead value 250"), &effect, NULL));
    assert_int_equal(options.engine.overhead_ms, 250);
    assert_true(options_set(&options, tokens_in("name Ponder value true"), &effect, NULL));
    assert_true(options.ponder);
    assert_true(options_set(&options, tokens_in("name SyzygyPath value /a b:/c "), &effect, NULL));
    assert_string_equal(options.syzygy_path, "/a b:/c");
}

/* A session's output, and a way to wait for a word in it. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Buf text;
} Screen;

static void on_text(void *user, const char *text)
{
    Screen *screen = user;
    pthread_mutex_lock(&screen->lock);
    bool ok = buf_put_text(&screen->text, text);
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    if (!ok)
        abort();
}

static void screen_init(Screen *screen)
{
    pthread_mutex_init(&screen->lock, NULL);
    pthread_cond_init(&screen->changed, NULL);
    buf_init(&screen->text, 1 << 24);
}

/* Waits for the text to appear, holds what came before it, or with it, against `seen`, and forgets
 * everything up to now. */
static void wait_and_see(Screen *screen, const char *text, const char *seen)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 60;
    pthread_mutex_lock(&screen->lock);
    int late = 0;
    while (!strstr(buf_view(&screen->text), text) && !late)
        late = pthread_cond_timedwait(&screen->changed, &screen->lock, &deadline);
    if (late)
        fail_msg("no \"%s\" in: %s", text, buf_view(&screen->text));
    if (!strstr(buf_view(&screen->text), seen))
        fail_msg("no \"%s\" in: %s", seen, buf_view(&screen->text));
    buf_reset(&screen->text);
    pthread_mutex_unlock(&screen->lock);
}

static void wait_for(Screen *screen, const char *text)
{
    wait_and_see(screen, text, "");
}

static void tell(Uci *uci, const char *line)
{
    assert_true(uci_handle(uci, line, strlen(line)));
}

static Uci *session_on(Screen *screen)
{
    Uci *uci = NULL;
    screen_init(screen);
    assert_true(uci_new(&uci, on_text, screen, NULL));
    return uci;
}

TEST(session_answers_in_form)
{
    static const struct {
        const char *line, *answer;
    } rows[] = {
        { "uci", "info string " ENGINE_ORIGIN "\n" },
        { "uci", "uciok\n" },
        { "isready", "readyok\n" },
        { "position startpos moves e2e4", NULL },
        { "d", "FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" },
        { "eval", "info string static evaluation " },
        { "go perft 2", "Nodes searched: 600\n" },
        { "go depth 3", "bestmove " },
        { "ucinewgame", NULL },
        { "setoption name Threads value 2", NULL },
        { "setoption name Hash value 2", NULL },
        { "setoption name MultiPV value 2", NULL },
        { "go nodes 2000", "bestmove " },
        { "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NULL },
        { "go depth 3", "bestmove 0000\n" },
        { "position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", NULL },
        { "eval", "in check" },
        { "go infinite", NULL },
        { "stop", "bestmove 0000\n" },
        { "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", NULL },
        { "go perft 1", "Nodes searched: 21\n" },
        { "", NULL },
        { "   \t", NULL },
        { "stop", NULL },
        { "ponderhit", NULL },
        { "setoption name SyzygyPath value /nowhere", "info string error: setoption SyzygyPath: " },
        { "setoption name EvalFile value /nowhere", "info string error: setoption EvalFile: " },
        { "xyzzy", "info string error: unknown command \"xyzzy\"\n" },
        { "go fast depth 1", "info string error: go: unknown word \"fast\"" },
        { "go depth 0", "bestmove " },
        { "go movetime 0", "bestmove " },
        { "position startpos moves e2e5", "info string error: position: move 1: " },
        { "go depth 3", "bestmove 0000\n" },
        { "go perft 1", "bestmove 0000\n" },
        { "position startpos moves e2e4 e7e5 f2f4 e5f4", NULL },
        { "go depth 3 searchmoves g1f3", "bestmove g1f3" },
        { "setoption name Foo value 1", "info string error: setoption: no option \"Foo\"" },
        { "a\x01\x7f"
          "b",
          "info string error: unknown command \"a??b\"\n" },
        { "isready", "readyok\n" },
    };
    Screen screen;
    Uci *uci = session_on(&screen);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tell(uci, rows[i].line);
        if (rows[i].answer)
            wait_for(&screen, rows[i].answer);
    }
    assert_false(uci_handle(uci, "quit", 4));
    uci_free(uci);
    buf_release(&screen.text);
}

/* "nps N" of each line, which was a multiple of 1000 once. */
TEST(nodes_a_second_are_not_rounded)
{
    Screen screen;
    Uci *uci = session_on(&screen);
    tell(uci, "go depth 12");
    pthread_mutex_lock(&screen.lock);
    while (!strstr(buf_view(&screen.text), "bestmove"))
        pthread_cond_wait(&screen.changed, &screen.lock);
    int lines = 0, round = 0;
    for (const char *at = buf_view(&screen.text); (at = strstr(at, " nps ")) != NULL; lines++) {
        at += strlen(" nps ");
        round += strtoull(at, NULL, 10) % 1000 == 0;
    }
    pthread_mutex_unlock(&screen.lock);
    assert_true(lines >= 12);
    assert_true(round < lines / 2);
    uci_free(uci);
    buf_release(&screen.text);
}

TEST(commands_during_a_search_behave)
{
    Screen screen;
    Uci *uci = session_on(&screen);
    tell(uci, "go infinite");
    static const char *const refused[] = { "go depth 1", "position startpos", "ucinewgame",
                                           "setoption name Hash value 4" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        tell(uci, refused[i]);
        wait_for(&screen, "a search is running, stop it first\n");
    }
    tell(uci, "isready");
    wait_for(&screen, "readyok\n");
    tell(uci, "stop");
    tell(uci, "position startpos moves d2d4"); /* not refused: the end is near */
    tell(uci, "go depth 2");
    wait_for(&screen, "bestmove ");
    tell(uci, "go ponder wtime 1000 btime 1000");
    tell(uci, "ponderhit");
    wait_for(&screen, "bestmove ");
    tell(uci, "go infinite");
    uci_free(uci); /* as "quit" does */
    wait_for(&screen, "bestmove ");
    buf_release(&screen.text);
}

/* The network's evaluation answers while it is set, and the old one when it is gone; a file that
 * is refused changes nothing. */
TEST(evaluation_follows_the_file)
{
    char path[] = "/tmp/castled-network-XXXXXX", command[96];
    size_t size;
    uint8_t *bytes = random_network_file(1, 64, 8, &size);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
    free(bytes);
    int length = snprintf(command, sizeof command, "setoption name EvalFile value %s", path);
    assert_true(length > 0 && (size_t)length < sizeof command);

    const char *const asked[] = { "setoption name EvalFile value <empty>", command,
                                  "setoption name EvalFile value /nowhere",
                                  "setoption name EvalFile value <empty>" };
    char answers[4][sizeof((Error *)0)->text];
    Screen screen;
    Uci *uci = session_on(&screen);
    for (int i = 0; i < 4; i++) {
        tell(uci, asked[i]);
        tell(uci, "eval");
        const char *at = strstr(buf_view(&screen.text), "static evaluation");
        assert_non_null(at);
        (void)snprintf(answers[i], sizeof answers[i], "%s", at);
        tell(uci, "go depth 4");
        wait_for(&screen, "bestmove ");
    }
    unlink(path);
    assert_string_not_equal(answers[0], answers[1]);
    assert_string_equal(answers[1], answers[2]);
    assert_string_equal(answers[0], answers[3]);
    uci_free(uci);
    buf_release(&screen.text);
}

/* A file of a variant's network changes that variant alone. */
TEST(evaluation_of_a_variant_follows_its_own_file)
{
    char path[] = "/tmp/castled-network-XXXXXX", command[96];
    size_t size;
    uint8_t *bytes = random_network_file_of(variant_network_shape(RULES_ATOMIC, 64, 8), 1, &size);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
    free(bytes);
    int length = snprintf(command, sizeof command, "setoption name EvalFile value %s", path);
    assert_true(length > 0 && (size_t)length < sizeof command);

    static const char *const variants[] = { "chess", "atomic", "crazyhouse" };
    char before[3][sizeof((Error *)0)->text], after[sizeof((Error *)0)->text];
    Screen screen;
    Uci *uci = session_on(&screen);
    for (int i = 0; i < 6; i++) {
        char variant[64];
        (void)!snprintf(variant, sizeof variant, "setoption name UCI_Variant value %s",
                        variants[i % 3]);
        if (i == 3)
            tell(uci, command);
        tell(uci, variant);
        tell(uci, "position startpos moves g1f3");
        buf_reset(&screen.text);
        tell(uci, "eval");
        const char *at = strstr(buf_view(&screen.text), "static evaluation");
        assert_non_null(at);
        (void)!snprintf(i < 3 ? before[i] : after, sizeof after, "%s", at);
        if (i >= 3 && i % 3 == 1)
            assert_string_not_equal(after, before[i % 3]);
        else if (i >= 3)
            assert_string_equal(after, before[i % 3]);
    }
    unlink(path);
    uci_free(uci);
    buf_release(&screen.text);
}

/* A change of the rules begins a game by them; the same rules once more do not. */
TEST(variants_are_searched_by_their_rules)
{
    Screen screen;
    Uci *uci = session_on(&screen);
    tell(uci, "setoption name UCI_Variant value racingkings");
    tell(uci, "position startpos moves e1c2");
    tell(uci, "setoption name UCI_Variant value racingkings");
    tell(uci, "d");
    wait_for(&screen, "FEN 8/8/8/8/8/8/krNnNBRK/qrbn1BRQ b - - 0 1");
    tell(uci, "setoption name UCI_Variant value antichess");
    tell(uci, "d");
    wait_for(&screen, "FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    tell(uci, "position fen 8/8/8/8/1p6/8/P7/8 w - - 0 1");
    tell(uci, "go depth 4");
    wait_and_see(&screen, "bestmove", "score mate 1 ");
    tell(uci, "position fen 8/8/8/8/8/1p6/P7/8 w - - 0 1");
    tell(uci, "go depth 4");
    wait_and_see(&screen, "bestmove a2b3", "score mate -1 ");
    uci_free(uci);
    buf_release(&screen.text);
}

TEST(castling_is_written_as_the_game_wants)
{
    Screen screen;
    Uci *uci = session_on(&screen);
    tell(uci, "position fen 8/8/8/8/8/8/7k/R3K3 w Q - 0 1");
    tell(uci, "go depth 1 searchmoves e1c1");
    wait_for(&screen, "bestmove e1c1");
    tell(uci, "setoption name UCI_Chess960 value true");
    tell(uci, "position fen 8/8/8/8/8/8/7k/R3K3 w Q - 0 1");
    tell(uci, "go depth 1 searchmoves e1a1");
    wait_for(&screen, "bestmove e1a1");
    uci_free(uci);
    buf_release(&screen.text);
}
