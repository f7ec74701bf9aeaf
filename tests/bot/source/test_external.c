/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external.h"
#include "bot/model/variant_start.h"
#include "bot/child/child_launch.h"
#include "bot/child/child_secrets.h"
#include "engine/base/clock.h"
#include "tests/support/chess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 /* other tests may have the machine */ };

/* A source with one engine, and a game at it. */
typedef struct {
    uv_loop_t loop;
    ExternalConfig config;
    ChildSecrets secrets;
    ExternalEngine engine;
    int games; /* that share threads and hash */
    Source *source;
    SourceHandle *handle;
    int64_t clock_ms; /* of the orders */
    int answers;
    MoveChoice last;
    bool is_closed;
    Log log;
    int said[2]; /* a pipe: what was logged */
} Room;

static void on_move_found(void *user, const MoveChoice *choice)
{
    Room *room = user;
    room->answers++;
    room->last = *choice;
}

static void set_up_with(Room *room, const char *command, bool ponder)
{
    Error err = { 0 };
    memset(room, 0, sizeof *room);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    external_config_init(&room->config, "fake", 1);
    assert_true(strlen(command) < sizeof room->config.command);
    memcpy(room->config.command, command, strlen(command) + 1);
    room->config.variants |= 1U << VARIANT_CRAZYHOUSE;
    room->config.ponder = ponder;
    room->games = 1;
    room->clock_ms = 120000;
    assert_int_equal(pipe2(room->said, O_NONBLOCK | O_CLOEXEC), 0);
    log_init(&room->log, room->said[1], LEVEL_WARNING, LOG_FORM_PLAIN);
    room->engine = (ExternalEngine){ .config = &room->config,
                                     .log = &room->log,
                                     .secrets = &room->secrets,
                                     .threads = 1,
                                     .hash_mib = 100,
                                     .games = &room->games };
    if (!external_source_new(&room->source, &room->loop, &room->engine, &err))
        fail_msg("%s", err.text);
    room->handle = source_handle_new(room->source, on_move_found, room, NULL);
    assert_non_null(room->handle);
}

static void set_up_program(Room *room, const char *command)
{
    set_up_with(room, command, false);
}

static void pass(Room *room, int64_t ms)
{
    int64_t end = clock_now_ms() + ms;
    while (clock_now_ms() < end) {
        uv_run(&room->loop, UV_RUN_NOWAIT);
        usleep(500);
    }
}

static void set_up(Room *room, const char *arguments)
{
    char command[CONFIG_TEXT_SIZE];
    int n = snprintf(command, sizeof command, "%s %s", FAKE_ENGINE, arguments);
    assert_in_range(n, 1, sizeof command - 1);
    set_up_program(room, command);
    for (int i = 0; i < PATIENCE_MS / 10 && !external_source_is_warm(room->source); i++)
        pass(room, 10);
}

static void on_closed(void *user)
{
    ((Room *)user)->is_closed = true;
}

static void tear_down(Room *room)
{
    source_handle_free(room->handle);
    source_close(room->source, on_closed, room);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_true(room->is_closed);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    close(room->said[0]);
    close(room->said[1]);
}

static void give(Room *room, uint32_t version, const char *moves, Variant variant)
{
    Position pos;
    assert_true(variant_start_read(&pos, variant, "", FEN_STRICT, NULL, NULL));
    MoveRequest request = { .version = version,
                            .game = "Qw8rTy2u",
                            .variant = variant,
                            .position = &pos,
                            .overhead_ms = 10 };
    request.moves = text_of(moves);
    request.limits.has_clock = true;
    request.limits.time_ms[WHITE] = request.limits.time_ms[BLACK] = room->clock_ms;
    for (Text rest = request.moves, word = uci_text_next(&rest); word.len > 0;
         word = uci_text_next(&rest)) {
        Move move;
        Undo undo;
        assert_true(uci_move_match(&pos, word.at, word.len, &move, NULL));
        position_make(&pos, move, &undo);
    }
    request.us = pos.side_to_move;
    source_search(room->handle, &request);
}

