/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I3 and I4 of bot/README.md. */
#include "bot/archive/archive.h"
#include "bot/review/replay.h"
#include "bot/archive/store.h"
#include "engine/base/clock.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    char folder[64], state[96], path[128], log_path[128];
    uv_loop_t loop;
    Log log;
    int log_fd;
    Archive *archive;
} Place;

static int make_place(void **state)
{
    Place *place = calloc(1, sizeof *place);
    memcpy(place->folder, "/tmp/castled-archive-XXXXXX", 28);
    if (!mkdtemp(place->folder) || uv_loop_init(&place->loop) != 0)
        return -1;
    int k = snprintf(place->state, sizeof place->state, "%s/state", place->folder);
    int n = snprintf(place->path, sizeof place->path, "%s/games.sqlite", place->state);
    int m = snprintf(place->log_path, sizeof place->log_path, "%s/log", place->folder);
    place->log_fd = open(place->log_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    log_init(&place->log, place->log_fd, LEVEL_DEBUG, LOG_FORM_PLAIN);
    *state = place;
    return k > 0 && n > 0 && m > 0 && place->log_fd >= 0 ? 0 : -1;
}

static int remove_place(void **state)
{
    static const char *const names[] = { "/state/games.sqlite",
                                         "/state/games.sqlite-wal",
                                         "/state/games.sqlite-shm",
                                         "/state/old.sqlite",
                                         "/state",
                                         "/log",
                                         "" };
    Place *place = *state;
    close(place->log_fd);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[160];
        if (snprintf(path, sizeof path, "%s%s", place->folder, names[i]) > 0)
            (void)!remove(path);
    }
    int failure = uv_loop_close(&place->loop);
    free(place);
    return failure;
}

static void begin_archive(Place *place)
{
    Error err = { 0 };
    if (!archive_new(&place->archive, &place->loop, place->path, &place->log, &err))
        fail_msg("%s", err.text);
}

static void run_until(Place *place, bool (*is_so)(const Place *place))
{
    int64_t end = clock_now_ms() + 20000;
    while (!is_so(place)) {
        assert_true(clock_now_ms() < end);
        uv_run(&place->loop, UV_RUN_NOWAIT);
        usleep(1000);
    }
}

static bool has_results(const Place *place)
{
    return archive_results(place->archive);
}

static bool is_fine(const Place *place)
{
    return archive_status(place->archive).state == ARCHIVE_FINE;
}

/* As the daemon does. */
static void open_archive(Place *place)
{
    const bool is_given_up = false;
    begin_archive(place);
    archive_await_facts(place->archive, 10000, &is_given_up);
    if (is_fine(place)) /* and so all else is known */
        run_until(place, has_results);
}

/* Closes it and lets the loop end. */
static void close_archive(Place *place)
{
    archive_close(place->archive);
    assert_int_equal(uv_run(&place->loop, UV_RUN_DEFAULT), 0);
}

static void add_game(Place *place, int number)
{
    GameRecord game;
    char id[16];
    assert_true(snprintf(id, sizeof id, "game%04d", number) > 0);
    record_make(&game, id, "alba", "e2e4 c7c5 g1f3 d7d6");
    game.moves[0].is_book = true;
    archive_add_game(place->archive, &game);
    record_release(&game);
}

static void run_while_writing(Place *place)
{
    int64_t end = clock_now_ms() + 20000;
    while (archive_status(place->archive).waiting > 0 &&
           archive_status(place->archive).state == ARCHIVE_FINE && clock_now_ms() < end)
        uv_run(&place->loop, UV_RUN_ONCE);
}

static void on_game(void *user, const GameRecord *record, int plies)
{
    int *count = user;
    assert_int_equal(plies, 4);
    assert_int_equal(record->players[BLACK].rating, 2213);
    ++*count;
}

