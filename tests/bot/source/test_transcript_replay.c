/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games with a fake engine, of which castled writes the transcript, and what a replay finds. */
#include "bot/source/external.h"
#include "bot/child/child_launch.h"
#include "bot/source/transcript_replay.h"
#include "bot/source/transcript_writer.h"
#include "engine/base/clock.h"
#include "tests/support/chess.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, SEARCHES = 16, LAST_PLY = 2 * SEARCHES - 1 };

/* White's knight goes out and back, and so does Black's. */
#define WHITES_MOVES "--cycle g1f3 f3g1"

typedef struct {
    uv_loop_t loop;
    char folder[64], head[PATH_MAX];
    const char *game;
    ExternalConfig config;
    ChildSecrets secrets;
    Source *source;
    SourceHandle *handle;
    int answers, failures;
    Buf transcript;
} Room;

static void on_move_found(void *user, const MoveChoice *choice)
{
    (void)choice;
    ((Room *)user)->answers++;
}

static void on_failure(void *user, const char *engine, const char *why)
{
    (void)engine, (void)why;
    ((Room *)user)->failures++;
}

static void turn(Room *room)
{
    uv_run(&room->loop, UV_RUN_NOWAIT);
    usleep(500);
}

static void ask(Room *room, int number)
{
    static const char *const cycle[] = { " g1f3", " g8f6", " f3g1", " f6g8" };
    Position pos;
    char moves[10 * SEARCHES + 1] = "";
    int64_t end = clock_now_ms() + PATIENCE_MS;
    assert_true(fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL));
    for (int i = 0; i < 2 * number; i++)
        memcpy(moves + 5 * i, cycle[i % 4], sizeof " g1f3");
    MoveRequest request = {
        .game = room->game, .variant = VARIANT_STANDARD, .position = &pos, .overhead_ms = 10
    };
    request.moves = text_of(number > 0 ? moves + 1 : moves);
    for (Text rest = request.moves; rest.len > 0;) {
        Text word = text_next_word(&rest, " ");
        Move move;
        Undo undo;
        assert_true(uci_move_match(&pos, word.at, word.len, &move, NULL));
        position_make(&pos, move, &undo);
    }
    request.limits.has_clock = true;
    request.limits.time_ms[WHITE] = request.limits.time_ms[BLACK] = 120000;
    source_search(room->handle, &request);
    for (int waited = 0; room->answers <= number && clock_now_ms() < end; waited++) {
        turn(room);
        if (waited == 3000)
            source_stop(room->handle); /* as the chain does at its deadline */
    }
    assert_int_equal(room->answers, number + 1);
}

static void play_all(Room *room, const char *game)
{
    room->game = game;
    room->answers = 0;
    room->handle = source_handle_new(room->source, on_move_found, room, NULL);
    for (int i = 0; i < SEARCHES; i++)
        ask(room, i);
    source_handle_free(room->handle);
}

/* Has castled play games with the fake engine of these arguments, and reads what it has kept of the
 * last one. `before`: the game before it; NULL: none. */
