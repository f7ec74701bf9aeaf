/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/bot_game_quota.h"
#include "tests/support/unit.h"

TEST(the_status_says_whose_day_is_over)
{
    static const struct {
        const char *name, *key, *theirs, *whose; /* whose: NULL: it says nothing of that */
        int status, wait_s;
        int64_t for_ms;
    } rows[] = {
        { .name = "another reason", .status = 400, .key = "", .theirs = "alba" },
        { .name = "asked too often", .status = 429, .key = "", .theirs = "alba" },
        { .name = "another limit",
          .status = 400,
          .key = "challenge.create.user",
          .theirs = "alba" },
        { .name = "a server's fault", .status = 500, .key = "bot.vsBot.day", .theirs = "alba" },
        { .name = "an unknown player's",
          .status = 400,
          .key = "bot.vsBot.day",
          .theirs = "",
          .whose = "",
          .wait_s = 100,
          .for_ms = 100000 },
        { .name = "theirs",
          .status = 400,
          .key = "bot.vsBot.day",
          .theirs = "alba",
          .whose = "alba",
          .wait_s = 100,
          .for_ms = 100000 },
        { .name = "ours",
          .status = 429,
          .key = "bot.vsBot.day",
          .theirs = "alba",
          .whose = "us",
          .wait_s = 100,
          .for_ms = 100000 },
        { .name = "for a time that is not told",
          .status = 429,
          .key = "bot.vsBot.day",
          .theirs = "alba",
          .whose = "us",
          .for_ms = 3600000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ApiAnswer answer = { .status = rows[i].status,
                                   .limit_key = text_of(rows[i].key),
                                   .wait_s = rows[i].wait_s };
        BotGameQuota quota = { .id = "nobody" };
        bool ok = bot_game_quota_read(&quota, &answer, "us", rows[i].theirs);
        if (ok != (rows[i].whose != NULL) ||
            (ok && (strcmp(quota.id, rows[i].whose) != 0 || quota.for_ms != rows[i].for_ms)))
            fail_msg("%s: %d, %s", rows[i].name, ok, quota.id);
    }
}