static void wait_for(Room *room, int answers)
{
    int64_t end = clock_now_ms() + PATIENCE_MS;
    while (room->answers < answers && clock_now_ms() < end) {
        uv_run(&room->loop, UV_RUN_NOWAIT);
        usleep(500);
    }
    assert_int_equal(room->answers, answers);
}

TEST(a_request_is_answered_by_the_engine)
{
    Room room;
    set_up(&room, "e2e4 g1f3");
    assert_true(source_plays(room.source, VARIANT_CRAZYHOUSE));
    assert_false(source_plays(room.source, VARIANT_HORDE));
    give(&room, 7, "", VARIANT_STANDARD);
    assert_int_equal(room.answers, 0);
    wait_for(&room, 1);
    assert_int_equal(room.last.version, 7);
    assert_int_equal(move_from(room.last.move), 12);
    assert_int_equal(move_to(room.last.move), 28);
    assert_int_equal(move_to(room.last.reply), 36); /* e7e5 */
    assert_int_equal(room.last.score, 31);
    assert_int_equal(room.last.depth, 7);
    assert_int_equal(room.last.nodes, 4242);
    assert_string_equal(room.last.source, "fake");
    give(&room, 8, "e2e4 e7e5", VARIANT_STANDARD);
    wait_for(&room, 2);
    assert_int_equal(room.last.version, 8);
    assert_int_not_equal(room.last.move, MOVE_NONE);
    tear_down(&room);
}

TEST(moves_of_variants_are_read_by_their_rules)
{
    Room room;
    set_up(&room, "P@e4");
    give(&room, 1, "e2e4 d7d5 e4d5 d8d5", VARIANT_CRAZYHOUSE);
    wait_for(&room, 1);
    assert_int_equal(room.last.move, move_make_drop(PAWN, 28));
    give(&room, 2, "e2e4 d7d5", VARIANT_CRAZYHOUSE); /* nothing is in hand */
    wait_for(&room, 2);
    assert_int_equal(room.last.move, MOVE_NONE);
    tear_down(&room);
}

TEST(whatever_goes_wrong_is_answered_without_a_move)
{
    static const char *const faults[] = { "crash",   "kill",     "stop",    "hang",    "deaf",
                                          "garbage", "flood",    "endless", "illegal", "null",
                                          "none",    "nonsense", "bare" };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        Room room;
        char arguments[60];
        assert_true(snprintf(arguments, sizeof arguments, "--fault %s --at 2", faults[i]) > 0);
        set_up(&room, arguments);
        give(&room, 1, "", VARIANT_STANDARD);
        wait_for(&room, 1);
        assert_int_not_equal(room.last.move, MOVE_NONE);
        give(&room, 2, "e2e4 e7e5", VARIANT_STANDARD);
        pass(&room, 100);
        source_stop(room.handle); /* as the chain does at its deadline */
        wait_for(&room, 2);
        if (room.last.move != MOVE_NONE || room.last.version != 2)
            fail_msg("%s: a move all the same", faults[i]);
        tear_down(&room);
    }
}

/* First it shows that it answers amid a search; the silence after that is as long as a busy machine
 * makes it. */
