/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_settings.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is said of a configuration that is in a file of this mode. */
static char *said_of(const char *text, mode_t mode)
{
    char path[] = "/tmp/castled-settings-XXXXXX";
    char *words = NULL;
    size_t size;
    Config config;
    Buf problems;
    int fd = mkstemp(path);
    FILE *out = open_memstream(&words, &size);
    assert_true(fd >= 0 && out && fchmod(fd, mode) == 0);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(&config, path, text, strlen(text), &problems))
        fail_msg("%s", buf_view(&problems));
    check_settings(out, &config, path);
    fclose(out);
    config_release(&config);
    buf_release(&problems);
    unlink(path);
    close(fd);
    return words;
}

TEST(what_can_accept_nobody_is_told)
{
    static const struct {
        const char *text, *said; /* NULL: nothing */
    } rows[] = {
        { "", NULL },
        { "[games]\nconcurrency = 2\n[challenge]\nhuman_slots = 1\n", NULL },
        { "[games]\nconcurrency = 2\n[challenge]\nhuman_slots = 5\n", "no bot is ever accepted" },
        { "[challenge]\nspeeds = bullet\nmin_base = 600\n", "no challenge is ever accepted" },
        { "[challenge]\nspeeds = bullet\nmin_base = 120\nmax_increment = 1\n", NULL },
        { "[challenge]\nspeeds = classical\nmax_base = 60\nmax_increment = 5\n",
          "no challenge is ever accepted" },
        { "[challenge]\nspeeds = bullet, rapid\nmin_base = 600\n", NULL },
        { "[challenge]\nspeeds = bullet, correspondence\nmin_base = 600\n", NULL },
        { "[challenge]\naccept = no\nspeeds = bullet\nmin_base = 600\n", NULL },
        { "[challenge]\nspeeds = bullet\nmin_base = 600\n[rule a]\nwhen.kind = bot\n"
          "challenge.speeds = rapid\n",
          NULL },
        { "[engine]\nelo = 599\n", "plays like 600" },
        { "[engine]\nelo = 600\n", NULL },
        { "[engine]\nhuman = /a\n", "it is never used" },
        { "[engine]\nhuman = /a\nelo = 1500\n", NULL },
        { "[engine]\nhuman = /a\n[rule a]\nwhen.kind = human\nengine.elo = 1500\n", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *said = said_of(rows[i].text, 0644);
        if (rows[i].said ? !strstr(said, rows[i].said) : said[0] != '\0')
            fail_msg("%s: %s", rows[i].text, said);
        free(said);
    }
}

TEST(secrets_that_others_can_read_are_told_and_not_shown)
{
    static const char *const secrets[] = {
        "[notify]\nurl = https://chat.example/hook/s3cret\n",
        "[tournaments]\njoin = AbCd1234 password=s3cret\n",
    };
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        char *open = said_of(secrets[i], 0644), *closed = said_of(secrets[i], 0640);
        assert_non_null(strstr(open, "every user of this machine can read"));
        assert_null(strstr(open, "s3cret"));
        assert_string_equal(closed, "");
        free(open);
        free(closed);
    }
}
