/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I2, I5 and I8 of bot/README.md. */
#include "bot/source/builtin_engine.h"
#include "bot/source/priority.h"
#include "engine/base/clock.h"
#include "tests/chess.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
    uv_loop_t loop;
    Source *source;
} Room;

/* One game's place, and what came back. */
typedef struct {
    SourceHandle *handle;
    int answers;
    MoveChoice last;
} Player;

static void set_up(Room *room, int threads)
{
    Error err = { 0 };
    EnginePoolOptions options = { .threads = threads, .hash_mib = 4 };
    assert_int_equal(uv_loop_init(&room->loop), 0);
    if (!builtin_engine_new(&room->source, &room->loop, &options, &err))
        fail_msg("%s", err.text);
}

/* All handles must be closed by then. */
static void tear_down(Room *room)
{
    source_close(room->source, NULL, NULL);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room->loop), 0);
}

static void on_move_found(void *user, const MoveChoice *choice)
{
    Player *player = user;
    player->answers++;
    player->last = *choice;
}

static void sit(Room *room, Player *player)
{
    memset(player, 0, sizeof *player);
    player->handle = source_handle_new(room->source, on_move_found, player, NULL);
    assert_non_null(player->handle);
}

static void request(Player *player, uint32_t version, const char *fen, const SearchLimits *limits)
{
    Position pos = position_of(fen);
    source_search(player->handle,
                  &(MoveRequest){ .version = version, .position = &pos, .limits = *limits });
}

static void wait_for(Room *room, const Player *player, int answers)
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

