/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The archive on a PostgreSQL server, which this program starts: it answers as a file does. */
#include "bot/archive/db_postgres.h"
#include "bot/archive/progress.h"
#include "bot/archive/store_analysis.h"
#include "engine/base/random.h"
#include "tests/support/postgres_place.h"
#include "tests/support/records.h"

#include <sys/socket.h>
#include <sys/wait.h>

enum { GAMES = 300 };

/* A game that differs from others in all that filters and tables look at. */
static void make_game(GameRecord *game, int number, uint64_t *seed)
{
    static const char *const opponents[] = { "alba", "berta", "corvin", "dora" };
    static const char *const moves[] = { "e2e4 c7c5 g1f3 d7d6 d2d4", "d2d4 d7d5 c2c4 e7e6",
                                         "e2e4 e7e5 g1f3", "g1f3 d7d5 g2g3 c7c5 f1g2" };
    static const GameStatus statuses[] = { STATUS_MATE, STATUS_RESIGN, STATUS_OUTOFTIME,
                                           STATUS_DRAW, STATUS_ABORTED };
    char id[16];
    assert_true(snprintf(id, sizeof id, "game%04d", number) > 0);
    record_make(game, id, opponents[random_next(seed) % 4], moves[random_next(seed) % 4]);
    game->variant = random_next(seed) % 5 == 0 ? VARIANT_CHESS960 : VARIANT_STANDARD;
    game->speed = random_next(seed) % 2 ? SPEED_BULLET : SPEED_BLITZ;
    game->rated = random_next(seed) % 2;
    if (random_next(seed) % 6 == 0)
        game->time = time_control_of_days(3);
    if (random_next(seed) % 2) {
        Player white = game->players[WHITE];
        game->players[WHITE] = game->players[BLACK];
        game->players[BLACK] = white;
        game->us = BLACK;
    }
    Player *them = &game->players[colour_other(game->us)];
    them->rating = random_next(seed) % 4 ? 1500 + (int)(random_next(seed) % 1000) : 0;
    if (random_next(seed) % 3 == 0)
        memcpy(them->title, "BOT", 4);
    for (size_t i = 0; i < game->count; i++) {
        game->moves[i].has_choice = i % 2 == (game->us == BLACK);
        game->moves[i].is_book = game->moves[i].has_choice && i < random_next(seed) % 5;
        game->moves[i].depth = game->moves[i].is_book ? 0 : 9;
        game->moves[i].score = (int)(random_next(seed) % 200) - 100;
    }
    GameStatus status = statuses[random_next(seed) % 5];
    Colour winner = status == STATUS_DRAW || status == STATUS_ABORTED
                        ? COLOUR_NONE
                        : (Colour)(random_next(seed) % 2);
    record_end(game, status, winner, 1790000000000 + number * 1000);
}

static void on_found(void *user, const GameRecord *record, int plies)
{
    (void)plies;
    record_release(user);
    assert_true(record_copy(user, record));
}

static void add(Store *store, const GameRecord *game)
{
    Error err = { 0 };
    if (!store_add_game(store, game, &err))
        fail_msg("%s", err.text);
}

static void fill(Store *a, Store *b)
{
    uint64_t seed = 20261122;
    for (int i = 0; i < GAMES; i++) {
        GameRecord game;
        make_game(&game, i, &seed);
        add(a, &game);
        add(b, &game);
        if (i % 7 == 0) { /* told twice */
            add(a, &game);
            add(b, &game);
        }
        record_release(&game);
    }
}

/* What one side says, in words. */
typedef struct {
    char text[200000];
    size_t len;
} Said;

static void PRINTF_LIKE(2, 3) put(Said *said, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(said->text + said->len, sizeof said->text - said->len, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < sizeof said->text - said->len);
    said->len += (size_t)n;
}

