/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I2, I5 and I8 of bot/README.md. */
#include "bot/source/builtin_engine.h"
#include "bot/model/variant_start.h"
#include "bot/source/past_positions.h"
#include "bot/source/priority.h"
#include "engine/base/clock.h"
#include "tests/support/chess.h"
#include "tests/support/policy_maker.h"

#include <math.h>
#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

/* A way to limit a search, and the least time in ms for a request that was not pondered on. */
typedef struct {
    SearchLimits limits;
    int64_t least_ms;
} Pace;

/* One game's place, and what came back. */
typedef struct {
    SourceHandle *handle;
    int answers;
    MoveChoice last;
} TestPlayer;

enum { PLAYERS_MAX = 6 };

typedef struct {
    uv_loop_t loop;
    Source *source; /* NULL once closed */
    TestPlayer players[PLAYERS_MAX];
    HumanNetworks *human; /* the source's */
} Room;

static int set_up(void **state)
{
    Room *room = calloc(1, sizeof *room);
    if (!room)
        return -1;
    *state = room;
    return 0;
}

static void leave(TestPlayer *player)
{
    if (player->handle)
        source_handle_free(player->handle);
    player->handle = NULL;
}

static void close_source(Room *room)
{
    if (!room->source)
        return;
    for (int i = 0; i < PLAYERS_MAX; i++)
        leave(&room->players[i]);
    source_close(room->source, NULL, NULL);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    room->source = NULL;
}

static int tear_down(void **state)
{
    close_source(*state);
    free(*state);
    return 0;
}

#define ROOM_TEST(test) TEST_IN(test, set_up, tear_down)

static void on_move_found(void *user, const MoveChoice *choice)
{
    TestPlayer *player = user;
    player->answers++;
    player->last = *choice;
}

static void sit(Room *room, TestPlayer *player)
{
    *player = (TestPlayer){ 0 };
    player->handle = source_handle_new(room->source, on_move_found, player, NULL);
    assert_non_null(player->handle);
}

/* Makes a source, and players with handles on it. */
static TestPlayer *start(Room *room, int threads, int players)
{
    Error err = { 0 };
    EnginePoolOptions options = { .threads = threads, .hash_mib = 4, .human = room->human };
    assert_int_equal(uv_loop_init(&room->loop), 0);
    if (!builtin_engine_new(&room->source, &room->loop, &options, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < players; i++)
        sit(room, &room->players[i]);
    return room->players;
}

static void request(TestPlayer *player, uint32_t version, const char *fen,
                    const SearchLimits *limits)
{
    Position pos = position_of(fen);
    source_search(player->handle,
                  &(MoveRequest){ .version = version, .position = &pos, .limits = *limits });
}

static void wait_for(Room *room, const TestPlayer *player, int answers)
{
    int64_t end = clock_now_ms() + 20000;
    while (player->answers < answers && clock_now_ms() < end) {
        uv_run(&room->loop, UV_RUN_NOWAIT);
        usleep(200);
    }
    assert_int_equal(player->answers, answers);
}

static const SearchLimits shallow = { .depth = 4 };
static const SearchLimits endless = { .infinite = true };
static const char *const mate_in_one = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

ROOM_TEST(a_request_is_answered_from_the_loop)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1);
    request(player, 42, mate_in_one, &shallow);
    assert_int_equal(player->answers, 0);
    wait_for(room, player, 1);
    assert_int_equal(player->last.version, 42);
    assert_int_equal(move_from(player->last.move), A1);
    assert_int_equal(move_to(player->last.move), A8);
    assert_int_equal(player->last.score, SCORE_MATE - 1);
    assert_true(player->last.depth > 0);
}

ROOM_TEST(a_stop_brings_the_best_so_far)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1);
    request(player, 1, FEN_START, &endless);
    usleep(20000);
    source_stop(player->handle);
    wait_for(room, player, 1);
    assert_int_not_equal(player->last.move, MOVE_NONE);
    source_stop(player->handle); /* nothing runs: nothing happens */
}