TEST(silence_is_a_hang_sooner_where_the_clock_is_short)
{
    static const struct {
        int64_t clock_ms;
        bool is_answered;
    } rows[] = { { 60000, false }, { 900000, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        set_up(&room, "--fault nap e2e4 g1f3");
        room.clock_ms = rows[i].clock_ms;
        give(&room, 1, "", VARIANT_STANDARD);
        wait_for(&room, 1);
        assert_int_not_equal(room.last.move, MOVE_NONE);
        give(&room, 2, "e2e4 e7e5", VARIANT_STANDARD);
        wait_for(&room, 2);
        assert_int_equal(room.last.move != MOVE_NONE, rows[i].is_answered);
        tear_down(&room);
    }
}

TEST(an_illegal_move_is_told_from_none)
{
    static const struct {
        const char *arguments, *why;
    } rows[] = {
        { "--fault illegal --at 1", "it played an illegal move" },
        { "--fault none --at 1", "it found no move" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        char said[4000] = "";
        set_up(&room, rows[i].arguments);
        give(&room, 1, "", VARIANT_STANDARD);
        wait_for(&room, 1);
        assert_true(read(room.said[0], said, sizeof said - 1) > 0);
        const char *strike = strstr(said, "engine strike");
        assert_non_null(strike);
        if (!strstr(strike, rows[i].why))
            fail_msg("%s", said);
        tear_down(&room);
    }
}

TEST(an_engine_that_never_comes_up_is_not_waited_for)
{
    static const char *const commands[] = { FAKE_ENGINE " --fault mute",
                                            FAKE_ENGINE " --fault unready",
                                            FAKE_ENGINE " --fault quit", "/nonesuch/engine" };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        Room room;
        set_up_program(&room, commands[i]);
        give(&room, 1, "", VARIANT_STANDARD);
        pass(&room, 50);
        source_stop(room.handle); /* as the chain does at its deadline */
        wait_for(&room, 1);
        assert_int_equal(room.last.move, MOVE_NONE);
        tear_down(&room);
    }
}

TEST(after_three_strikes_the_engine_is_left_alone_in_this_game)
{
    Room room;
    set_up(&room, "--fault crash");
    for (int i = 1; i <= 3; i++) {
        pass(&room, 2000); /* so that it has come up again */
        give(&room, (uint32_t)i, "", VARIANT_STANDARD);
        wait_for(&room, i);
        assert_int_equal(room.last.move, MOVE_NONE);
    }
    give(&room, 4, "", VARIANT_STANDARD);
    assert_int_equal(room.answers, 3);
    wait_for(&room, 4);
    SourceHandle *barred = room.handle;
    room.handle =
        source_handle_new(room.source, on_move_found, &room, NULL); /* another game tries again */
    give(&room, 5, "", VARIANT_STANDARD);
    wait_for(&room, 5);
    source_handle_free(barred);
    tear_down(&room);
}

TEST(a_move_said_twice_answers_one_request)
{
    Room room;
    set_up(&room, "--fault twice e2e4 g1f3 b1c3");
    static const char *const lists[] = { "", "e2e4 e7e5", "e2e4 e7e5 g1f3 g8f6" };
    static const int from[] = { 12, 6, 1 };
    for (int i = 0; i < 3; i++) {
        give(&room, (uint32_t)i + 1, lists[i], VARIANT_STANDARD);
        wait_for(&room, i + 1);
        assert_int_equal(move_from(room.last.move), from[i]);
    }
    tear_down(&room);
}

TEST(a_new_request_replaces_the_old_one)
{
    Room room;
    set_up_program(&room, "stockfish");
    while (!external_source_is_warm(room.source))
        pass(&room, 10);
    give(&room, 1, "", VARIANT_STANDARD);
    give(&room, 2, "e2e4", VARIANT_STANDARD);
    give(&room, 3, "e2e4 e7e5", VARIANT_STANDARD);
    MoveChoice seen = { .version = 0 };
    for (int i = 0; i < 300 && !source_progress(room.handle, &seen) && room.answers == 0; i++)
        pass(&room, 10);
    assert_int_equal(seen.version, 3);
    assert_int_equal(seen.pv[0], seen.move);
    assert_in_range(seen.pv_length, 2, MOVE_CHOICE_PV);
    source_stop(room.handle);
    wait_for(&room, 1);
    assert_int_equal(room.last.version, 3);
    assert_false(source_progress(room.handle, &seen));
    source_stop(room.handle); /* nothing is ordered: nothing happens */
    give(&room, 4, "e2e4 e7e5", VARIANT_STANDARD);
    pass(&room, 20);
    give(&room, 5, "e2e4 e7e5 g1f3", VARIANT_STANDARD);
    pass(&room, 20);
    source_stop(room.handle);
    wait_for(&room, 2);
    assert_int_equal(room.last.version, 5);
    assert_int_not_equal(room.last.move, MOVE_NONE);
    give(&room, 6, "e2e4 e7e5 g1f3", VARIANT_STANDARD);
    tear_down(&room); /* in mid-search */
}

/* All that the engine has read; to be freed. */
static char *read_log(const char *path)
{
    static char text[20000];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    fclose(file);
    return text;
}

TEST(a_new_game_has_its_part_of_the_hash_after_a_reload)
{
    Room room;
    char path[] = "/tmp/castled-heard-XXXXXX", command[CONFIG_TEXT_SIZE];
    close(mkstemp(path));
    assert_true(snprintf(command, sizeof command, "%s --log %s e2e4 g1f3", FAKE_ENGINE, path) > 0);
    set_up_with(&room, command, false);
    while (!external_source_is_warm(room.source))
        pass(&room, 10);
    assert_null(strstr(read_log(path), "Hash value 20"));
    room.games = 5;
    give(&room, 1, "", VARIANT_STANDARD);
    wait_for(&room, 1);
    const char *share = strstr(read_log(path), "setoption name Hash value 20\n");
    assert_non_null(share);
    assert_non_null(strstr(share, "ucinewgame\n"));
    room.games = 2; /* the running game keeps its part */
    give(&room, 2, "e2e4 e7e5", VARIANT_STANDARD);
    wait_for(&room, 2);
    assert_null(strstr(read_log(path), "Hash value 50"));
    tear_down(&room);
    unlink(path);
}

TEST(the_engine_ponders_on_the_reply_that_it_expects)
{
    Room room;
    char path[] = "/tmp/castled-heard-XXXXXX", command[CONFIG_TEXT_SIZE];
    close(mkstemp(path));
    assert_true(snprintf(command, sizeof command, "%s --log %s e2e4 g1f3 b1c3", FAKE_ENGINE, path) >
                0);
    set_up_with(&room, command, true);
    while (!external_source_is_warm(room.source))
        pass(&room, 10);
    give(&room, 1, "", VARIANT_STANDARD);
    wait_for(&room, 1);
    pass(&room, 300);
    /* The fake ends pondering by itself, which must do no harm: its guess is g1f3. */
    give(&room, 2, "e2e4 e7e5", VARIANT_STANDARD);
    wait_for(&room, 2);
    assert_int_equal(move_from(room.last.move), 6);
    char *heard = read_log(path);
    assert_non_null(strstr(heard, "position startpos moves e2e4 e7e5\nisready\ngo ponder wtime"));
    assert_non_null(strstr(heard, "setoption name Hash value 64\n"));
    assert_null(strstr(heard, "Threads")); /* it has no such option */
    tear_down(&room);
    unlink(path);
}

/* A script of an engine, put in place whole; or written over the one that is there. */
static void write_engine(const char *path, const char *arguments, bool in_place)
{
    char other[100];
    assert_true(snprintf(other, sizeof other, "%s%s", path, in_place ? "" : ".tmp") > 0);
    FILE *file = fopen(other, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "#!/bin/sh\nexec %s %s\n", FAKE_ENGINE, arguments) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(other, 0755), 0);
    if (!in_place)
        assert_int_equal(rename(other, path), 0);
}

