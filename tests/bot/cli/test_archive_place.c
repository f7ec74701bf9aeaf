/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/archive_place.h"
#include "bot/cli/check_parts.h"
#include "tests/support/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#define NAME "games.sqlite"

/* For each test: top/own/castled is the user's state directory, top/service the service's. */
typedef struct {
    char top[64], own[128], service[128], service_folder[128], elsewhere[128];
} Room;

static void join(char out[128], const char *folder, const char *rest)
{
    int len = snprintf(out, 128, "%s/%s", folder, rest);
    assert_true(len > 0 && len < 128);
}

static int make_room(void **state)
{
    static const char *const folders[] = { "own", "own/castled", "service", "elsewhere" };
    Room *room = calloc(1, sizeof *room);
    char path[128];
    memcpy(room->top, "/tmp/castled-place-XXXXXX", sizeof "/tmp/castled-place-XXXXXX");
    if (!mkdtemp(room->top) || chmod(room->top, 0755) != 0)
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        join(path, room->top, folders[i]);
        if (mkdir(path, 0755) != 0)
            return -1;
    }
    join(room->own, room->top, "own/castled/" NAME);
    join(room->service_folder, room->top, "service");
    join(room->service, room->top, "service/" NAME);
    join(room->elsewhere, room->top, "elsewhere/" NAME);
    join(path, room->top, "own");
    *state = room;
    return setenv("XDG_STATE_HOME", path, 1) | unsetenv("STATE_DIRECTORY");
}

static int drop_room(void **state)
{
    static const char *const names[] = {
        "own/castled/" NAME,
        "own/castled",
        "own",
        "service/" NAME,
        "service/" NAME "-wal",
        "service/" NAME "-shm",
        "service",
        "elsewhere/" NAME,
        "elsewhere",
        "",
    };
    Room *room = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        join(path, room->top, names[i]);
        (void)!remove(path);
    }
    free(room);
    return 0;
}

static void put_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static ArchivePlace choose(const Room *room, const char *name, const char *daemon_file)
{
    ArchivePlace place;
    Error err = { 0 };
    if (!archive_place_choose(&place, name, daemon_file, room->service_folder, &err))
        fail_msg("%s", err.text);
    return place;
}