static int games_in_file(const Place *place)
{
    Error err = { 0 };
    Store *store;
    int count = 0;
    if (!store_new(&store, place->path, STORE_READ, &err) ||
        !store_find_games(store, &(StoreFilter){ 0 }, STORE_SUMMARIES, STORE_NEWEST_FIRST, on_game,
                          &count, &err))
        fail_msg("%s", err.text);
    store_free(store);
    return count;
}

static int times_in_log(const Place *place, const char *words)
{
    static char text[100000];
    int count = 0;
    ssize_t len = pread(place->log_fd, text, sizeof text - 1, 0);
    text[len > 0 ? len : 0] = '\0';
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        count++;
    return count;
}

static uint32_t games_won_with_e4(const Place *place)
{
    Position start;
    assert_true(replay_begin(&start, VARIANT_STANDARD, ""));
    uint64_t key = start.key;
    Move move = replay_move(&start, text_of("e2e4"), NULL);
    return book_stats_of(archive_book_stats(place->archive), key, move).won;
}

#define PLACED(test) TEST_IN(test, make_place, remove_place)
/* Root may write anywhere, so a child without rights looks. It forks: first, while
 * there is one thread. */
PLACED(a_folder_that_cannot_be_written_stops_nobody)
{
#ifdef __SANITIZE_THREAD__
    skip(); /* it can't follow a fork into a child with threads of its own */
#endif
    Place *place = *state;
    assert_int_equal(chmod(place->folder, 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        if (chmod(place->folder, 0555) != 0 && geteuid() != 65534)
            _exit(3);
        open_archive(place);
        add_game(place, 1);
        int failing = archive_status(place->archive).state == ARCHIVE_FAILING;
        close_archive(place);
        _exit(failing && times_in_log(place, "not-written") == 1 &&
                      times_in_log(place, "lost games=1") == 1
                  ? 0
                  : 4);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(place->folder, 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

PLACED(games_facts_and_book_stats_outlive_the_process)
{
    Place *place = *state;
    open_archive(place);
    for (int i = 0; i < 100; i++)
        add_game(place, i);
    archive_remember(place->archive, FACT_DECLINED, text_of("alba"), "tooFast", INT64_MAX);
    archive_remember(place->archive, FACT_DECLINED, text_of("old"), "news", 1);
    assert_string_equal(archive_recall(place->archive, FACT_DECLINED, text_of("alba")), "tooFast");
    assert_int_equal(games_won_with_e4(place), 100);
    close_archive(place); /* writes what is queued */
    assert_int_equal(games_in_file(place), 100);
    open_archive(place);
    assert_int_equal(games_won_with_e4(place), 100);
    assert_string_equal(archive_recall(place->archive, FACT_DECLINED, text_of("alba")), "tooFast");
    assert_null(archive_recall(place->archive, FACT_DECLINED, text_of("old")));
    close_archive(place);
}

static int64_t wanted_wins;

static bool has_wanted_wins(const Place *place)
{
    return archive_results(place->archive)[AGAINST_HUMANS].won == wanted_wins;
}

PLACED(results_follow_what_is_written)
{
    Place *place = *state;
    for (int run = 0; run < 2; run++) { /* the second begins with what the first has written */
        open_archive(place);
        const StatsRow *results = archive_results(place->archive);
        assert_non_null(results);
        assert_int_equal(results[AGAINST_HUMANS].won, run);
        assert_int_equal(games_won_with_e4(place), run);
        add_game(place, run);
        assert_int_equal(archive_results(place->archive)[AGAINST_HUMANS].won, run);
        wanted_wins = run + 1;
        run_until(place, has_wanted_wins);
        results = archive_results(place->archive);
        assert_int_equal(games_won_with_e4(place), run + 1);
        assert_int_equal(results[AGAINST_BOTS].games, 0);
        close_archive(place);
    }
}

PLACED(games_without_moves_are_not_kept)
{
    Place *place = *state;
    GameRecord empty;
    open_archive(place);
    record_init(&empty);
    memcpy(empty.id, "x", 2);
    archive_add_game(place->archive, &empty);
    close_archive(place);
    assert_int_equal(games_in_file(place), 0);
}

PLACED(one_bad_row_costs_that_row_only)
{
    Place *place = *state;
    sqlite3 *db;
    open_archive(place);
    add_game(place, 0);
    run_while_writing(place);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "ALTER TABLE fact ADD COLUMN no TEXT CHECK (key <> 'lag')",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "b", INT64_MAX);
    add_game(place, 1);
    run_while_writing(place);
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_FINE);
    assert_int_equal(archive_status(place->archive).lost, 1);
    assert_int_equal(times_in_log(place, "CHECK constraint failed"), 1);
    close_archive(place);
    assert_int_equal(games_in_file(place), 2);
}

/* What could not be written for a while is written afterwards. */
PLACED(a_statement_that_fails_is_tried_again)
{
    Place *place = *state;
    sqlite3 *db;
    open_archive(place);
    add_game(place, 0);
    run_while_writing(place);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "ALTER TABLE moves RENAME TO elsewhere", NULL, NULL, NULL),
                     SQLITE_OK);
    add_game(place, 1);
    run_while_writing(place);
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_FAILING);
    assert_int_equal(archive_status(place->archive).waiting, 1);
    assert_int_equal(sqlite3_exec(db, "ALTER TABLE elsewhere RENAME TO moves", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    run_until(place, is_fine);
    run_while_writing(place);
    assert_int_equal(times_in_log(place, "not-written"), 1);
    close_archive(place);
    assert_int_equal(games_in_file(place), 2);
}

/* The facts that were told late, by their keys; and whether any were. */
static void on_late_facts(void *user, const Facts *stored)
{
    char *keys = user;
    size_t len = 0;
    for (size_t i = 0; i < stored->count; i++)
        len += (size_t)snprintf(keys + len, 100 - len, "%s=%s ", stored->list[i].key,
                                stored->list[i].value);
}

PLACED(an_archive_that_opens_late_has_its_facts_and_keeps_them)
{
    const bool is_given_up = false;
    Place *place = *state;
    sqlite3 *db;
    char told[100] = "";
    open_archive(place);
    archive_remember(place->archive, FACT_SCHEDULED, text_of("1"), "stored", INT64_MAX);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "stored", INT64_MAX);
    close_archive(place);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE;"
                                  "DELETE FROM moves",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    begin_archive(place);
    archive_on_facts(place->archive, on_late_facts, told);
    archive_await_facts(place->archive, 10000, &is_given_up);
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_FAILING);
    assert_null(archive_recall(place->archive, FACT_SCHEDULED, text_of("1")));
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "new", INT64_MAX);
    add_game(place, 1);
    sqlite3_close(db);
    run_until(place, is_fine);
    assert_string_equal(archive_recall(place->archive, FACT_SCHEDULED, text_of("1")), "stored");
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "new");
    assert_string_equal(told, "lag=stored scheduled/1=stored ");
    run_while_writing(place);
    close_archive(place);
    assert_int_equal(games_in_file(place), 1);
    open_archive(place);
    assert_string_equal(archive_recall(place->archive, FACT_SCHEDULED, text_of("1")), "stored");
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "new");
    close_archive(place);
}