TEST(a_game_restarts_the_file_that_it_began_with)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        Room room;
        char path[] = "/tmp/castled-engine-XXXXXX";
        close(mkstemp(path));
        write_engine(path, "--fault crash --at 2 e7e5", false);
        set_up_program(&room, path);
        while (!external_source_is_warm(room.source))
            pass(&room, 10);
        pass(&room, 200); /* its file has been read */
        give(&room, 1, "e2e4", VARIANT_STANDARD);
        wait_for(&room, 1);
        assert_int_equal(move_to(room.last.move), 36); /* e7e5 */
        write_engine(path, "e2e4 a7a6", in_place);     /* the first for its trial */
        pass(&room, 100);
        give(&room, 2, "e2e4", VARIANT_STANDARD);
        wait_for(&room, 2);
        assert_int_equal(room.last.move, MOVE_NONE);
        pass(&room, 2000); /* it has come up again */
        give(&room, 3, "e2e4", VARIANT_STANDARD);
        wait_for(&room, 3);
        assert_int_equal(move_to(room.last.move), 36);
        /* The next game has what lies there now. */
        source_handle_free(room.handle);
        room.handle = source_handle_new(room.source, on_move_found, &room, NULL);
        give(&room, 4, "e2e4", VARIANT_STANDARD);
        wait_for(&room, 4);
        assert_int_equal(move_to(room.last.move), 40); /* a7a6 */
        tear_down(&room);
        unlink(path);
    }
}

