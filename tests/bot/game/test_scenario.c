/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a scenario, or with castled, is told with the file's line. */
#include "tests/support/scenario.h"
#include "tests/support/unit.h"

#include <unistd.h>

#define ACCOUNT "{\"t_ms\":0,\"stream\":\"account\",\"line\":{\"id\":\"castled-bot\"}}\n"
#define START                                                                                      \
    "{\"t_ms\":0,\"stream\":\"event\",\"line\":{\"type\":\"gameStart\",\"game\":{\"gameId\":"      \
    "\"Qw8rTy2u\",\"color\":\"white\"}}}\n"
#define OPEN "{\"t_ms\":0,\"stream\":\"game/Qw8rTy2u\",\"expect\":\"open\"}\n"
#define FULL                                                                                       \
    "{\"t_ms\":0,\"stream\":\"game/Qw8rTy2u\",\"line\":{\"type\":\"gameFull\",\"id\":"             \
    "\"Qw8rTy2u\",\"variant\":{\"key\":\"standard\"},\"clock\":{\"initial\":60000,"                \
    "\"increment\":0},\"white\":{\"id\":\"castled-bot\"},\"black\":{\"id\":\"alba\"},"             \
    "\"initialFen\":\"startpos\",\"state\":{\"moves\":\"\",\"wtime\":60000,\"btime\":60000,"       \
    "\"winc\":0,\"binc\":0,\"status\":\"started\"}}}\n"
#define GAME "{\"t_ms\":10,\"stream\":\"game/Qw8rTy2u\","

/* Where the file is, with the line's number, and the rest of the error; "": all is well. */
static void play(const char *text, char out[sizeof(Error)])
{
    char path[] = "/tmp/castled-scenario-XXXXXX";
    Scenario scenario;
    Error err = { 0 };
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    bool ok = scenario_read(&scenario, path, &err) && scenario_play(&scenario, &err);
    scenario_release(&scenario);
    unlink(path);
    assert_int_equal(ok, !error_is_set(&err));
    const char *after = ok ? "" : err.text + strlen(path);
    assert_true(ok || strncmp(err.text, path, strlen(path)) == 0);
    snprintf(out, sizeof(Error), "%s", after);
}

typedef struct {
    const char *name, *text, *error;
} Row;

static void check(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char error[sizeof(Error)];
        play(rows[i].text, error);
        if (strcmp(error, rows[i].error) != 0)
            fail_msg("%s: \"%s\"", rows[i].name, error);
    }
}

TEST(wrong_files_are_refused_with_the_line)
{
    static const Row rows[] = {
        { .name = "empty",
          .text = "# nothing\n\n",
          .error = ": nothing is sent and nothing expected" },
        { .name = "no JSON",
          .text = ACCOUNT "# and now\nstart\n",
          .error = ":3: no JSON: wrong character at byte 0" },
        { .name = "misspelt",
          .text = ACCOUNT "{\"t_ms\":0,\"expects\":\"open\"}\n",
          .error = ":2: \"expects\" is no field of a scenario" },
        { .name = "no account", .text = START, .error = ":1: the first record is the account's" },
        { .name = "wrong key",
          .text = ACCOUNT "{\"t_ms\":0,\"stream\":\"config\",\"line\":{\"games\":{\"x\":1}}}\n",
          .error = ":2: config: unknown key \"x\" in [games]" },
        { .name = "backwards",
          .text = ACCOUNT "{\"t_ms\":9,\"quiet\":true}\n{\"t_ms\":8,\"quiet\":true}\n",
          .error = ":3: \"t_ms\" is a number, and never less than before" },
        { .name = "two in one",
          .text = ACCOUNT GAME "\"ended\":true,\"expect\":\"open\"}\n",
          .error = ":2: a record has one of \"line\" (an object), \"ended\": true, \"expect\" (a "
                   "text) and \"quiet\": true" },
        { .name = "an answer to nothing",
          .text = ACCOUNT GAME "\"ended\":true,\"answer\":200}\n",
          .error = ":2: \"answer\" and \"score_cp\" belong to \"expect\"" },
        { .name = "two games",
          .text = ACCOUNT OPEN "{\"t_ms\":0,\"stream\":\"game/Another1\",\"ended\":true}\n",
          .error = ":3: a scenario has one game, this one has Qw8rTy2u" },
        { .name = "no stream",
          .text = ACCOUNT "{\"t_ms\":0,\"expect\":\"open\"}\n",
          .error = ":2: \"stream\" is account, config, event, or game/ and a game's id" },
    };
    check(rows, sizeof rows / sizeof *rows);
}

TEST(what_castled_asks_otherwise_is_told_with_the_line)
{
    static const Row rows[] = {
        { .name = "as expected",
          .text = ACCOUNT START OPEN FULL GAME "\"expect\":\"move/e2e4\"}\n",
          .error = "" },
        { .name = "something else",
          .text = ACCOUNT START OPEN FULL GAME "\"expect\":\"resign\"}\n" GAME
                                               "\"expect\":\"move/e2e4\"}\n",
          .error = ":5: castled asks something else: move/e2e4, at 0 ms" },
        { .name = "nothing",
          .text = ACCOUNT START OPEN FULL GAME "\"expect\":\"move/e2e4\"}\n" GAME
                                               "\"expect\":\"abort\"}\n",
          .error = ":6: castled has not asked abort, at 10 ms" },
        { .name = "too early",
          .text = ACCOUNT START OPEN FULL "{\"t_ms\":10,\"quiet\":true}\n" GAME
                                          "\"expect\":\"move/e2e4\"}\n",
          .error = ":5: nothing is expected before this, and castled asks move/e2e4, at 0 ms" },
        { .name = "after the end",
          .text = ACCOUNT START OPEN FULL GAME "\"expect\":\"move/e2e4\",\"answer\":502}\n"
                                               "{\"t_ms\":5000,\"quiet\":true}\n",
          .error = ":6: nothing is expected before this, and castled asks move/e2e4, at 300 ms" },
        { .name = "illegal",
          .text = ACCOUNT START OPEN FULL GAME "\"expect\":\"move/e2e5\"}\n",
          .error = ":5: move \"e2e5\" is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR "
                   "w KQkq - 0 1" },
        { .name = "shut",
          .text = ACCOUNT START FULL,
          .error = ":3: nothing is expected before this, and castled asks open, at 0 ms" },
        { .name = "no event of a game",
          .text = ACCOUNT "{\"t_ms\":0,\"stream\":\"event\",\"line\":{\"type\":\"gameFinish\","
                          "\"game\":{\"gameId\":\"Qw8rTy2u\"}}}\n",
          .error = ":2: the event stream has one gameStart, then a gameFinish, no gameFinish, at 0 "
                   "ms" },
    };
    check(rows, sizeof rows / sizeof *rows);
}