static void on_fact(void *user, const Fact *fact)
{
    *(int64_t *)user = fact->expires_ms;
}

PLACED(a_fact_of_a_clock_that_was_ahead_lives_no_longer_than_its_kind)
{
    enum { DAY_S = 86400 };
    Place *place = *state;
    int64_t now = clock_unix_ms(), expires_ms = 0;
    open_archive(place);
    archive_remember(place->archive, FACT_LIMIT, text_of("event-stream"), "blocked",
                     now + INT64_C(365000) * DAY_S);
    close_archive(place);
    open_archive(place);
    archive_each_fact(place->archive, FACT_LIMIT, on_fact, &expires_ms);
    assert_in_range(expires_ms, now + INT64_C(6000) * DAY_S, now + INT64_C(8000) * DAY_S);
    close_archive(place);
}

PLACED(a_folder_that_comes_late_is_as_good)
{
    Place *place = *state;
    int fd = open(place->state, O_RDWR | O_CREAT | O_CLOEXEC, 0600); /* no folder can be there */
    close(fd);
    open_archive(place); /* and nothing is queued */
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_FAILING);
    assert_int_equal(remove(place->state), 0);
    run_until(place, is_fine);
    assert_int_equal(times_in_log(place, "writable-again"), 1);
    close_archive(place);
    assert_int_equal(games_in_file(place), 0);
}

