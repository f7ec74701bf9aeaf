/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every parser of foreign bytes with each of its allocations failing in turn: it says so, crashes
 * nowhere and leaks nothing. malloc() and its like are replaced, for the libraries that we use as
 * well; that works with glibc and without sanitizers. */
#include "bot/config/config.h"
#include "bot/lichess/event.h"
#include "bot/lichess/ndjson.h"
#include "bot/lichess/refusal.h"
#include "tests/unit.h"

#include <errno.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    #define REPLACED 0
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
        #define REPLACED 0
    #endif
#endif
#ifndef REPLACED
    #define REPLACED 1
#endif

#if REPLACED

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static bool is_counting;
static long allocations, fail_at, live;

/* Whether this allocation fails: number `fail_at` and all after it. */
static bool fails(void)
{
    if (!is_counting)
        return false;
    bool failing = fail_at > 0 && ++allocations >= fail_at;
    if (failing)
        errno = ENOMEM;
    return failing;
}

static void *counted(void *memory)
{
    live += is_counting && memory;
    return memory;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __libc_realloc(memory, size);
    return memory ? moved : counted(moved);
}

void free(void *memory)
{
    live -= is_counting && memory;
    __libc_free(memory);
}

/* The library's own would go past malloc() above. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* Runs `parse` with its first, second, … allocation failing until none fails. `parse` says whether
 * it succeeded, and has released what it made. */
static void fail_each_allocation(bool (*parse)(const char *text), const char *text)
{
    for (long at = 1;; at++) {
        allocations = live = 0;
        fail_at = at;
        is_counting = true;
        bool ok = parse(text);
        is_counting = false;
        if (live != 0)
            fail_msg("%ld blocks leaked when allocation %ld fails: %s", live, at, text);
        if (allocations < at) { /* nothing failed any more */
            assert_true(ok);
            return;
        }
        assert_true(at < 10000);
    }
}

static bool parse_event(const char *text)
{
    Event event;
    Error err = { 0 };
    bool ok = event_parse(&event, text, strlen(text), &err);
    if (ok)
        event_release(&event);
    return ok;
}

static void events_without_memory(void **state)
{
    (void)state;
    static const char *const files[] = { "event-stream.ndjson", "game-stream.ndjson" };
    for (size_t i = 0; i < 2; i++) {
        char path[1000];
        static char line[10000];
        assert_true(snprintf(path, sizeof path, "%s/events/%s", TEST_DATA_DIR, files[i]) > 0);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        while (fgets(line, sizeof line, file))
            fail_each_allocation(parse_event, line);
        fclose(file);
    }
}

static bool parse_playing(const char *text)
{
    Playing playing;
    bool ok = playing_parse(&playing, text, strlen(text), NULL);
    if (ok)
        playing_release(&playing);
    return ok;
}

static bool parse_account(const char *text)
{
    Account account;
    bool ok = account_parse(&account, text, strlen(text), NULL);
    if (ok)
        account_release(&account);
    return ok;
}

static bool parse_refusal(const char *text)
{
    Refusal refusal;
    refusal_parse(&refusal, text_of(text));
    return refusal.text[0] != '\0';
}

static void bodies_without_memory(void **state)
{
    (void)state;
    fail_each_allocation(parse_playing, "{\"nowPlaying\":[{\"gameId\":\"aaaaaaaa\"},{\"gameId\":"
                                        "\"bbbbbbbb\",\"opponent\":{\"id\":\"x\"}}]}");
    fail_each_allocation(parse_account, "{\"id\":\"castled-bot\",\"username\":\"Castled-Bot\","
                                        "\"title\":\"BOT\"}");
    fail_each_allocation(parse_refusal, "{\"error\":{\"a\":[\"wrong\"]},\"ratelimit\":{\"key\":"
                                        "\"k\",\"seconds\":1}}");
}

static bool parse_config(const char *text)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_parse(&config, "c", text, strlen(text), &problems);
    if (ok)
        config_release(&config);
    buf_release(&problems);
    return ok;
}

static void a_configuration_without_memory(void **state)
{
    (void)state;
    fail_each_allocation(parse_config, "[challenge]\nallow = adam, eve\nblock = mallory\n"
                                       "[engine]\nhash = 16\n"
                                       "[rule a]\nwhen.opponent = adam, eve\n"
                                       "challenge.block = mallory\n[rule b]\n");
}

static void count_line(void *user, const char *line, size_t len)
{
    (void)line;
    (void)len;
    ++*(int *)user;
}

static void ignore(void *user)
{
    (void)user;
}

static void ignore_skipped(void *user, const char *start, size_t len, size_t line_len)
{
    (void)user;
    (void)start;
    (void)len;
    (void)line_len;
}

static bool read_lines(const char *text)
{
    int lines = 0;
    NdjsonCallbacks callbacks = { count_line, ignore, ignore_skipped, &lines };
    Ndjson reader;
    ndjson_init(&reader, &callbacks, 1000);
    for (; *text; text++)
        ndjson_feed(&reader, text, 1);
    ndjson_release(&reader);
    return lines == 2;
}

static void lines_without_memory(void **state)
{
    (void)state;
    fail_each_allocation(read_lines, "{\"type\":\"one\"}\n\n{\"type\":\"two\"}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_without_memory),
        cmocka_unit_test(bodies_without_memory),
        cmocka_unit_test(a_configuration_without_memory),
        cmocka_unit_test(lines_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* skipped */
}

#endif
