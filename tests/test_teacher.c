/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher.h"

#include "tests/chess.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 128, SILENCE_S = 1 };

/* A UCI engine in shell. It records its input; GO is what it does on "go". */
#define ENGINE(NAME, GO)                                                                           \
    "#!/bin/sh\n"                                                                                  \
    "case $1 in bench) echo 'Nodes searched  : 858555' >&2; exit;; esac\n"                         \
    "echo $$ > \"$0.pid\"\n"                                                                       \
    "while read -r line; do\n"                                                                     \
    "  echo \"$line\" >> \"$0.log\"\n"                                                             \
    "  case $line in\n"                                                                            \
    "  uci) echo 'id name " NAME "'; echo 'id author nobody'\n"                                    \
    "    echo 'option name EvalFile type string default nn-test.nnue'; echo uciok;;\n"             \
    "  isready) echo readyok;;\n"                                                                  \
    "  go*) " GO ";;\n"                                                                            \
    "  esac\n"                                                                                     \
    "done\n"

typedef struct {
    char folder[64], path[PATH_SIZE], log[PATH_SIZE], pid[PATH_SIZE];
} Program;

static void program_init(Program *program, const char *script)
{
    snprintf(program->folder, sizeof program->folder, "/tmp/castled-teacher-XXXXXX");
    assert_non_null(mkdtemp(program->folder));
    snprintf(program->path, PATH_SIZE, "%s/engine", program->folder);
    snprintf(program->log, PATH_SIZE, "%s/engine.log", program->folder);
    snprintf(program->pid, PATH_SIZE, "%s/engine.pid", program->folder);
    FILE *file = fopen(program->path, "w");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(program->path, 0700), 0);
}

static void program_release(const Program *program)
{
    unlink(program->path);
    unlink(program->log);
    unlink(program->pid);
    assert_int_equal(rmdir(program->folder), 0);
}

static TeacherOptions options_of(const Program *program)
{
    return (TeacherOptions){
        .path = program->path, .nodes = 200, .hash_mib = 4, .silence_s = SILENCE_S
    };
}

static Teacher *teacher_of(const Program *program)
{
    TeacherOptions options = options_of(program);
    Teacher *teacher = NULL;
    Error err = { 0 };
    if (!teacher_new(&teacher, &options, &err))
        fail_msg("%s", err.text);
    return teacher;
}

/* A teacher with its program, and a position to ask it about. */
typedef struct {
    Program program;
    Teacher *teacher;
    Position pos;
    TeacherAnswer answer;
    Error err;
} Session;

static void session_init(Session *s, const char *script, const char *fen)
{
    *s = (Session){ .pos = position_of(fen) };
    program_init(&s->program, script);
    s->teacher = teacher_of(&s->program);
}

static void session_release(Session *s)
{
    teacher_free(s->teacher);
    program_release(&s->program);
}

static void begin_game(Session *s)
{
    if (!teacher_begin_game(s->teacher, &s->pos, &s->err))
        fail_msg("%s", s->err.text);
}

static void play_move(Session *s, const char *uci)
{
    Position before = s->pos;
    Move m = play(&s->pos, uci);
    assert_true(teacher_play(s->teacher, &before, m, &s->pos, &s->err));
}

static void ask(Session *s)
{
    if (!teacher_ask(s->teacher, &s->pos, &s->answer, &s->err))
        fail_msg("%s", s->err.text);
}

#define HEARD_FIRST                                                                                \
    "uci\nsetoption name Threads value 1\nsetoption name Hash value 4\n"                           \
    "setoption name MultiPV value 1\n"

/* Ends the teacher and compares what the engine has read after HEARD_FIRST. */
static void assert_heard(Session *s, const char *expected)
{
    char heard[4096] = "";
    teacher_free(s->teacher);
    s->teacher = NULL;
    FILE *file = fopen(s->program.log, "r");
    assert_non_null(file);
    heard[fread(heard, 1, sizeof heard - 1, file)] = 0;
    fclose(file);
    assert_memory_equal(heard, HEARD_FIRST, strlen(HEARD_FIRST));
    assert_string_equal(heard + strlen(HEARD_FIRST), expected);
}