static int games_in(const Place *place, const char *name)
{
    Place other = *place;
    assert_true(snprintf(other.path, sizeof other.path, "%s/%s", place->state, name) > 0);
    return games_in_file(&other);
}

static void move_away(const Place *place)
{
    char old[128];
    assert_true(snprintf(old, sizeof old, "%s/old.sqlite", place->state) > 0);
    assert_int_equal(rename(place->path, old), 0);
}

PLACED(a_file_that_is_moved_away_keeps_its_games_and_a_new_one_has_the_others)
{
    Place *place = *state;
    open_archive(place);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "kept", INT64_MAX);
    for (int i = 0; i < 4; i++)
        add_game(place, i);
    run_while_writing(place);
    move_away(place);
    add_game(place, 4);
    run_while_writing(place);
    assert_int_equal(times_in_log(place, "archive moved"), 1);
    assert_int_equal(games_in(place, "old.sqlite"), 4);
    assert_int_equal(games_in_file(place), 1);
    close_archive(place);
    assert_int_equal(games_in(place, "old.sqlite"), 4);
    open_archive(place);
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "kept");
    close_archive(place);
}

PLACED(a_file_that_is_moved_away_before_the_stop_keeps_its_games)
{
    Place *place = *state;
    open_archive(place);
    for (int i = 0; i < 4; i++)
        add_game(place, i);
    run_while_writing(place);
    move_away(place);
    close_archive(place);
    open_archive(place); /* as the next start does */
    close_archive(place);
    assert_int_equal(games_in(place, "old.sqlite"), 4);
}

static void wait_for_tidiness(Place *place)
{
    char wal[160];
    struct stat facts;
    assert_true(snprintf(wal, sizeof wal, "%s-wal", place->path) > 0);
    for (int64_t end = clock_now_ms() + 20000; clock_now_ms() < end;) {
        assert_int_equal(stat(wal, &facts), 0);
        if (facts.st_size == 0)
            return;
        uv_run(&place->loop, UV_RUN_ONCE);
    }
    fail_msg("%s: not empty", wal);
}

PLACED(what_is_written_soon_stands_in_the_file_itself)
{
    Place *place = *state;
    char wal[160];
    struct stat facts;
    open_archive(place);
    add_game(place, 0);
    run_while_writing(place);
    assert_true(snprintf(wal, sizeof wal, "%s-wal", place->path) > 0);
    assert_int_equal(stat(wal, &facts), 0);
    assert_true(facts.st_size > 0);
    wait_for_tidiness(place);
    close_archive(place);
}

static void note_lag(void *user, const char *key, const char *value, int64_t expires_ms)
{
    (void)value;
    (void)expires_ms;
    *(bool *)user |= strcmp(key, "lag") == 0;
}

static bool has_lag_in_file(const Place *place)
{
    bool is_there = false;
    Store *store;
    assert_true(store_new(&store, place->path, STORE_READ, NULL));
    assert_true(store_read_facts(store, note_lag, &is_there, NULL));
    store_free(store);
    return is_there;
}