ROOM_TEST(progress_shows_what_the_search_has_found)
{
    Room *room = *state;
    MoveChoice seen = { .depth = 0 };
    TestPlayer *player = start(room, 1, 1);
    assert_false(source_progress(player->handle, &seen));
    request(player, 42, FEN_START, &endless);
    for (int64_t end = clock_now_ms() + 20000; seen.depth < 6 && clock_now_ms() < end; usleep(200))
        (void)!source_progress(player->handle, &seen);
    assert_true(seen.depth >= 6);
    assert_int_equal(seen.version, 42);
    assert_in_range(seen.pv_length, 1, MOVE_CHOICE_PV);
    assert_int_equal(seen.pv[0], seen.move);
    Position pos = position_of(FEN_START);
    for (int i = 0; i < seen.pv_length; i++) {
        Undo undo;
        assert_true(position_allows(&pos, seen.pv[i]));
        position_make(&pos, seen.pv[i], &undo);
    }
    source_stop(player->handle);
    wait_for(room, player, 1);
    assert_int_equal(player->last.pv[0], player->last.move);
    assert_false(source_progress(player->handle, &seen));
}

ROOM_TEST(a_new_request_replaces_the_old_one)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1);
    request(player, 1, FEN_START, &endless);
    request(player, 2, FEN_START, &endless);
    request(player, 3, mate_in_one, &shallow);
    wait_for(room, player, 1);
    assert_int_equal(player->last.version, 3);
}

ROOM_TEST(a_stop_reaches_a_request_that_still_waits)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1);
    request(player, 1, FEN_START, &endless);
    request(player, 2, FEN_START, &endless);
    source_stop(player->handle);
    wait_for(room, player, 1);
    assert_int_equal(player->last.version, 2);
}

ROOM_TEST(a_handle_freed_in_mid_search_gets_no_answer)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1), *other = player + 1;
    request(player, 1, FEN_START, &endless);
    leave(player);
    sit(room, other);
    request(other, 7, mate_in_one, &shallow);
    wait_for(room, other, 1);
    assert_int_equal(player->answers, 0);
}

ROOM_TEST(a_source_can_be_closed_while_engines_still_stop)
{
    Room *room = *state;
    TestPlayer *player = start(room, 2, 1);
    request(player, 1, FEN_START, &endless);
    leave(player);
    int64_t began = clock_now_ms();
    close_source(room);
    assert_true(clock_now_ms() - began < 1000);
}

ROOM_TEST(more_games_than_expected_are_served_too)
{
    Room *room = *state;
    enum { GAMES = 6 };
    TestPlayer *players = start(room, 2, GAMES);
    for (int i = 0; i < GAMES; i++) {
        request(&players[i], (uint32_t)i + 1, mate_in_one, &shallow);
    }
    for (int i = 0; i < GAMES; i++) {
        wait_for(room, &players[i], 1);
        assert_int_equal(players[i].last.version, i + 1);
        assert_int_equal(move_to(players[i].last.move), A8);
        leave(&players[i]);
    }
}

/* Every thread but ours and libuv's is a search thread. */
static int count_lower_threads(void)
{
    int ours = getpriority(PRIO_PROCESS, 0);
    int lower = 0;
    usleep(50000); /* the thread that made them needs a moment to vanish from /proc */
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *task = readdir(tasks); task; task = readdir(tasks)) {
        long tid = strtol(task->d_name, NULL, 10);
        lower += tid > 0 && getpriority(PRIO_PROCESS, (id_t)tid) > ours;
    }
    closedir(tasks);
    return lower;
}

static bool can_be_lowered(void)
{
    return getpriority(PRIO_PROCESS, 0) < 19;
}

ROOM_TEST(searches_run_below_the_loop)
{
    Room *room = *state;
    TestPlayer *player = start(room, 3, 1);
    request(player, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 3 : 0);
}

ROOM_TEST(a_stopped_search_takes_no_threads_from_the_next)
{
    Room *room = *state;
    enum { THREADS = 3 };
    TestPlayer *first = start(room, THREADS, 2), *second = first + 1;
    request(first, 1, FEN_START, &endless);
    source_stop(first->handle);
    request(second, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 2 * THREADS : 0);
    wait_for(room, first, 1);
    assert_int_not_equal(first->last.move, MOVE_NONE);
    /* A later request counts again. */
    request(first, 2, FEN_START, &endless);
    source_stop(first->handle);
    request(first, 3, FEN_START, &endless);
    source_stop(second->handle);
    wait_for(room, second, 1);
}

ROOM_TEST(games_that_search_in_turn_need_one_engine)
{
    Room *room = *state;
    enum { GAMES = 5 };
    TestPlayer *players = start(room, 1, GAMES);
    for (int i = 0; i < GAMES; i++) {
        request(&players[i], 1, mate_in_one, &shallow);
        wait_for(room, &players[i], 1);
    }
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    request(&players[0], 2, FEN_START, &endless);
    request(&players[1], 2, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 2 : 0);
}