static void an_answer_is_the_last_score_for_white(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fen, *go;
        int score, mate;
    } rows[] = {
        { "white to move", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "echo info depth 1 score cp 10 pv e2e4; echo info depth 2 score cp 31 nodes 9 pv e2e4; "
          "echo bestmove e2e4",
          31, 0 },
        { "black to move", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1",
          "echo info depth 1 score cp 31 pv e7e6; echo bestmove e7e6 ponder e1e2", -31, 0 },
        { "a bound is kept", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "echo info depth 1 score cp 10; echo info depth 2 score cp -6 upperbound; "
          "echo bestmove e2e4",
          -6, 0 },
        { "other lines are not looked at", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "echo info depth 2 multipv 1 score cp 5; echo info depth 2 multipv 2 score cp -90; "
          "echo info string score cp 77; echo bestmove e2e4",
          5, 0 },
        { "a mate is no score", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "echo info depth 1 score cp 10; echo info depth 2 score mate 3; echo bestmove e2e4",
          ARCHIVE_NO_SCORE, 1 },
        { "a mate against the mover", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1",
          "echo info depth 2 score mate -1; echo bestmove e7e6", ARCHIVE_NO_SCORE, 1 },
        { "no score at all", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "echo bestmove e2e4",
          ARCHIVE_NO_SCORE, 0 },
        { "damping undone: 155 / 195 was left", "4k3/8/8/8/8/8/4P3/4K3 w - - 40 50",
          "echo info depth 1 score cp 155; echo bestmove e2e4", 195, 0 },
        { "damping undone for Black", "4k3/4p3/8/8/8/8/8/4K3 b - - 20 50",
          "echo info depth 1 score cp 175; echo bestmove e7e6", -195, 0 },
        { "beyond the archive's limit", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
          "echo info depth 1 score cp 99999; echo bestmove e2e4", ARCHIVE_SCORE_MAX, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char script[2048];
        Session s;
        snprintf(script, sizeof script, ENGINE("Stockfish 15.1", "%s"), rows[i].go);
        session_init(&s, script, rows[i].fen);
        begin_game(&s);
        ask(&s);
        if (s.answer.score != rows[i].score || s.answer.mate != rows[i].mate)
            fail_msg("%s: %d, mate %d", rows[i].name, s.answer.score, s.answer.mate);
        session_release(&s);
    }
}

static void only_known_engines_are_undamped(void **state)
{
    (void)state;
    TeacherIdentity stranger = { .name = "Stranger" }, known = { .name = "Stockfish 15.1" };
    Position pos = position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 40 50");
    assert_int_equal(teacher_white_score(&stranger, &pos, 40, 155), 155);
    assert_int_equal(teacher_white_score(&known, &pos, 40, 155), 195);
    assert_int_equal(teacher_white_score(&known, &pos, 0, 155), 155);
}

static void a_game_is_sent_from_its_last_irreversible_move(void **state)
{
    (void)state;
    Session s;
    session_init(&s, ENGINE("T", "echo bestmove b8c6"), FEN_START);
    begin_game(&s);
    play_move(&s, "e2e4");
    play_move(&s, "g8f6");
    play_move(&s, "g1f3");
    ask(&s);
    assert_heard(&s, "ucinewgame\nisready\n"
                     "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 "
                     "moves g8f6 g1f3\ngo nodes 200\n");
    session_release(&s);
}