static void on_game(void *user, const GameRecord *game, int plies)
{
    put(user, "%s %d %d %d %d %d %lld %lld %s/%d %s/%d %d %d %lld", game->id, plies, game->variant,
        game->speed, game->rated, game->time.days, (long long)game->time.base_s,
        (long long)game->created_at_ms, game->players[WHITE].name, game->players[WHITE].rating,
        game->players[BLACK].title, game->players[BLACK].rating, game->us, game->winner,
        (long long)game->ended_at_ms);
    for (size_t i = 0; i < game->count; i++)
        put(user, " %s,%d,%d", game->moves[i].uci, game->moves[i].score, game->moves[i].depth);
    put(user, "\n");
}

static void on_row(void *user, const StatsRow *row)
{
    put(user, "%s +%lld =%lld -%lld %.3f %lld %.3f %lld %.3f %lld\n", row->name,
        (long long)row->won, (long long)row->drawn, (long long)row->lost, row->opponents,
        (long long)row->in_book, row->book_plies, (long long)row->exits, row->exit_cp,
        (long long)row->groups);
}

static void say_all(Store *store, const StoreFilter *filter, Said *said)
{
    Error err = { 0 };
    Progress progress = { .count = 0 };
    said->len = 0;
    said->text[0] = '\0';
    bool ok =
        store_find_games(store, filter, STORE_WHOLE_GAMES, STORE_OLDEST_FIRST, on_game, said,
                         &err) &&
        store_find_games(store, filter, STORE_SUMMARIES, STORE_NEWEST_FIRST, on_game, said, &err);
    for (int by = 0; by < STATS_BY_COUNT && ok; by++)
        ok = stats_read(store, filter, (StatsBy)by, 5, on_row, said, &err);
    ok = ok && progress_read(store, filter, &progress, &err);
    put(said, "%lld %d steps\n", (long long)progress.begins_ms, progress.count);
    for (int i = 0; i < progress.count; i++)
        put(said, "%lld %lld %lld, %d\n", (long long)progress.results[AGAINST_BOTS][i].won,
            (long long)progress.results[AGAINST_HUMANS][i].lost,
            (long long)progress.results[AGAINST_HUMANS][i].drawn, progress.ratings[0].rating[i]);
    if (!ok)
        fail_msg("%s", err.text);
}

POSTGRES_TEST(a_server_says_what_a_file_says)
{
    static const StoreFilter filters[] = {
        { 0 },
        { .limit = 7 },
        { .id = "game0042" },
        { .id = "none" },
        { .opponent = "Alba", .kind = STORE_BOTS },
        { .kind = STORE_HUMANS, .outcome = STORE_LOST },
        { .mode = STORE_RATED, .speed = SPEED_BULLET, .variant = VARIANT_CHESS960 },
        { .since_ms = 1790000100000, .until_ms = 1790000200000, .outcome = STORE_DRAWN },
        { .account = "Castled-Bot", .limit = 3 },
        { .account = "nobody" },
    };
    static Said a, b;
    Store *file = open_place(*state, STORE_WRITE), *remote = postgres_open(STORE_WRITE);
    fill(file, remote);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        say_all(file, &filters[i], &a);
        say_all(remote, &filters[i], &b);
        if (strcmp(a.text, b.text) != 0)
            fail_msg("filter %zu: the file says\n%s\nthe server\n%s", i, a.text, b.text);
        assert_true(a.len > 0 || i == 3 || i == 9);
    }
    store_free(file);
    store_free(remote);
}