TEST(a_file_that_is_being_written_is_awaited)
{
    static const struct {
        const char *name;
        bool is_missing, is_written, is_locked;
    } rows[] = {
        { "it is not there", .is_missing = true },
        { "it can't be run yet", .is_locked = true },
        { "it is open for writing", .is_written = true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        char path[] = "/tmp/castled-engine-XXXXXX", said[1000] = "";
        close(mkstemp(path));
        write_engine(path, "e7e5", true);
        int writer = rows[i].is_written ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
        if (rows[i].is_missing)
            unlink(path);
        if (rows[i].is_locked)
            assert_int_equal(chmod(path, 0644), 0);
        set_up_program(&room, path);
        pass(&room, 1000);
        if (writer >= 0)
            close(writer);
        else
            write_engine(path, "e7e5", true);
        for (int j = 0; j < 1000 && !external_source_is_warm(room.source); j++)
            pass(&room, 10);
        if (!external_source_is_warm(room.source) || read(room.said[0], said, sizeof said - 1) > 0)
            fail_msg("%s: %s", rows[i].name, said);
        tear_down(&room);
        unlink(path);
    }
}

TEST(a_file_that_stays_away_is_told)
{
    Room room;
    char said[1000] = "";
    set_up_program(&room, "/nonesuch/engine");
    pass(&room, 6000);
    assert_true(read(room.said[0], said, sizeof said - 1) > 0);
    assert_non_null(strstr(said, "/nonesuch/engine: not found"));
    tear_down(&room);
}

/* Processes. */

typedef struct {
    uv_loop_t loop;
    ChildProcess *process;
    char text[20000];
    size_t len;
    char why[100];
} Child;

static void on_child_line(void *user, Text line)
{
    Child *child = user;
    if (child->len + line.len + 2 > sizeof child->text)
        return;
    memcpy(child->text + child->len, line.at, line.len);
    child->len += line.len;
    child->text[child->len++] = '\n';
}

static void on_child_end(void *user, const char *why)
{
    Child *child = user;
    assert_true(snprintf(child->why, sizeof child->why, "%s", why) > 0);
    child_process_close(child->process);
    child->process = NULL;
}

static void start_confined_child(Child *child, const char *command, const ChildSecrets *secrets)
{
    const ChildCallbacks callbacks = {
        .on_line = on_child_line, .on_error_line = on_child_line, .on_end = on_child_end, child
    };
    ChildCommand what;
    Error err = { 0 };
    memset(child, 0, sizeof *child);
    assert_int_equal(uv_loop_init(&child->loop), 0);
    if (!child_command_parse(&what, command, &err) || !child_command_find(&what, &err) ||
        !child_process_new(&child->process, &child->loop, &what, secrets, &callbacks, &err))
        fail_msg("%s", err.text);
}

static void start_child(Child *child, const char *command)
{
    start_confined_child(child, command, NULL);
}

static void end_child(Child *child)
{
    uv_run(&child->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&child->loop), 0);
}

