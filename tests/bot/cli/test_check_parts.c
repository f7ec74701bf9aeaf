/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_parts.h"
#include "bot/archive/store.h"
#include "tests/support/policy_maker.h"
#include "tests/support/syzygy_maker.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/castled-check-XXXXXX";

static void put_file(const char *name, const void *bytes, size_t len)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    static const unsigned char entry[16] = { 0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 3 };
    uint8_t table[MAKER_CONSTANT_SIZE];
    Store *store;
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("tables", 0700) != 0 ||
        mkdir("damaged", 0700) != 0 || mkdir("empty", 0700) != 0)
        return -1;
    put_file("book.bin", entry, sizeof entry);
    put_file("short.bin", entry, 15);
    maker_constant_wdl(table, MAKER_QUEEN, 4, 0);
    put_file("tables/KQvK.rtbw", table, sizeof table);
    put_file("damaged/KQvK.rtbw", table, sizeof table - 16);
    put_file("text", "not a database", 14);
    PolicyFile network = policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 7 });
    put_file("people.pb.gz", network.bytes, network.size);
    policy_file_release(&network);
    char path[100];
    if (snprintf(path, sizeof path, "%s/games.sqlite", folder) < 0 ||
        !store_new(&store, path, STORE_WRITE, NULL))
        return -1;
    store_free(store);
    return setenv("XDG_STATE_HOME", folder, 1) | unsetenv("STATE_DIRECTORY");
}

static int drop_folder(void **state)
{
    static const char *const names[] = {
        "book.bin",         "short.bin", "text",    "games.sqlite", "games.sqlite-wal",
        "games.sqlite-shm", "tables",    "damaged", "empty",        "people.pb.gz",
    };
    (void)state;
    unlink("tables/KQvK.rtbw");
    unlink("damaged/KQvK.rtbw");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)!remove(names[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

/* What is said of a configuration; @ in it stands for the folder. The caller frees. */
static char *check(const char *lines, bool *ok)
{
    Config config;
    Buf text, problems;
    char *said = NULL;
    size_t len = 0;
    buf_init(&text, 10000);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_true(buf_put_text(&text, "[engine]\nthreads = 1\nhash = 1\n"));
    for (; *lines; lines++)
        assert_true(*lines == '@' ? buf_put_text(&text, folder) : buf_put_char(&text, *lines));
    if (!config_parse(&config, "test", text.text, text.len, &problems))
        fail_msg("%s", buf_view(&problems));
    FILE *out = open_memstream(&said, &len);
    ArchivePlace place;
    Error err = { 0 };
    *ok = check_parts(out, &config);
    if (!archive_place_choose(&place, config.archive.file, NULL, "/nonexistent", &err))
        fail_msg("%s", err.text);
    *ok = check_archive(out, &place) && *ok;
    assert_int_equal(fclose(out), 0);
    config_release(&config);
    buf_release(&text);
    buf_release(&problems);
    return said;
}

TEST(a_database_without_tls_is_told)
{
    static const char *const ends[] = { "", "?sslmode=disable" };
    for (int i = 0; i < 2; i++) {
        ArchivePlace place = { .owner = ARCHIVE_OF_SERVER, .access = ARCHIVE_PRESENT };
        char *said = NULL;
        size_t len = 0;
        FILE *out = open_memstream(&said, &len);
        /* Not by an address of loopback, and nobody listens there. */
        assert_true(snprintf(place.path, sizeof place.path, "postgresql://0.0.0.0:1/castled%s",
                             ends[i]) > 0);
        assert_true(check_archive(out, &place));
        assert_int_equal(fclose(out), 0);
        assert_int_equal(strstr(said, "without TLS") != NULL, i);
        assert_non_null(strstr(said, "are sent there later"));
        free(said);
    }
}

TEST(each_part_is_opened_and_told_of)
{
    static const struct {
        const char *lines;
        bool ok;
        const char *said[6];
    } rows[] = {
        { "",
          true,
          { "ok     own engine     plays ", "thousand nodes per second on 1 threads, hash 1 MiB\n",
            "/castled/games.sqlite (this user's own): not there yet, and can be made; " } },
        { "syzygy = @/tables\n[book]\nfiles = @/book.bin\n[archive]\nfile = @/games.sqlite\n",
          true,
          { "ok     book           /tmp/", "/book.bin: 1 entries\n",
            "/tables: up to 3 pieces, 1 files for win or draw, 0 for",
            "ok     archive        /tmp/", "/games.sqlite (as configured)\n" } },
        { "syzygy = @/tables:@/damaged\n[book]\nfiles = @/none.bin:@/book.bin\n"
          "[archive]\nfile = off\n",
          false,
          { "FAIL   tables         /tmp/", "/none.bin: ", "/book.bin: 1 entries\n",
            "ok     archive        off\n" } },
        { "human = @/people.pb.gz\n[rule a]\nwhen.kind = human\nengine.human = @/text\n",
          false,
          { "ok     human          /tmp/", "/people.pb.gz: 1 blocks of 8 filters",
            "FAIL   human          /tmp/", "/text: " } },
        { "syzygy = @/none\n[archive]\nfile = @/a/b/c.sqlite\n",
          false,
          { "FAIL   tables         /tmp/", "/none",
            "/c.sqlite (as configured): not there yet, and can be made\n" } },
        { "[archive]\nfile = @/text/games.sqlite\n",
          false,
          { "/games.sqlite: cannot be written: " } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok;
        char *said = check(rows[i].lines, &ok);
        assert_int_equal(ok, rows[i].ok);
        for (size_t j = 0; rows[i].said[j]; j++)
            if (!strstr(said, rows[i].said[j]))
                fail_msg("no \"%s\" in:\n%s", rows[i].said[j], said);
        free(said);
    }
}

TEST(everything_that_is_wrong_is_told_at_once_and_nothing_is_made)
{
    bool ok;
    char *said = check("syzygy = @/empty\n[book]\nfiles = @/short.bin:@/none.bin\n"
                       "[archive]\nfile = @/text\n",
                       &ok);
    int faults = 0;
    for (const char *at = said; (at = strstr(at, "FAIL   ")); at++)
        faults++;
    assert_int_equal(faults, 4);
    assert_false(ok);
    assert_int_not_equal(access("castled", F_OK), 0);
    free(said);
}

TEST(more_books_than_are_asked_are_told_of)
{
    char lines[700] = "[book]\nfiles = ";
    bool ok;
    assert_int_equal(chdir(folder), 0);
    for (int i = 0; i < 65; i++)
        memcpy(lines + strlen(lines), "book.bin:", sizeof "book.bin:");
    char *said = check(lines, &ok);
    assert_false(ok);
    assert_non_null(strstr(said, "FAIL   book           book.bin: more than 64 books"));
    free(said);
}

TESTS_IN(make_folder, drop_folder)