/* A clock that is ahead would have every fact deleted. */
PLACED(facts_expire_once_the_clock_is_known_to_be_right)
{
    Place *place = *state;
    open_archive(place);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "40", clock_unix_ms() - 1000);
    add_game(place, 0);
    run_while_writing(place);
    wait_for_tidiness(place);
    assert_true(has_lag_in_file(place));
    archive_trust_clock(place->archive, true);
    add_game(place, 1);
    run_while_writing(place);
    wait_for_tidiness(place);
    assert_false(has_lag_in_file(place));
    close_archive(place);
}

/* A disk that takes its time: what SQLite calls instead of libc's, counted. */
static atomic_int sync_ms, syncs, loops_syncs;
static pthread_t loops_thread;

__attribute__((visibility("default"))) int fdatasync(int fd)
{
    (void)fd;
    syncs++;
    loops_syncs += pthread_equal(pthread_self(), loops_thread) != 0;
    usleep((useconds_t)sync_ms * 1000);
    return 0;
}

PLACED(a_stop_waits_for_few_commits_however_much_is_queued)
{
    enum { GAMES = 50, SYNCS_MOST = 8 /* two commits, a checkpoint, and that of the close */ };
    Place *place = *state;
    open_archive(place);
    sync_ms = 50;
    syncs = 0;
    for (int i = 0; i < GAMES; i++) {
        char key[16];
        add_game(place, i); /* the first begins a job */
        assert_true(snprintf(key, sizeof key, "user%d", i) > 0);
        archive_remember(place->archive, FACT_DECLINED, text_of(key), "later", INT64_MAX);
    }
    close_archive(place);
    sync_ms = 0;
    assert_in_range(syncs, 1, SYNCS_MOST);
    assert_int_equal(games_in_file(place), GAMES);
    open_archive(place);
    assert_string_equal(archive_recall(place->archive, FACT_DECLINED, text_of("user49")), "later");
    close_archive(place);
}

PLACED(a_bad_row_costs_its_batch_nothing_else)
{
    enum { GAMES = 10 };
    Place *place = *state;
    GameRecord bad;
    sqlite3 *db;
    open_archive(place);
    add_game(place, 0);
    run_while_writing(place);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "ALTER TABLE moves ADD COLUMN no TEXT CHECK (uci <> 'd2d4 d7d5')",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    for (int i = 1; i < GAMES; i++) {
        add_game(place, i); /* the first in a job of its own, the others in one */
        record_make(&bad, "bad", "alba", "d2d4 d7d5"); /* its first row fits, its moves do not */
        if (i == GAMES / 2)
            archive_add_game(place->archive, &bad);
        record_release(&bad);
    }
    run_while_writing(place);
    ArchiveStatus status = archive_status(place->archive);
    assert_int_equal(status.state, ARCHIVE_FINE);
    assert_int_equal(status.lost, 1);
    assert_int_equal(status.written, GAMES);
    close_archive(place);
    assert_int_equal(games_in_file(place), GAMES);
}

PLACED(a_slow_disk_costs_a_new_archive_few_commits_and_the_loop_none)
{
    enum { SYNCS_MOST = 8, SYNC_MS = 50 };
    Place *place = *state;
    sync_ms = SYNC_MS;
    syncs = loops_syncs = 0;
    loops_thread = pthread_self();
    begin_archive(place);
    run_until(place, is_fine);
    run_until(place, has_results);
    assert_in_range(syncs, 1, SYNCS_MOST);
    add_game(place, 0);
    close_archive(place);
    sync_ms = 0;
    assert_int_equal(loops_syncs, 0);
    assert_int_equal(games_in_file(place), 1);
}