ROOM_TEST(engines_beyond_the_threads_go_when_idle)
{
    Room *room = *state;
    enum { GAMES = 4, THREADS = 2 };
    TestPlayer *players = start(room, THREADS, GAMES);
    for (int i = 0; i < GAMES; i++) {
        request(&players[i], 1, FEN_START, &endless);
    }
    assert_int_equal(count_lower_threads(), can_be_lowered() ? THREADS + GAMES - 1 : 0);
    for (int i = 0; i < GAMES; i++)
        source_stop(players[i].handle);
    for (int i = 0; i < GAMES; i++)
        wait_for(room, &players[i], 1);
    assert_in_range(count_lower_threads(), 0, THREADS + 1);
}

/* An engine made for half of the threads gets all of them when it searches alone. */
ROOM_TEST(a_lone_search_has_all_threads)
{
    Room *room = *state;
    TestPlayer *first = start(room, 4, 2), *second = first + 1;
    request(first, 1, FEN_START, &endless);
    request(second, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 4 + 2 : 0);
    source_stop(first->handle);
    source_stop(second->handle);
    wait_for(room, first, 1);
    wait_for(room, second, 1);
    request(second, 2, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 4 + 4 : 0);
}

/* The position after the answer and the reply that it expects. */
static Position after_expected(const MoveChoice *choice)
{
    Position pos;
    Undo undo;
    pos = position_of(FEN_START);
    position_make(&pos, choice->move, &undo);
    assert_int_not_equal(choice->reply, MOVE_NONE);
    position_make(&pos, choice->reply, &undo);
    return pos;
}

static void request_with(TestPlayer *player, uint32_t version, const Position *pos,
                         const SearchLimits *limits)
{
    source_search(
        player->handle,
        &(MoveRequest){ .version = version, .position = pos, .limits = *limits, .ponder = true });
}

static void request_at(TestPlayer *player, uint32_t version, const Position *pos,
                       int64_t movetime_ms)
{
    request_with(player, version, pos, &(SearchLimits){ .movetime_ms = movetime_ms });
}

/* Searches for a while, so that there is a reply to ponder on. */
static void search_and_ponder(Room *room, TestPlayer *player, int64_t movetime_ms)
{
    Position start = position_of(FEN_START);
    request_at(player, 1, &start, movetime_ms);
    wait_for(room, player, 1);
}

/* How long the answer took, ms. */
static int64_t search(Room *room, TestPlayer *player, uint32_t version, const Position *pos,
                      const SearchLimits *limits)
{
    int64_t began = clock_now_ms();
    request_with(player, version, pos, limits);
    wait_for(room, player, (int)version);
    return clock_now_ms() - began;
}

static void expect_a_prepared_answer(Room *room, const Pace *pace)
{
    const SearchLimits *limits = &pace->limits;
    Position pos;
    TestPlayer *player = start(room, 1, 1);
    pos = position_of(FEN_START);
    const int64_t search_ms = search(room, player, 1, &pos, limits);
    usleep((useconds_t)search_ms * 1500);
    pos = after_expected(&player->last);
    assert_true(search(room, player, 2, &pos, limits) < search_ms / 2);
    assert_int_equal(player->last.version, 2);
    assert_true(player->last.depth > 0);
    assert_true(position_is_legal(&pos, player->last.move));
    Undo undo;
    position_make(&pos, player->last.move, &undo);
    position_make(&pos, player->last.reply, &undo);
    int64_t answered = clock_now_ms();
    usleep((useconds_t)search_ms * 50);
    int64_t pondered_ms = clock_now_ms() - answered;
    int64_t third_ms = search(room, player, 3, &pos, limits);
    /* An answer at once does not make the next one ripe sooner, unless the machine let it ponder on
     * for longer than was asked. */
    assert_true(third_ms >= pace->least_ms || pondered_ms > search_ms / 5);
}

ROOM_TEST(a_reply_that_was_expected_is_answered_at_once_by_movetime)
{
    expect_a_prepared_answer(*state, &(Pace){ { .movetime_ms = 600 }, 400 });
}

ROOM_TEST(a_reply_that_was_expected_is_answered_at_once_by_the_clock)
{
    expect_a_prepared_answer(*state,
                             &(Pace){ { .has_clock = true, .time_ms = { 20000, 20000 } }, 30 });
}