TEST(root_hides_the_credentials_of_all_services)
{
    ChildSecrets secrets;
    bool is_hidden = false;
    child_secrets_init(&secrets, "/etc/castled/castled.conf", "", NULL);
    for (size_t i = 0; i < secrets.count; i++)
        is_hidden = is_hidden || strcmp(secrets.paths[i], "/run/credentials") == 0;
    assert_int_equal(is_hidden, geteuid() == 0);
}

TEST(a_program_runs_at_a_lower_priority_and_without_our_secrets)
{
    Child child;
    char expected[20];
    setenv("CASTLED_TOKEN", "lip_secret", 1);
    setenv("CREDENTIALS_DIRECTORY", "/run/credentials", 1);
    setenv("HARMLESS", "yes", 1);
    start_child(&child, "sh -c \"env; nice; echo oops >&2\"");
    end_child(&child);
    assert_string_equal(child.why, "exit status 0");
    assert_null(strstr(child.text, "CASTLED_TOKEN"));
    assert_null(strstr(child.text, "CREDENTIALS_DIRECTORY"));
    assert_non_null(strstr(child.text, "HARMLESS=yes\n"));
    assert_non_null(strstr(child.text, "oops\n"));
    assert_true(snprintf(expected, sizeof expected, "\n%d\n", child_niceness()) > 0);
    assert_non_null(strstr(child.text, expected));
}

TEST(a_confined_program_gets_the_usual_variables_only)
{
    static const ChildSecrets none = { .count = 0 };
    static const char *const kept[] = { "LC_ALL", "CUDA_VISIBLE_DEVICES", "SSH_AUTH_SOCK", "PATH" };
    static const char *const left[] = { "https_proxy", "PGUSER", "PGPASSWORD", "CLOUD_KEY",
                                        "PATHS" };
    char name[40];
    Child child;
    for (size_t i = 0; i < 3; i++)
        setenv(kept[i], "C", 1);
    for (size_t i = 0; i < 5; i++)
        setenv(left[i], "http://me:secret@localhost", 1);
    start_confined_child(&child, "env", &none);
    end_child(&child);
    for (size_t i = 0; i < 4; i++) {
        assert_true(snprintf(name, sizeof name, "%s=", kept[i]) > 0);
        assert_non_null(strstr(child.text, name));
    }
    assert_null(strstr(child.text, "secret"));
    start_child(&child, "env");
    end_child(&child);
    assert_null(strstr(child.text, "PGPASSWORD"));
    assert_non_null(strstr(child.text, "CLOUD_KEY"));
    for (size_t i = 0; i < 5; i++)
        unsetenv(left[i]);
}

static bool hides(const ChildSecrets *secrets, const char *path)
{
    for (size_t i = 0; i < secrets->count; i++)
        if (strcmp(secrets->paths[i], path) == 0)
            return true;
    return false;
}

TEST(the_databases_keys_are_hidden)
{
    ChildSecrets secrets;
    setenv("PGSSLKEY", "/srv/ssl", 1);
    child_secrets_init(&secrets, NULL, NULL,
                       "postgresql://me@db/castled?passfile=/srv/my%20words&sslkey=%2Fsrv%2Fkey");
    assert_true(hides(&secrets, "/srv/my words"));
    assert_true(hides(&secrets, "/srv/key"));
    assert_true(hides(&secrets, "/srv/ssl"));
    child_secrets_init(&secrets, NULL, NULL, "host=db passfile='/srv/my words' servicefile=/a%");
    assert_true(hides(&secrets, "/srv/my words"));
    assert_true(hides(&secrets, "/a%"));
    unsetenv("PGSSLKEY");
}

TEST(an_end_is_told_with_its_reason)
{
    static const struct {
        const char *command, *why;
    } rows[] = {
        { "sh -c \"exit 3\"", "exit status 3" },
        { "sh -c \"kill -9 $$\"", "killed by SIGKILL (Killed)" },
        { "sh -c \"exec >&-; exec sleep 100\"", "it closed its output" },
    };
    for (size_t i = 0; i < 3; i++) {
        Child child;
        start_child(&child, rows[i].command);
        end_child(&child);
        assert_string_equal(child.why, rows[i].why);
    }
}