POSTGRES_TEST(results_and_book_stats_are_those_of_one_account)
{
    Error err = { 0 };
    Store *file = open_place(*state, STORE_WRITE), *remote = postgres_open(STORE_WRITE);
    StatsRow of_file[AGAINST_COUNT], of_server[AGAINST_COUNT];
    BookStats a, b;
    uint64_t seed = 1;
    GameRecord game;
    fill(file, remote);
    make_game(&game, 9999, &seed); /* of another account, the same game's other side too */
    memcpy(game.id, "game0001", 9);
    memcpy(game.players[game.us].id, "another", 8);
    add(remote, &game);
    record_release(&game);
    int64_t count = 0;
    assert_true(store_count_games(remote, &count, &err));
    assert_int_equal(count, GAMES + 1);
    assert_true(stats_read_kinds(file, NULL, of_file, &err));
    if (!stats_read_kinds(remote, "castled-bot", of_server, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < AGAINST_COUNT; i++) {
        assert_int_equal(of_file[i].won, of_server[i].won);
        assert_int_equal(of_file[i].games, of_server[i].games);
        assert_true(of_file[i].opponents == of_server[i].opponents);
    }
    book_stats_init(&a);
    book_stats_init(&b);
    assert_true(store_read_book_stats(file, NULL, INT64_MAX, &a, &err));
    assert_true(store_read_book_stats(remote, "castled-bot", INT64_MAX, &b, &err));
    assert_true(a.count > 0);
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.capacity; i++) {
        Results one = a.slots[i].results;
        Results other = book_stats_of(&b, a.slots[i].key, a.slots[i].move);
        if (a.slots[i].move != MOVE_NONE)
            assert_memory_equal(&one, &other, sizeof one);
    }
    book_stats_release(&a);
    book_stats_release(&b);
    store_free(file);
    store_free(remote);
}

POSTGRES_TEST(a_row_that_no_server_takes_costs_that_row_only)
{
    Error err = { 0 };
    Store *remote = postgres_open(STORE_WRITE);
    GameRecord game;
    uint64_t seed = 1;
    make_game(&game, 1, &seed);
    memcpy(game.players[BLACK].name, "\xff\xfe", 3); /* no UTF-8 */
    assert_false(store_add_game(remote, &game, &err));
    assert_int_equal(err.code, ERR_RANGE);
    record_release(&game);
    make_game(&game, 2, &seed);
    add(remote, &game);
    record_release(&game);
    store_free(remote);
}

static void expect_no_store(StoreMode mode, ErrorCode code, const char *words)
{
    Error err = { 0 };
    Store *store = NULL;
    assert_false(store_new(&store, postgres_address(), mode, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, words) || strchr(err.text, '\n'))
        fail_msg("%s", err.text);
}

POSTGRES_TEST(another_schema_is_told_apart)
{
    expect_no_store(STORE_READ, ERR_NOT_NOW, "there is no archive yet: `castled run` makes it");
    store_free(postgres_open(STORE_WRITE));
    postgres_tell("UPDATE castled_archive SET schema = 99");
    expect_no_store(STORE_WRITE, ERR_INVALID, "written by a newer castled (schema 99");
    expect_no_store(STORE_READ, ERR_INVALID, "written by a newer castled (schema 99");
    postgres_tell("UPDATE castled_archive SET schema = 1");
    expect_no_store(STORE_READ, ERR_INVALID, "of an older castled");
    postgres_tell("DROP TABLE castled_archive"); /* whose game table is that? */
    expect_no_store(STORE_WRITE, ERR_INVALID, "relation \"game\" already exists");
    postgres_tell("CREATE TABLE castled_archive (something TEXT)");
    expect_no_store(STORE_WRITE, ERR_INVALID, "column \"schema\" does not exist");
}

POSTGRES_TEST(the_first_schema_of_a_server_is_brought_up_to_date_with_its_games)
{
    GameRecord game, back;
    record_make(&game, "Qw8rTy2u", "alba", "e2e4 c7c5");
    Store *store = postgres_open(STORE_WRITE);
    add(store, &game);
    store_free(store);
    postgres_tell("ALTER TABLE game DROP COLUMN engine, DROP COLUMN opponent_engine,"
                  " DROP COLUMN strikes;"
                  "ALTER TABLE moves DROP COLUMN pvs; UPDATE castled_archive SET schema = 7");
    expect_no_store(STORE_READ, ERR_INVALID, "of an older castled");
    store = postgres_open(STORE_WRITE);
    record_init(&back);
    assert_true(store_find_games(store, &(StoreFilter){ 0 }, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                                 on_found, &back, NULL));
    assert_int_equal(back.count, 2);
    assert_false(back.has_gaps);
    record_release(&back);
    memcpy(game.id, "Other", 6);
    memcpy(game.moves[0].pv, "e7e5", 5);
    add(store, &game);
    assert_true(store_find_games(store, &(StoreFilter){ .id = "Other" }, STORE_WHOLE_GAMES,
                                 STORE_NEWEST_FIRST, on_found, &back, NULL));
    assert_string_equal(back.moves[0].pv, "e7e5");
    record_release(&back);
    record_release(&game);
    store_free(store);
}