ROOM_TEST(an_early_hit_and_a_miss_search_for_their_time)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 1);
    search_and_ponder(room, player, 400);
    Position pos = after_expected(&player->last);
    int64_t began = clock_now_ms();
    request_at(player, 2, &pos, 400); /* a hit, but at once */
    wait_for(room, player, 2);
    assert_true(clock_now_ms() - began >= 300);
    usleep(500000);
    pos = position_of(mate_in_one);
    began = clock_now_ms();
    request_at(player, 3, &pos, 300); /* something else altogether */
    wait_for(room, player, 3);
    assert_int_equal(player->last.version, 3);
    assert_int_equal(move_to(player->last.move), A8);
}

static void ponder(TestPlayer *player, const Position *pos, const MoveChoice *played)
{
    source_ponder(
        player->handle,
        &(MoveRequest){ .position = pos, .limits = { .movetime_ms = 5000 }, .ponder = true },
        played);
}

ROOM_TEST(a_source_ponders_on_another_sources_move)
{
    Room *room = *state;
    for (int is_searching = 0; is_searching < 2; is_searching++) {
        Position pos;
        Undo undo;
        TestPlayer *player = start(room, 1, 1);
        search_and_ponder(room, player, 300); /* sets how long is long enough */
        pos = position_of(FEN_START);
        if (is_searching)
            request_at(player, 2, &pos, 60000);
        MoveChoice played = { .move = move_of(&pos, "h2h4") };
        Position after = pos;
        position_make(&after, played.move, &undo);
        played.reply = move_of(&after, "a7a5");
        position_make(&after, played.reply, &undo);
        ponder(player, &pos, &played);
        for (int64_t end = clock_now_ms() + 1000; clock_now_ms() < end; usleep(1000))
            uv_run(&room->loop, UV_RUN_NOWAIT);
        assert_int_equal(player->answers, 1);
        int64_t began = clock_now_ms();
        request_at(player, 3, &after, 20000);
        wait_for(room, player, 2);
        assert_true(clock_now_ms() - began < 10000);
        assert_int_equal(player->last.version, 3);
        assert_true(position_is_legal(&after, player->last.move));
        leave(player);
        close_source(room);
    }
}

ROOM_TEST(pondering_needs_no_expected_reply)
{
    Room *room = *state;
    Position pos;
    Undo undo;
    TestPlayer *player = start(room, 1, 1);
    pos = position_of(FEN_START);
    MoveChoice played = { .move = move_of(&pos, "h2h4") };
    ponder(player, &pos, &played);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    position_make(&pos, played.move, &undo);
    position_make(&pos, move_of(&pos, "a7a5"), &undo);
    request_at(player, 2, &pos, 50);
    wait_for(room, player, 1);
    assert_true(position_is_legal(&pos, player->last.move));
    ponder(player, &pos, &player->last);
    leave(player); /* in mid-pondering */
}

/* The one thread searches for the game that has to move. */
ROOM_TEST(pondering_yields_to_a_game_that_searches)
{
    Room *room = *state;
    TestPlayer *player = start(room, 1, 2), *other = player + 1;
    search_and_ponder(room, player, 300);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    request(other, 7, mate_in_one, &shallow);
    wait_for(room, other, 1);
    Position pos = after_expected(&player->last);
    request_at(player, 2, &pos, 50);
    wait_for(room, player, 2);
    assert_int_equal(player->answers, 2);
}

ROOM_TEST(a_source_can_be_closed_while_games_ponder)
{
    Room *room = *state;
    TestPlayer *player = start(room, 2, 1);
    search_and_ponder(room, player, 300);
    leave(player);
    int64_t began = clock_now_ms();
    close_source(room);
    assert_true(clock_now_ms() - began < 1000);
    assert_int_equal(player->answers, 1);
}

/* A sanitizer's own memory leaves no room for a limit. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    #define LIMITS_WORK false
#else
    #define LIMITS_WORK true
#endif

static void note_less_hash(void *user, int wanted_mib, int got_mib)
{
    int *noted = user;
    noted[0] = wanted_mib;
    noted[1] = got_mib;
}

ROOM_TEST(without_memory_for_its_hash_an_engine_gets_less)
{
    Room *room = *state;
    if (!LIMITS_WORK)
        skip();
    int noted[2] = { 0 };
    struct rlimit before, limit;
    EnginePoolOptions options = {
        .threads = 1, .hash_mib = 4096, .on_less_hash = note_less_hash, .user = noted
    };
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    assert_true(builtin_engine_new(&room->source, &room->loop, &options, NULL));
    assert_int_equal(noted[0], 4096);
    assert_in_range(noted[1], 64, 1000);
    TestPlayer *player = &room->players[0];
    sit(room, player);
    request(player, 1, mate_in_one, &shallow);
    wait_for(room, player, 1);
    close_source(room);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

/* Sends another request on the answer, and frees the handle at once. */
static void ask_again_and_leave(void *user, const MoveChoice *choice)
{
    TestPlayer *player = user;
    (void)choice;
    request(player, 2, FEN_START, &endless);
    leave(player);
    player->answers++;
}