TEST_IN(the_daemons_archive_comes_before_our_own_before_the_services, make_room, drop_room)
{
    Room *room = *state;
    char other[128];
    join(other, room->top, "elsewhere/other.sqlite");
    const struct {
        const char *name, *daemon_file;
        bool has_own, has_service;
        ArchiveOwner owner;
        ArchiveAccess access;
        const char *path;
    } rows[] = {
        { NAME, NULL, false, false, ARCHIVE_OF_USER, ARCHIVE_ABSENT, room->own },
        { NAME, NULL, true, false, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        { NAME, NULL, false, true, ARCHIVE_OF_SERVICE, ARCHIVE_PRESENT, room->service },
        { NAME, NULL, true, true, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        { NAME, room->service, false, true, ARCHIVE_OF_DAEMON, ARCHIVE_PRESENT, room->service },
        { NAME, room->service, true, true, ARCHIVE_OF_DAEMON, ARCHIVE_PRESENT, room->service },
        { NAME, room->own, true, true, ARCHIVE_OF_DAEMON, ARCHIVE_PRESENT, room->own },
        { NAME, room->elsewhere, true, true, ARCHIVE_OF_DAEMON, ARCHIVE_ABSENT, room->elsewhere },
        /* That daemon runs by another configuration, or keeps none, or names no file. */
        { NAME, other, true, false, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        { NAME, "", false, true, ARCHIVE_OF_SERVICE, ARCHIVE_PRESENT, room->service },
        { NAME, NAME, true, false, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        { NAME, "x/" NAME, true, false, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        { NAME, "/x" NAME, true, false, ARCHIVE_OF_USER, ARCHIVE_PRESENT, room->own },
        /* The configuration says it all. */
        { room->elsewhere, room->service, true, true, ARCHIVE_OF_CONFIG, ARCHIVE_ABSENT,
          room->elsewhere },
        { "off", room->service, true, true, ARCHIVE_OF_NOBODY, ARCHIVE_ABSENT, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)!remove(room->own);
        (void)!remove(room->service);
        if (rows[i].has_own)
            put_file(room->own);
        if (rows[i].has_service)
            put_file(room->service);
        ArchivePlace place = choose(room, rows[i].name, rows[i].daemon_file);
        if (place.owner != rows[i].owner || place.access != rows[i].access ||
            strcmp(place.path, rows[i].path) != 0)
            fail_msg("row %zu: owner %d, access %d, %s", i, (int)place.owner, (int)place.access,
                     place.path);
    }
}

TEST_IN(in_the_services_own_environment_it_is_the_services, make_room, drop_room)
{
    Room *room = *state;
    assert_int_equal(setenv("STATE_DIRECTORY", room->service_folder, 1), 0);
    ArchivePlace place = choose(room, NAME, NULL);
    assert_int_equal(unsetenv("STATE_DIRECTORY"), 0);
    assert_int_equal(place.owner, ARCHIVE_OF_SERVICE);
    assert_int_equal(place.access, ARCHIVE_ABSENT);
    assert_string_equal(place.path, room->service);
    assert_true(place.is_ours); /* so that `castled check` in a container tries to write it */
}

/* What `castled check` says; the caller frees. */
static char *check(const ArchivePlace *place, bool *ok)
{
    char *said = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&said, &len);
    *ok = check_archive(out, place);
    assert_int_equal(fclose(out), 0);
    return said;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

TEST_IN(what_may_not_be_read_gets_advice, make_room, drop_room)
{
    Room *room = *state;
    Store *store;
    Error err = { 0 };
    bool is_root = geteuid() == 0, ok;
    put_file(room->service);
    assert_int_equal(chmod(room->service_folder, 0), 0); /* as /var/lib/private is for users */
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    ArchivePlace place = choose(room, NAME, NULL);
    bool is_open = archive_place_open(&place, STORE_READ, &store, &err);
    char *said = check(&place, &ok);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(room->service_folder, 0755), 0);
    assert_int_equal(place.owner, ARCHIVE_OF_SERVICE);
    assert_int_equal(place.access, ARCHIVE_FORBIDDEN);
    assert_false(is_open);
    assert_has(err.text, room->service);
    assert_has(err.text, "run this command with sudo");
    assert_has(said, "warn   archive ");
    assert_has(said, "run this command with sudo");
    assert_true(ok); /* this user's own daemon would make another */
    free(said);
}

TEST_IN(an_absent_archive_is_told_with_both_places, make_room, drop_room)
{
    Store *store;
    Error err = { 0 };
    ArchivePlace place = choose(*state, NAME, NULL);
    assert_false(archive_place_open(&place, STORE_READ, &store, &err));
    assert_has(err.text, place.path);
    assert_has(err.text, "there is no archive yet");
    assert_has(err.text, "/var/lib/castled");
}

static bool may_pass_all_folders(void)
{
    unsigned long long permitted = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "CapPrm:", 7) == 0)
            permitted = strtoull(line + 7, NULL, 16);
    if (status)
        fclose(status);
    return permitted >> 2 & 1;
}

/* What lies beside the file is its folder's owner's, who may have SQLite remove what it names. */
TEST_IN(root_opens_anothers_archive_with_that_users_rights, make_room, drop_room)
{
    enum { NOBODY = 65534 };
    Room *room = *state;
    char roots[128];
    Store *store;
    Error err = { 0 };
    if (geteuid() != 0)
        skip();
    assert_true(store_new(&store, room->service, STORE_WRITE, &err));
    store_free(store);
    join(roots, room->top, "elsewhere/" NAME);
    put_file(roots);
    assert_int_equal(chown(room->service_folder, NOBODY, NOBODY), 0);
    assert_int_equal(chown(room->service, NOBODY, NOBODY), 0);
    if (may_pass_all_folders()) /* as /var/lib/private is closed to dynamic users */
        assert_int_equal(chmod(room->top, 0700), 0);
    ArchivePlace place = choose(room, NAME, NULL);
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        if (!archive_place_open(&place, (StoreMode)mode, &store, &err))
            fail_msg("%s", err.text);
        assert_int_equal(geteuid(), NOBODY);
        assert_int_equal(getegid(), NOBODY);
        assert_int_equal(remove(roots), -1);
        archive_place_leave(store);
        assert_int_equal(geteuid(), 0);
        assert_int_equal(getegid(), getgid());
    }
    assert_int_equal(chmod(room->service, 0), 0); /* and root again where it fails */
    assert_int_equal(truncate(room->service, 100), 0);
    assert_false(archive_place_open(&place, STORE_WRITE, &store, &err));
    assert_int_equal(geteuid(), 0);
}

TEST_IN(check_says_whose_archive_it_is, make_room, drop_room)
{
    Room *room = *state;
    Store *store;
    Error err = { 0 };
    bool ok;
    if (!store_new(&store, room->service, STORE_WRITE, &err))
        fail_msg("%s", err.text);
    store_free(store);
    const struct {
        const char *name, *daemon_file, *said;
    } rows[] = {
        { NAME, room->service, "/service/" NAME " (the running daemon's)\n" },
        { NAME, NULL, "/service/" NAME " (the service's)\n" },
        { "mine.sqlite", NULL,
          "(this user's own): not there yet, and can be made; the service's will be in "
          "/var/lib/castled\n" },
        { room->service, NULL, "/service/" NAME " (as configured)\n" },
        { "off", NULL, "off\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchivePlace place = choose(room, rows[i].name, rows[i].daemon_file);
        char *said = check(&place, &ok);
        assert_has(said, "ok     archive ");
        assert_has(said, rows[i].said);
        assert_true(ok);
        free(said);
    }
}