static void chess960_is_sent_as_such(void **state)
{
    (void)state;
    Session s;
    session_init(&s, ENGINE("T", "echo bestmove e8e7"), "4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1");
    begin_game(&s);
    play_move(&s, "f1b1");
    ask(&s);
    s.pos = position_of(FEN_START);
    begin_game(&s);
    assert_heard(&s, "setoption name UCI_Chess960 value true\nucinewgame\nisready\n"
                     "position fen 4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1 moves f1b1\n"
                     "go nodes 200\n"
                     "setoption name UCI_Chess960 value false\nucinewgame\nisready\n");
    session_release(&s);
}

static void a_position_alone_is_asked_about_at_counter_zero(void **state)
{
    (void)state;
    Session s;
    session_init(&s, ENGINE("Stockfish 15.1", "echo info score cp 20; echo bestmove e2e4"),
                 "4k3/8/8/8/8/8/4P3/4K3 w - - 30 50");
    if (!teacher_ask_alone(s.teacher, &s.pos, &s.answer, &s.err))
        fail_msg("%s", s.err.text);
    assert_int_equal(s.answer.score, 20);
    assert_heard(&s, "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 50\ngo nodes 200\n");
    session_release(&s);
}

static void an_engine_that_goes_wrong_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *go, *text;
    } rows[] = {
        { "exit", "has ended" },
        { ":", "silent for 1 s" },
        { "echo bestmove e2e5", "e2e5" },
        { "echo bestmove '(none)'", "(none)" },
        { "echo bestmove", "" },
        { "yes info depth 1", "no \"bestmove\"" },
        { "yes info depth 1 | tr -d '\\n'", "a line longer" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char script[2048];
        Session s;
        snprintf(script, sizeof script, ENGINE("T", "%s"), rows[i].go);
        session_init(&s, script, FEN_START);
        begin_game(&s);
        if (teacher_ask(s.teacher, &s.pos, &s.answer, &s.err))
            fail_msg("%s: an answer", rows[i].go);
        if (!strstr(s.err.text, rows[i].text))
            fail_msg("%s: %s", rows[i].go, s.err.text);
        session_release(&s);
    }
}

static void a_program_that_is_no_engine_is_refused(void **state)
{
    (void)state;
    static const char *const paths[] = { "/nonexistent/engine", "/bin/true", "/bin/cat" };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        TeacherOptions options = {
            .path = paths[i], .nodes = 200, .hash_mib = 4, .silence_s = SILENCE_S
        };
        Teacher *teacher = NULL;
        Error err = { 0 };
        assert_false(teacher_new(&teacher, &options, &err));
        assert_non_null(strstr(err.text, paths[i]));
        assert_null(teacher);
    }
}

static void a_known_engine_is_held_to_its_bench(void **state)
{
    (void)state;
    Program program, silent;
    Error err = { 0 };
    TeacherIdentity known = { .name = "Stockfish 15.1" }, stranger = { .name = "Stranger" };
    uint64_t nodes = 1;
    program_init(&program, ENGINE("Stockfish 15.1", ":"));
    program_init(&silent, "#!/bin/sh\n");
    assert_true(teacher_bench(program.path, &known, &nodes, &err));
    assert_int_equal(nodes, 858555);
    assert_true(teacher_bench(silent.path, &stranger, &nodes, &err));
    assert_int_equal(nodes, 0);
    assert_false(teacher_bench(silent.path, &known, &nodes, &err));
    assert_non_null(strstr(err.text, "858555"));
    program_release(&program);
    program_release(&silent);
}

static bool count_and_ask(Teacher *teacher, void *user, Error *err)
{
    int *tries = user;
    Position pos = position_of(FEN_START);
    TeacherAnswer answer;
    ++*tries;
    return teacher_begin_game(teacher, &pos, err) && teacher_ask(teacher, &pos, &answer, err);
}