static void note_closed(void *user)
{
    *(bool *)user = true;
}

ROOM_TEST(a_handle_freed_in_its_callback_while_it_waits_for_an_engine_is_released)
{
    Room *room = *state;
    if (!LIMITS_WORK)
        skip();
    struct rlimit before, limit;
    bool is_closed = false;
    TestPlayer *first = start(room, 1, 0), *second = first + 1;
    first->handle = source_handle_new(room->source, ask_again_and_leave, first, NULL);
    sit(room, second);
    request(first, 1, FEN_START, &endless);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 20; /* no second engine */
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    request(second, 1, mate_in_one, &shallow);
    source_stop(first->handle);
    wait_for(room, first, 1);
    wait_for(room, second, 1);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    leave(second);
    source_close(room->source, note_closed, &is_closed);
    for (int64_t end = clock_now_ms() + 5000; !is_closed && clock_now_ms() < end; usleep(200))
        uv_run(&room->loop, UV_RUN_NOWAIT);
    assert_true(is_closed);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    room->source = NULL;
}

/* The network's likeliest move after some moves, judged without the engine. */
static Move likeliest(const PolicyNetwork *network, const MoveRequest *request, float *probability)
{
    PolicyRoom *room;
    PolicyVerdict verdict;
    HumanHistory past;
    MoveList moves;
    int best = 0;
    assert_true(policy_room_new(&room, network, NULL));
    past_positions_read(&past, request);
    movegen_legal(request->position, &moves);
    policy_evaluate(network, room, &past, request->position, &moves, 1500, &verdict);
    for (int i = 1; i < moves.count; i++)
        if (verdict.probability[i] > verdict.probability[best])
            best = i;
    policy_room_free(room);
    *probability = verdict.probability[best];
    return moves.moves[best];
}

/* Games of different ratings share the engines, and each has its own network. */
ROOM_TEST(each_game_has_its_people)
{
    Room *room = *state;
    char paths[2][40] = { "/tmp/castled-people-XXXXXX", "/tmp/castled-people-XXXXXX" };
    const char *const files[] = { paths[0], paths[1], "/nonexistent", paths[0], NULL };
    const SearchLimits limits = { .human = true, .human_likeliest = true, .nodes = 100 };
    Position pos = position_of("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    Position other = position_by(RULES_ANTICHESS, variant_start_fen(VARIANT_ANTICHESS));
    for (uint64_t i = 0; i < 2; i++) {
        PolicyFile file =
            policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 7 + i });
        int fd = mkstemp(paths[i]);
        assert_true(fd >= 0 && write(fd, file.bytes, file.size) == (ssize_t)file.size);
        close(fd);
        policy_file_release(&file);
    }
    assert_true(human_networks_new(&room->human, NULL, NULL));
    TestPlayer *player = start(room, 1, 1);
    for (int i = 0; i < 5; i++) {
        MoveRequest what = { .version = (uint32_t)i + 1,
                             .variant = VARIANT_STANDARD,
                             .position = &pos,
                             .moves = text_of("e2e4 e7e5"),
                             .human = files[i],
                             .limits = limits };
        const PolicyNetwork *network =
            files[i] ? human_networks_get(room->human, files[i], 0) : NULL;
        source_search(player->handle, &what);
        wait_for(room, player, i + 1);
        assert_true(move_choice_has_move(&player->last));
        if (network) {
            float probability;
            assert_int_equal(player->last.move, likeliest(network, &what, &probability));
            /* The search orders the moves, and so the additions. */
            assert_true(fabsf(player->last.human.probability - probability) < 1e-5F);
        } else {
            assert_true(player->last.human.probability == 0);
        }
    }
    source_search(player->handle, &(MoveRequest){ .version = 6,
                                                  .variant = VARIANT_ANTICHESS,
                                                  .position = &other,
                                                  .human = paths[0],
                                                  .limits = limits });
    wait_for(room, player, 6);
    assert_true(player->last.human.probability == 0);
    unlink(paths[0]);
    unlink(paths[1]);
}