static void play_games(Room *room, const char *arguments, const char *before)
{
    static Log log;
    *room = (Room){ .folder = "/tmp/castled-replay-XXXXXX" };
    assert_non_null(mkdtemp(room->folder));
    assert_int_equal(uv_loop_init(&room->loop), 0);
    external_config_init(&room->config, "fake", 1);
    assert_in_range(snprintf(room->config.command, sizeof room->config.command,
                             FAKE_ENGINE " " WHITES_MOVES " %s", arguments),
                    1, sizeof room->config.command - 1);
    const ExternalEngine engine = { .config = &room->config,
                                    .secrets = &room->secrets,
                                    .threads = 1,
                                    .hash_mib = 16,
                                    .transcripts = room->folder,
                                    .log = &log,
                                    .on_failure = on_failure,
                                    .user = room };
    log_init(&log, STDERR_FILENO, LEVEL_ERROR, LOG_FORM_PLAIN);
    assert_true(external_source_new(&room->source, &room->loop, &engine, NULL));
    for (int i = 0; i < PATIENCE_MS && !external_source_is_warm(room->source); i++)
        turn(room);
    if (before)
        play_all(room, before);
    play_all(room, "Qw8rTy2u");
    source_close(room->source, NULL, NULL);
    assert_int_equal(uv_run(&room->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    assert_true(transcript_path(room->head, sizeof room->head, room->folder, "Qw8rTy2u", "fake"));
    FILE *file = fopen(room->head, "r");
    assert_non_null(file);
    buf_init(&room->transcript, TRANSCRIPT_BYTES_MAX);
    assert_true(buf_read(&room->transcript, file, NULL));
    fclose(file);
}

static void play_game(Room *room, const char *arguments)
{
    play_games(room, arguments, NULL);
}

static void leave(Room *room)
{
    buf_release(&room->transcript);
    unlink(room->head);
    assert_int_equal(rmdir(room->folder), 0);
}

/* Says it all again to a fake engine of these arguments. */
static void replay(const Room *room, const char *arguments, int ply, bool wants_same,
                   ReplayResult *out)
{
    char text[CHILD_COMMAND_SIZE];
    ChildCommand command;
    assert_in_range(snprintf(text, sizeof text, FAKE_ENGINE " %s %s",
                             strcmp(arguments, "--other") == 0 ? "g1f3 f3e5" : WHITES_MOVES,
                             strcmp(arguments, "--other") == 0 ? "" : arguments),
                    1, sizeof text - 1);
    assert_true(child_command_parse(&command, text, NULL));
    assert_true(child_command_find(&command, NULL));
    const ReplayOrder order = { .transcript = { room->transcript.text, room->transcript.len },
                                .ply = ply,
                                .wants_same = wants_same,
                                .command = &command };
    assert_true(transcript_replay(&order, out, NULL));
}

TEST(each_fault_is_found_again_and_where_it_is_mended_it_is_not)
{
    static const struct {
        const char *fault;
        ReplayVerdict verdict;
        const char *words;
    } rows[] = {
        { "crash", REPLAY_CRASHED, "exit status 3" },  { "kill", REPLAY_CRASHED, "SIGKILL" },
        { "wither", REPLAY_CRASHED, "exit status 4" }, { "illegal", REPLAY_ILLEGAL, "e1e5" },
        { "none", REPLAY_ILLEGAL, "(none)" },          { "hang", REPLAY_SILENT, "no best move" },
        { "deaf", REPLAY_SILENT, "no best move" },     { "flood", REPLAY_CRASHED, "without end" },
        { "endless", REPLAY_CRASHED, "without end" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        ReplayResult result;
        char arguments[60];
        int from = strcmp(rows[i].fault, "wither") == 0 ? SEARCHES - 3 : SEARCHES;
        assert_true(
            snprintf(arguments, sizeof arguments, "--fault %s --at %d", rows[i].fault, from) > 0);
        play_game(&room, arguments);
        if (room.failures == 0)
            fail_msg("%s: it did not fail", rows[i].fault);
        replay(&room, arguments, 0, false, &result);
        if (result.verdict != rows[i].verdict || result.ply != LAST_PLY ||
            !strstr(result.words, rows[i].words))
            fail_msg("%s: verdict %d at ply %d: %s", rows[i].fault, (int)result.verdict, result.ply,
                     result.words);
        replay(&room, "", 0, false, &result);
        if (result.verdict != REPLAY_FINE || result.recorded[0] == '\0')
            fail_msg("%s: found without the fault: %s", rows[i].fault, result.words);
        leave(&room);
    }
}

TEST(one_ply_alone_can_be_asked_again)
{
    Room room;
    ReplayResult result;
    play_game(&room, "");
    assert_int_equal(room.failures, 0);
    replay(&room, "--fault crash", 5, false, &result);
    assert_int_equal(result.verdict, REPLAY_CRASHED);
    assert_int_equal(result.ply, 5);
    replay(&room, "--fault crash --at 2", 5, false, &result); /* it is asked once */
    assert_int_equal(result.verdict, REPLAY_FINE);
    assert_int_equal(result.searches, 1);
    replay(&room, "", 6, false, &result); /* Black's */
    assert_int_equal(result.verdict, REPLAY_UNUSABLE);
    leave(&room);
}

TEST(another_move_is_told_and_a_fault_where_that_is_asked_for)
{
    Room room;
    ReplayResult result;
    play_game(&room, "");
    replay(&room, "", 0, true, &result);
    assert_int_equal(result.verdict, REPLAY_FINE);
    assert_int_equal(result.searches, SEARCHES);
    assert_int_equal(result.others, 0);
    replay(&room, "--other", 0, false, &result); /* and then illegal ones */
    assert_int_equal(result.verdict, REPLAY_ILLEGAL);
    assert_int_equal(result.ply, 5);
    assert_int_equal(result.other_ply, 3);
    replay(&room, "--other", 0, true, &result);
    assert_int_equal(result.verdict, REPLAY_OTHER);
    assert_int_equal(result.ply, 3);
    leave(&room);
}

TEST(a_process_that_has_played_before_is_told_from_a_fresh_one)
{
    Room room;
    ReplayResult result;
    char first[PATH_MAX];
    play_games(&room, "", "Fq6KooIV");
    replay(&room, "", 0, true, &result);
    assert_int_equal(result.verdict, REPLAY_FINE);
    assert_int_equal(result.searches, SEARCHES);
    assert_int_equal(result.earlier, SEARCHES);
    assert_true(transcript_path(first, sizeof first, room.folder, "Fq6KooIV", "fake"));
    assert_int_equal(unlink(first), 0);
    leave(&room);
    play_game(&room, "");
    replay(&room, "", 0, true, &result);
    assert_int_equal(result.earlier, 0);
    leave(&room);
}

TEST(what_cannot_be_tried_is_told_from_a_fault)
{
    Room room;
    ReplayResult result;
    play_game(&room, "");
    replay(&room, "--fault quit", 0, false, &result);
    assert_int_equal(result.verdict, REPLAY_UNUSABLE);
    buf_reset(&room.transcript);
    assert_true(buf_put_text(&room.transcript, "not a transcript\n"));
    replay(&room, "", 0, false, &result);
    assert_int_equal(result.verdict, REPLAY_UNUSABLE);
    leave(&room);
}

int main(int argc, char **argv)
{
    if (child_launch_is_asked(argc, argv))
        return child_launch(argc, argv);
    return run_all_tests();
}