/* A zombie has ended, and waits for its parent only. */
static bool is_there(int id)
{
    char path[40], state = 'Z';
    assert_true(snprintf(path, sizeof path, "/proc/%d/stat", id) > 0);
    FILE *file = fopen(path, "r");
    if (file) {
        assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
        fclose(file);
    }
    return state != 'Z';
}

enum { TOLD_MAX = 8 };

/* Waits until it has written as many process ids, one a line. */
static void read_ids(Child *child, int ids[TOLD_MAX], int count)
{
    int64_t end = clock_now_ms() + PATIENCE_MS;
    int lines = 0;
    while (lines < count && clock_now_ms() < end) {
        uv_run(&child->loop, UV_RUN_NOWAIT);
        usleep(500);
        lines = 0;
        for (size_t i = 0; i < child->len; i++)
            lines += child->text[i] == '\n';
    }
    assert_int_equal(lines, count);
    char *at = child->text;
    for (int i = 0; i < count; i++)
        ids[i] = (int)strtol(at, &at, 10);
}

typedef enum { END_AT_ONCE, END_POLITELY, END_BY_ITSELF, END_COUNT } EndKind;

static void end_engine(Child *child, EndKind how, int engine)
{
    if (how == END_AT_ONCE)
        child_process_close(child->process);
    else if (how == END_POLITELY)
        child_process_quit(child->process, text_of("quit\n"));
    else
        kill(engine, SIGKILL);
    end_child(child);
}

TEST(nothing_that_an_engine_has_started_outlives_it)
{
    static const struct {
        const char *name, *command;
        int told;
    } rows[] = {
        { "a child", "sh -c \"echo $$; sleep 1000 & echo $!; sleep 1000\"", 2 },
        { "stopped, with a child",
          "sh -c \"trap '' TERM INT; echo $$; sleep 1000 & echo $!; kill -STOP $$\"", 2 },
        { "a daemon", "sh -c \"echo $$; setsid sh -c 'echo $$; sleep 1000' & sleep 1000\"", 2 },
        { "an orphan of a session of its own",
          "sh -c \"echo $$; sh -c 'setsid sh -c \\\"echo \\\\$\\\\$; exec sleep 1000\\\" &'; "
          "sleep 1000\"",
          2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int how = 0; how < END_COUNT; how++) {
            Child child;
            int ids[TOLD_MAX];
            start_child(&child, rows[i].command);
            read_ids(&child, ids, rows[i].told);
            for (int n = 0; n < rows[i].told; n++)
                assert_true(is_there(ids[n]));
            end_engine(&child, (EndKind)how, ids[0]);
            for (int n = 0; n < rows[i].told; n++) {
                if (is_there(ids[n])) {
                    kill(ids[n], SIGKILL);
                    fail_msg("%s: process %d of %d is left (end %d)", rows[i].name, n + 1,
                             rows[i].told, how);
                }
            }
        }
    }
}

TEST(what_an_engine_does_to_its_group_does_not_free_its_children)
{
    Child child;
    int ids[TOLD_MAX];
    start_child(&child, "sh -c \"setsid sleep 1000 & echo $!; sleep 0.2; kill -9 0\"");
    read_ids(&child, ids, 1);
    end_child(&child);
    assert_string_equal(child.why, "killed by SIGKILL (Killed)");
    assert_false(is_there(ids[0]));
}

TEST(one_that_does_not_read_is_ended)
{
    Child child;
    char text[4096];
    memset(text, 'x', sizeof text);
    start_child(&child, "sleep 1000");
    for (int i = 0; i < 1000; i++)
        child_process_say(child.process, (Text){ text, sizeof text });
    end_child(&child);
    assert_string_equal(child.why, "it does not read its input");
}

int main(int argc, char **argv)
{
    if (child_launch_is_asked(argc, argv))
        return child_launch(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    return run_all_tests();
}