static void a_request_is_answered_from_the_loop(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    request(&player, 42, mate_in_one, &shallow);
    assert_int_equal(player.answers, 0);
    wait_for(&room, &player, 1);
    assert_int_equal(player.last.version, 42);
    assert_int_equal(move_from(player.last.move), A1);
    assert_int_equal(move_to(player.last.move), A8);
    assert_int_equal(player.last.score, SCORE_MATE - 1);
    assert_true(player.last.depth > 0);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void a_stop_brings_the_best_so_far(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    usleep(20000);
    source_stop(player.handle);
    wait_for(&room, &player, 1);
    assert_int_not_equal(player.last.move, MOVE_NONE);
    source_stop(player.handle); /* nothing runs: nothing happens */
    source_handle_free(player.handle);
    tear_down(&room);
}

static void who_looks_on_sees_what_the_search_has_found(void **state)
{
    (void)state;
    Room room;
    Player player;
    MoveChoice seen = { .depth = 0 };
    set_up(&room, 1);
    sit(&room, &player);
    assert_false(source_progress(player.handle, &seen));
    request(&player, 42, FEN_START, &endless);
    for (int64_t end = clock_now_ms() + 20000; seen.depth < 6 && clock_now_ms() < end; usleep(200))
        (void)!source_progress(player.handle, &seen);
    assert_true(seen.depth >= 6);
    assert_int_equal(seen.version, 42);
    assert_in_range(seen.pv_length, 1, MOVE_CHOICE_PV);
    assert_int_equal(seen.pv[0], seen.move);
    Position pos = position_of(FEN_START);
    for (int i = 0; i < seen.pv_length; i++) {
        Undo undo;
        assert_true(position_is_pseudo_legal(&pos, seen.pv[i]) &&
                    position_is_legal(&pos, seen.pv[i]));
        position_make(&pos, seen.pv[i], &undo);
    }
    source_stop(player.handle);
    wait_for(&room, &player, 1);
    assert_int_equal(player.last.pv[0], player.last.move);
    assert_false(source_progress(player.handle, &seen));
    source_handle_free(player.handle);
    tear_down(&room);
}

static void a_new_request_replaces_the_old_one(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    request(&player, 2, FEN_START, &endless);
    request(&player, 3, mate_in_one, &shallow);
    wait_for(&room, &player, 1);
    assert_int_equal(player.last.version, 3);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void a_stop_reaches_a_request_that_still_waits(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    request(&player, 2, FEN_START, &endless);
    source_stop(player.handle);
    wait_for(&room, &player, 1);
    assert_int_equal(player.last.version, 2);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void a_handle_freed_in_mid_search_hears_no_more(void **state)
{
    (void)state;
    Room room;
    Player player, other;
    set_up(&room, 1);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    source_handle_free(player.handle);
    sit(&room, &other);
    request(&other, 7, mate_in_one, &shallow);
    wait_for(&room, &other, 1);
    assert_int_equal(player.answers, 0);
    source_handle_free(other.handle);
    tear_down(&room);
}

static void a_source_can_be_closed_while_engines_still_stop(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 2);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    source_handle_free(player.handle);
    int64_t began = clock_now_ms();
    tear_down(&room);
    assert_true(clock_now_ms() - began < 1000);
}

static void more_games_than_expected_are_served_too(void **state)
{
    (void)state;
    enum { GAMES = 6 };
    Room room;
    Player players[GAMES];
    set_up(&room, 2);
    for (int i = 0; i < GAMES; i++) {
        sit(&room, &players[i]);
        request(&players[i], (uint32_t)i + 1, mate_in_one, &shallow);
    }
    for (int i = 0; i < GAMES; i++) {
        wait_for(&room, &players[i], 1);
        assert_int_equal(players[i].last.version, i + 1);
        assert_int_equal(move_to(players[i].last.move), A8);
        source_handle_free(players[i].handle);
    }
    tear_down(&room);
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

static void searches_run_below_the_loop(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 3);
    sit(&room, &player);
    request(&player, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 3 : 0);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void who_was_told_to_stop_takes_no_threads_from_the_next(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    Room room;
    Player first, second;
    set_up(&room, THREADS);
    sit(&room, &first);
    sit(&room, &second);
    request(&first, 1, FEN_START, &endless);
    source_stop(first.handle);
    request(&second, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 2 * THREADS : 0);
    wait_for(&room, &first, 1);
    assert_int_not_equal(first.last.move, MOVE_NONE);
    /* A later request counts again. */
    request(&first, 2, FEN_START, &endless);
    source_stop(first.handle);
    request(&first, 3, FEN_START, &endless);
    source_stop(second.handle);
    wait_for(&room, &second, 1);
    source_handle_free(first.handle);
    source_handle_free(second.handle);
    tear_down(&room);
}

static void games_that_think_in_turn_need_one_engine(void **state)
{
    (void)state;
    enum { GAMES = 5 };
    Room room;
    Player players[GAMES];
    set_up(&room, 1);
    for (int i = 0; i < GAMES; i++)
        sit(&room, &players[i]);
    for (int i = 0; i < GAMES; i++) {
        request(&players[i], 1, mate_in_one, &shallow);
        wait_for(&room, &players[i], 1);
    }
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    request(&players[0], 2, FEN_START, &endless);
    request(&players[1], 2, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 2 : 0);
    for (int i = 0; i < GAMES; i++)
        source_handle_free(players[i].handle);
    tear_down(&room);
}

static void engines_beyond_the_threads_go_when_they_rest(void **state)
{
    (void)state;
    enum { GAMES = 4, THREADS = 2 };
    Room room;
    Player players[GAMES];
    set_up(&room, THREADS);
    for (int i = 0; i < GAMES; i++) {
        sit(&room, &players[i]);
        request(&players[i], 1, FEN_START, &endless);
    }
    assert_int_equal(count_lower_threads(), can_be_lowered() ? THREADS + GAMES - 1 : 0);
    for (int i = 0; i < GAMES; i++)
        source_stop(players[i].handle);
    for (int i = 0; i < GAMES; i++)
        wait_for(&room, &players[i], 1);
    assert_in_range(count_lower_threads(), 0, THREADS + 1);
    for (int i = 0; i < GAMES; i++)
        source_handle_free(players[i].handle);
    tear_down(&room);
}

/* The engine that was made for half of the threads gets them all when it thinks alone. */
static void a_lone_search_has_all_threads(void **state)
{
    (void)state;
    Room room;
    Player first, second;
    set_up(&room, 4);
    sit(&room, &first);
    sit(&room, &second);
    request(&first, 1, FEN_START, &endless);
    request(&second, 1, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 4 + 2 : 0);
    source_stop(first.handle);
    source_stop(second.handle);
    wait_for(&room, &first, 1);
    wait_for(&room, &second, 1);
    request(&second, 2, FEN_START, &endless);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 4 + 4 : 0);
    source_handle_free(first.handle);
    source_handle_free(second.handle);
    tear_down(&room);
}

/* Plays the answer and the reply that was expected, and says whose turn it then is: ours. */
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

static void request_with(Player *player, uint32_t version, const Position *pos,
                         const SearchLimits *limits)
{
    source_search(
        player->handle,
        &(MoveRequest){ .version = version, .position = pos, .limits = *limits, .ponder = true });
}

static void request_at(Player *player, uint32_t version, const Position *pos, int64_t movetime_ms)
{
    request_with(player, version, pos, &(SearchLimits){ .movetime_ms = movetime_ms });
}

/* Thinks for a while, so that there is something to ponder on. */
static void think_and_ponder(Room *room, Player *player, int64_t movetime_ms)
{
    Position start = position_of(FEN_START);
    request_at(player, 1, &start, movetime_ms);
    wait_for(room, player, 1);
}

/* For how long an order is thought about, ms. */
static int64_t search(Room *room, Player *player, uint32_t version, const Position *pos,
                      const SearchLimits *limits)
{
    int64_t began = clock_now_ms();
    request_with(player, version, pos, limits);
    wait_for(room, player, (int)version);
    return clock_now_ms() - began;
}

/* A way to limit a search, and how long an order takes at least that was not pondered on, ms. */
typedef struct {
    SearchLimits limits;
    int64_t least_ms;
} Pace;

static void a_reply_that_was_expected_is_answered_at_once(void **state)
{
    const Pace *pace = *state;
    const SearchLimits *limits = &pace->limits;
    Position pos;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    pos = position_of(FEN_START);
    const int64_t search_ms = search(&room, &player, 1, &pos, limits);
    usleep((useconds_t)search_ms * 1500);
    pos = after_expected(&player.last);
    assert_true(search(&room, &player, 2, &pos, limits) < search_ms / 2);
    assert_int_equal(player.last.version, 2);
    assert_true(player.last.depth > 0);
    assert_true(position_is_legal(&pos, player.last.move));
    Undo undo;
    position_make(&pos, player.last.move, &undo);
    position_make(&pos, player.last.reply, &undo);
    usleep((useconds_t)search_ms * 150);
    /* An answer at once does not make the next one ripe sooner. */
    assert_true(search(&room, &player, 3, &pos, limits) >= pace->least_ms);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void an_unripe_hit_and_a_miss_think_for_their_time(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 1);
    sit(&room, &player);
    think_and_ponder(&room, &player, 400);
    Position pos = after_expected(&player.last);
    int64_t began = clock_now_ms();
    request_at(&player, 2, &pos, 400); /* a hit, but at once */
    wait_for(&room, &player, 2);
    assert_true(clock_now_ms() - began >= 300);
    usleep(500000);
    pos = position_of(mate_in_one);
    began = clock_now_ms();
    request_at(&player, 3, &pos, 300); /* something else altogether */
    wait_for(&room, &player, 3);
    assert_int_equal(player.last.version, 3);
    assert_int_equal(move_to(player.last.move), A8);
    source_handle_free(player.handle);
    tear_down(&room);
}

static void ponder(Player *player, const Position *pos, const MoveChoice *played)
{
    source_ponder(
        player->handle,
        &(MoveRequest){ .position = pos, .limits = { .movetime_ms = 5000 }, .ponder = true },
        played);
}

static void who_was_outrun_ponders_on_the_others_move(void **state)
{
    (void)state;
    for (int is_searching = 0; is_searching < 2; is_searching++) {
        Room room;
        Player player;
        Position pos;
        Undo undo;
        set_up(&room, 1);
        sit(&room, &player);
        think_and_ponder(&room, &player, 300); /* so that it knows how long is long enough */
        pos = position_of(FEN_START);
        if (is_searching)
            request_at(&player, 2, &pos, 60000);
        MoveChoice played = { .move = move_of(&pos, "h2h4") };
        Position after = pos;
        position_make(&after, played.move, &undo);
        played.reply = move_of(&after, "a7a5");
        position_make(&after, played.reply, &undo);
        ponder(&player, &pos, &played);
        for (int64_t end = clock_now_ms() + 1000; clock_now_ms() < end; usleep(1000))
            uv_run(&room.loop, UV_RUN_NOWAIT);
        assert_int_equal(player.answers, 1);
        int64_t began = clock_now_ms();
        request_at(&player, 3, &after, 20000);
        wait_for(&room, &player, 2);
        assert_true(clock_now_ms() - began < 10000);
        assert_int_equal(player.last.version, 3);
        assert_true(position_is_legal(&after, player.last.move));
        source_handle_free(player.handle);
        tear_down(&room);
    }
}

static void where_it_expects_no_reply_it_ponders_all_the_same(void **state)
{
    (void)state;
    Room room;
    Player player;
    Position pos;
    Undo undo;
    set_up(&room, 1);
    sit(&room, &player);
    pos = position_of(FEN_START);
    MoveChoice played = { .move = move_of(&pos, "h2h4") };
    ponder(&player, &pos, &played);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    position_make(&pos, played.move, &undo);
    position_make(&pos, move_of(&pos, "a7a5"), &undo);
    request_at(&player, 2, &pos, 50);
    wait_for(&room, &player, 1);
    assert_true(position_is_legal(&pos, player.last.move));
    ponder(&player, &pos, &player.last);
    source_handle_free(player.handle); /* in mid-pondering */
    tear_down(&room);
}

/* The one thread is the other game's when that has to move. */
static void pondering_yields_to_a_game_that_thinks(void **state)
{
    (void)state;
    Room room;
    Player player, other;
    set_up(&room, 1);
    sit(&room, &player);
    sit(&room, &other);
    think_and_ponder(&room, &player, 300);
    assert_int_equal(count_lower_threads(), can_be_lowered() ? 1 : 0);
    request(&other, 7, mate_in_one, &shallow);
    wait_for(&room, &other, 1);
    Position pos = after_expected(&player.last);
    request_at(&player, 2, &pos, 50);
    wait_for(&room, &player, 2);
    assert_int_equal(player.answers, 2);
    source_handle_free(player.handle);
    source_handle_free(other.handle);
    tear_down(&room);
}

static void a_source_can_be_closed_while_games_ponder(void **state)
{
    (void)state;
    Room room;
    Player player;
    set_up(&room, 2);
    sit(&room, &player);
    think_and_ponder(&room, &player, 300);
    source_handle_free(player.handle);
    int64_t began = clock_now_ms();
    tear_down(&room);
    assert_true(clock_now_ms() - began < 1000);
    assert_int_equal(player.answers, 1);
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

static void without_memory_for_its_hash_an_engine_gets_less(void **state)
{
    (void)state;
    if (!LIMITS_WORK)
        skip();
    Room room;
    Player player;
    int noted[2] = { 0 };
    struct rlimit before, limit;
    EnginePoolOptions options = {
        .threads = 1, .hash_mib = 4096, .on_less_hash = note_less_hash, .user = noted
    };
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(uv_loop_init(&room.loop), 0);
    assert_true(builtin_engine_new(&room.source, &room.loop, &options, NULL));
    assert_int_equal(noted[0], 4096);
    assert_in_range(noted[1], 64, 1000);
    sit(&room, &player);
    request(&player, 1, mate_in_one, &shallow);
    wait_for(&room, &player, 1);
    source_handle_free(player.handle);
    tear_down(&room);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

/* Asks again when it is answered, and leaves at once. */
static void ask_again_and_leave(void *user, const MoveChoice *choice)
{
    Player *player = user;
    (void)choice;
    request(player, 2, FEN_START, &endless);
    source_handle_free(player->handle);
    player->answers++;
}

static void note_closed(void *user)
{
    *(bool *)user = true;
}

static void a_handle_freed_in_its_callback_while_it_waits_for_an_engine_goes(void **state)
{
    (void)state;
    if (!LIMITS_WORK)
        skip();
    Room room;
    Player first, second;
    struct rlimit before, limit;
    bool is_closed = false;
    set_up(&room, 1);
    memset(&first, 0, sizeof first);
    first.handle = source_handle_new(room.source, ask_again_and_leave, &first, NULL);
    sit(&room, &second);
    request(&first, 1, FEN_START, &endless);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 20; /* no second engine */
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    request(&second, 1, mate_in_one, &shallow);
    source_stop(first.handle);
    wait_for(&room, &first, 1);
    wait_for(&room, &second, 1);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    source_handle_free(second.handle);
    source_close(room.source, note_closed, &is_closed);
    for (int64_t end = clock_now_ms() + 5000; !is_closed && clock_now_ms() < end; usleep(200))
        uv_run(&room.loop, UV_RUN_NOWAIT);
    assert_true(is_closed);
    uv_run(&room.loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&room.loop), 0);
}

int main(void)
{
    Pace by_movetime = { { .movetime_ms = 600 }, 400 };
    Pace by_clock = { { .has_clock = true, .time_ms = { 20000, 20000 } }, 80 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered_from_the_loop),
        cmocka_unit_test(a_stop_brings_the_best_so_far),
        cmocka_unit_test(who_looks_on_sees_what_the_search_has_found),
        cmocka_unit_test(a_new_request_replaces_the_old_one),
        cmocka_unit_test(a_stop_reaches_a_request_that_still_waits),
        cmocka_unit_test(a_handle_freed_in_mid_search_hears_no_more),
        cmocka_unit_test(a_source_can_be_closed_while_engines_still_stop),
        cmocka_unit_test(more_games_than_expected_are_served_too),
        cmocka_unit_test(searches_run_below_the_loop),
        cmocka_unit_test(who_was_told_to_stop_takes_no_threads_from_the_next),
        cmocka_unit_test(games_that_think_in_turn_need_one_engine),
        cmocka_unit_test(engines_beyond_the_threads_go_when_they_rest),
        cmocka_unit_test(a_lone_search_has_all_threads),
        cmocka_unit_test_prestate(a_reply_that_was_expected_is_answered_at_once, &by_movetime),
        cmocka_unit_test_prestate(a_reply_that_was_expected_is_answered_at_once, &by_clock),
        cmocka_unit_test(an_unripe_hit_and_a_miss_think_for_their_time),
        cmocka_unit_test(who_was_outrun_ponders_on_the_others_move),
        cmocka_unit_test(where_it_expects_no_reply_it_ponders_all_the_same),
        cmocka_unit_test(pondering_yields_to_a_game_that_thinks),
        cmocka_unit_test(a_source_can_be_closed_while_games_ponder),
        cmocka_unit_test(a_handle_freed_in_its_callback_while_it_waits_for_an_engine_goes),
        cmocka_unit_test(without_memory_for_its_hash_an_engine_gets_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