/* A disk that fills: this process may not make files longer than they are. */
static void set_file_limit(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

PLACED(a_full_disk_is_said_once_and_nothing_is_lost)
{
    Place *place = *state;
    signal(SIGXFSZ, SIG_IGN);
    open_archive(place);
    add_game(place, 0);
    run_while_writing(place);
    set_file_limit(16384);
    for (int i = 1; i < 20; i++) {
        add_game(place, i);
        run_while_writing(place);
    }
    ArchiveStatus status = archive_status(place->archive);
    assert_int_equal(status.state, ARCHIVE_FAILING);
    assert_true(status.waiting > 0);
    assert_true(status.why[0] != '\0');
    set_file_limit(RLIM_INFINITY);
    assert_int_equal(times_in_log(place, "not-written"), 1);
    close_archive(place); /* tries once more, now with room */
    assert_int_equal(times_in_log(place, "writable-again"), 1);
    assert_int_equal(games_in_file(place), 20);
}

PLACED(a_full_disk_from_the_start_stops_nobody)
{
    Place *place = *state;
    signal(SIGXFSZ, SIG_IGN);
    set_file_limit(0);
    open_archive(place);
    for (int i = 0; i < 300; i++)
        add_game(place, i);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "b", INT64_MAX);
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "b");
    ArchiveStatus status = archive_status(place->archive);
    set_file_limit(RLIM_INFINITY);
    assert_int_equal(status.state, ARCHIVE_FAILING);
    assert_int_equal(status.waiting, 256); /* the oldest have given way */
    assert_int_equal(status.lost, 44);
    close_archive(place);
    assert_int_equal(games_in_file(place), 256);
}

PLACED(a_hostile_file_is_left_as_it_is)
{
    Place *place = *state;
    char folder[128], text[16];
    assert_true(snprintf(folder, sizeof folder, "%s/state", place->folder) > 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    int fd = open(place->path, O_RDWR | O_CREAT, 0600);
    assert_int_equal(write(fd, "my diary, page 1", 16), 16);
    open_archive(place);
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_UNFIT);
    add_game(place, 1);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "b", INT64_MAX);
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "b");
    assert_int_equal(archive_status(place->archive).waiting, 0);
    close_archive(place);
    assert_int_equal(pread(fd, text, sizeof text, 0), 16);
    assert_memory_equal(text, "my diary, page 1", 16);
    close(fd);
    assert_int_equal(times_in_log(place, "left alone until the next start"), 1);
}

PLACED(without_a_file_facts_and_book_stats_live_as_long_as_the_process)
{
    Place *place = *state;
    Error err = { 0 };
    assert_true(archive_new(&place->archive, &place->loop, NULL, &place->log, &err));
    add_game(place, 1);
    archive_remember(place->archive, FACT_LAG, (Text){ 0 }, "b", INT64_MAX);
    assert_string_equal(archive_recall(place->archive, FACT_LAG, (Text){ 0 }), "b");
    assert_int_equal(games_won_with_e4(place), 1);
    assert_int_equal(archive_status(place->archive).state, ARCHIVE_OFF);
    assert_null(archive_results(place->archive));
    close_archive(place);
}

/* The loop's part of keeping a game of 120 plies, measured. */
PLACED(keeping_a_game_takes_the_loop_no_time)
{
    enum { PLIES = 120, TURNS = 200, MOST_US = 2000 };
    Place *place = *state;
    char moves[PLIES * 5 + 1];
    static const char *const shuffle[] = { "g1f3 ", "g8f6 ", "f3g1 ", "f6g8 " };
    for (int i = 0; i < PLIES; i++)
        memcpy(moves + (size_t)i * 5, shuffle[i % 4], 6);
    GameRecord game;
    record_make(&game, "Qw8rTy2u", "alba", moves);
    open_archive(place);
    int64_t worst = 0, total = 0;
    for (int i = 0; i < TURNS; i++) {
        int64_t began = clock_now_us();
        archive_add_game(place->archive, &game);
        int64_t took = clock_now_us() - began;
        worst = took > worst ? took : worst;
        total += took;
        uv_run(&place->loop, UV_RUN_NOWAIT);
    }
    print_message("%.1f us each, at most %lld us\n", (double)total / TURNS, (long long)worst);
    close_archive(place);
    record_release(&game);
    assert_true(total / TURNS < MOST_US);
}

int main(void)
{
    return run_all_tests();
}