POSTGRES_TEST(who_may_not_write_is_told)
{
    Error err = { 0 };
    StoreServer about;
    char address[320];
    Store *store;
    assert_true(snprintf(address, sizeof address, "%s", postgres_address()) > 0);
    memcpy(strstr(address, "user=castled"), "user=visitor", 12);
    postgres_tell("DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN;"
                  "GRANT USAGE ON SCHEMA public TO visitor");
    assert_false(store_new(&store, address, STORE_READ, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_non_null(strstr(err.text, "GRANT CREATE ON SCHEMA public"));
    store_free(postgres_open(STORE_WRITE));
    postgres_tell("GRANT SELECT ON ALL TABLES IN SCHEMA public TO visitor");
    err = (Error){ 0 };
    assert_true(store_new(&store, address, STORE_READ, &err));
    assert_true(store_ask_server(store, &about, &err));
    assert_false(about.can_write);
    assert_true(about.version[0] >= '1' && about.version[0] <= '9');
    store_free(store);
    store = postgres_open(STORE_READ);
    assert_true(store_ask_server(store, &about, &err));
    assert_true(about.can_write);
    store_free(store);
}

POSTGRES_TEST(a_server_that_is_not_there_may_be_another_time)
{
    Error err = { 0 };
    Store *store = NULL;
    atomic_bool stop = true;
    assert_false(store_new(&store, "postgresql:///castled?host=/nowhere", STORE_WRITE, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_null(strchr(err.text, '\n'));
    err = (Error){ 0 };
    assert_false(store_new_until(&store, postgres_address(), STORE_READ, &stop, &err));
    assert_int_equal(err.code, ERR_IO);
}

POSTGRES_TEST(a_password_comes_from_a_credential)
{
    const Place *place = *state;
    char path[PATH_MAX], address[320];
    Error err = { 0 };
    Store *store;
    postgres_tell("DROP ROLE IF EXISTS secrets; CREATE ROLE secrets LOGIN PASSWORD 'k9 x'");
    store_free(postgres_open(STORE_WRITE));
    postgres_tell("GRANT USAGE ON SCHEMA public TO secrets;"
                  "GRANT SELECT ON castled_archive TO secrets");
    assert_true(snprintf(address, sizeof address, "%s", postgres_address()) > 0);
    memcpy(strstr(address, "user=castled"), "user=secrets", 12);
    assert_false(store_new(&store, address, STORE_READ, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_true(snprintf(path, sizeof path, "%s/archive-password", place->folder) > 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("k9 x\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    setenv("CREDENTIALS_DIRECTORY", place->folder, 1);
    bool ok = store_new(&store, address, STORE_READ, &err);
    unsetenv("CREDENTIALS_DIRECTORY");
    assert_int_equal(unlink(path), 0);
    assert_true(ok);
    store_free(store);
}

/* A child that takes what the first says who comes, and answers. */
static pid_t answer_one(const FakeServer *fake, const char *answer)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char taken[512];
    int line = accept(fake->listener, NULL, NULL);
    bool ok = read(line, taken, sizeof taken) > 0 && write(line, answer, strlen(answer)) >= 0;
    _exit(ok ? 0 : 1);
}

POSTGRES_TEST(what_is_no_server_is_refused)
{
    static const char *const answers[] = { "", "HTTP/1.1 400 Bad Request\r\n\r\n",
                                           "R\xff\xff\xff\xff\x7f", "E\x7f\xff\xff\xffSFATAL" };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        FakeServer fake = fake_begin(*state);
        Error err = { 0 };
        Store *store = NULL;
        pid_t pid = answer_one(&fake, answers[i]);
        assert_false(store_new(&store, fake.address, STORE_WRITE, &err));
        assert_int_equal(err.code, ERR_IO);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        fake_end(&fake);
    }
}

int main(void)
{
    return postgres_run_tests();
}