static void a_dead_engine_is_started_again(void **state)
{
    (void)state;
    Program program;
    Error err = { 0 };
    Teacher *teacher = NULL;
    atomic_ullong restarts = 0;
    int tries = 0;
    /* Dies in its first life only. */
    program_init(&program, ENGINE("T", "[ -e \"$0.log.died\" ] || { : > \"$0.log.died\"; exit; }; "
                                       "echo bestmove e2e4"));
    TeacherOptions options = options_of(&program);
    if (!teacher_run(&teacher, &options, count_and_ask, &tries, &restarts, &err))
        fail_msg("%s", err.text);
    assert_int_equal(tries, 2);
    assert_int_equal(restarts, 1);
    teacher_free(teacher);
    char died[PATH_SIZE + 8];
    snprintf(died, sizeof died, "%s.died", program.log);
    unlink(died);
    program_release(&program);
}

static void an_engine_that_always_dies_is_given_up(void **state)
{
    (void)state;
    Program program;
    Error err = { 0 };
    Teacher *teacher = NULL;
    atomic_ullong restarts = 0;
    int tries = 0;
    program_init(&program, ENGINE("T", "exit"));
    TeacherOptions options = options_of(&program);
    assert_false(teacher_run(&teacher, &options, count_and_ask, &tries, &restarts, &err));
    assert_int_equal(tries, TEACHER_TRIES);
    assert_null(teacher);
    program_release(&program);
}

static void *continue_later(void *user)
{
    const Program *program = user;
    int pid = 0;
    usleep((SILENCE_S * 1000 + 1500) * 1000);
    FILE *file = fopen(program->pid, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    kill(pid, SIGCONT);
    return NULL;
}

static void a_stopped_engine_is_waited_for(void **state)
{
    (void)state;
    Session s;
    pthread_t thread;
    session_init(&s, ENGINE("T", "kill -STOP $$; echo bestmove e2e4"), FEN_START);
    begin_game(&s);
    assert_int_equal(pthread_create(&thread, NULL, continue_later, &s.program), 0);
    ask(&s);
    pthread_join(thread, NULL);
    session_release(&s);
}

static void scores_are_read_from_info_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool is_read, is_mate;
        int value;
    } rows[] = {
        { "info depth 5 seldepth 2 multipv 1 score cp -10 upperbound nodes 250 pv e7e5", true,
          false, -10 },
        { "info score mate -3", true, true, -3 },
        { "  info\tscore  cp   7\r", true, false, 7 },
        { "info score cp", false, false, 0 },
        { "info score cp x", false, false, 0 },
        { "info score cp 99999999999999999999", false, false, 0 },
        { "info score wdl 1 2 3", false, false, 0 },
        { "info string score cp 5", false, false, 0 },
        { "info pv score cp 5", false, false, 0 },
        { "info multipv 2 score cp 5", false, false, 0 },
        { "information score cp 5", false, false, 0 },
        { "", false, false, 0 },
        { "info", false, false, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TeacherScore score = { .value = 0 };
        bool is_read = teacher_read_score(text_of(rows[i].line), &score);
        if (is_read != rows[i].is_read || score.is_mate != rows[i].is_mate ||
            score.value != rows[i].value)
            fail_msg("'%s': %d, %lld", rows[i].line, is_read, (long long)score.value);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_the_last_score_for_white),
        cmocka_unit_test(only_known_engines_are_undamped),
        cmocka_unit_test(a_game_is_sent_from_its_last_irreversible_move),
        cmocka_unit_test(chess960_is_sent_as_such),
        cmocka_unit_test(a_position_alone_is_asked_about_at_counter_zero),
        cmocka_unit_test(an_engine_that_goes_wrong_is_an_error),
        cmocka_unit_test(a_program_that_is_no_engine_is_refused),
        cmocka_unit_test(a_known_engine_is_held_to_its_bench),
        cmocka_unit_test(a_dead_engine_is_started_again),
        cmocka_unit_test(an_engine_that_always_dies_is_given_up),
        cmocka_unit_test(a_stopped_engine_is_waited_for),
        cmocka_unit_test(scores_are_read_from_info_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
