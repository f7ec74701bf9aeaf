/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check.h"

#include "bot/cli/blocking_api.h"
#include "bot/lichess/account.h"
#include "bot/lichess/token_life.h"
#include "bot/ops/printable.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the answer of GET /api/account comes to. */
typedef struct {
    FILE *out;
    const Config *config;
    ExitStatus status;
} Check;

void check_say(FILE *out, CheckMark mark, const char *what, const char *words)
{
    static const char *const marks[] = {
        [CHECK_OK] = "ok", [CHECK_WARNING] = "warn", [CHECK_WRONG] = "FAIL"
    };
    fprintf(out, "%-6s %-14s ", marks[mark], what);
    printable_print(out, text_of(words));
    fputc('\n', out);
}

static const char *first_variable(const char *const names[], int count, const char **value)
{
    for (int i = 0; i < count; i++) {
        *value = getenv(names[i]);
        if (*value && **value)
            return names[i];
    }
    *value = "";
    return NULL;
}

/* Which proxy libcurl takes from the environment, if any; without the name and password in it. */
static void say_proxy(const Check *check)
{
    static const char *const of_proxy[] = { "https_proxy", "HTTPS_PROXY", "all_proxy",
                                            "ALL_PROXY" };
    static const char *const of_others[] = { "no_proxy", "NO_PROXY" };
    char words[600];
    const char *address, *others;
    const char *name = first_variable(of_proxy, 4, &address);
    if (!name || strncmp(check->config->account.url, "https:", 6) != 0)
        return;
    (void)first_variable(of_others, 2, &others);
    const char *scheme_end = strstr(address, "://"), *user_end = strrchr(address, '@');
    int scheme_len = scheme_end ? (int)(scheme_end - address) + 3 : 0;
    text_format_cut(words, sizeof words, "%.*s%s, by the variable %s%s%s", scheme_len, address,
                    user_end ? user_end + 1 : address + scheme_len, name,
                    *others ? "; not for " : "", others);
    check_say(check->out, CHECK_OK, "proxy", words);
}

static ExitStatus judge(const AccountCheck *check)
{
    if (check->verdict == ACCOUNT_READY)
        return EXIT_FINE;
    return account_is_hopeless(check->verdict) ? EXIT_REFUSED : EXIT_UNREACHABLE;
}

static void say_answered(const Check *check, const ApiAnswer *answer)
{
    char words[CONFIG_TEXT_SIZE + 100];
    text_format_cut(words, sizeof words, "%s answered in %lld ms (status %d)",
                    check->config->account.url, (long long)(answer->elapsed_us / 1000),
                    answer->status);
    check_say(check->out, CHECK_OK, "server", words);
}

/* What only the website can change. */
static void say_profile(const Check *check, const AccountCheck *account)
{
    char words[CONFIG_TEXT_SIZE + 200];
    const char *url = check->config->account.url;
    if (account->is_marked)
        check_say(check->out, CHECK_WARNING, "account", account->advice);
    if (!account->has_bio) {
        text_format_cut(words, sizeof words,
                        "the biography is empty, so the bot is in no list of bots; write one at "
                        "%s/account/profile",
                        url);
        check_say(check->out, CHECK_WARNING, "profile", words);
    }
    if (check->config->game.games.takebacks != 0) {
        text_format_cut(words, sizeof words,
                        "takebacks are off for BOT accounts until you allow them at "
                        "%s/account/preferences/game-behavior; castled cannot see that",
                        url);
        check_say(check->out, CHECK_OK, "takebacks", words);
    }
}

static void check_on_account(void *user, const ApiAnswer *answer)
{
    Check *check = user;
    AccountCheck account;
    account_judge(&account, answer, check->config->account.url);
    check->status = judge(&account);
    bool is_reached = answer->status != 0;
    if (is_reached)
        say_answered(check, answer);
    if (check->status == EXIT_FINE) {
        char words[200];
        text_format(words, sizeof words, "%s is a BOT account, and the token may play for it",
                    account.name);
        check_say(check->out, CHECK_OK, "account", words);
        check_say(check->out, CHECK_OK, "event stream",
                  "not tried, since that would close the one of a castled that runs; the bot is "
                  "online once its log says: stream open");
        say_profile(check, &account);
    } else {
        check_say(check->out, CHECK_WRONG, is_reached ? "account" : "server", account.advice);
    }
}

/* A missing value is no fault. */
static void check_on_token_life(void *user, const ApiAnswer *answer)
{
    const Check *check = user;
    TokenLife life;
    char words[600];
    Error err = { 0 };
    int64_t now = clock_unix_ms();
    if (answer->outcome != API_OK || !token_life_parse(&life, answer->body, &err)) {
        text_format_cut(words, sizeof words, "not known: %s",
                        answer->outcome == API_OK ? err.text : answer->reason);
        check_say(check->out, CHECK_OK, "token's life", words);
        return;
    }
    token_life_write(words, &life, now);
    check_say(check->out,
              token_life_days(&life, now) < TOKEN_LIFE_SHORT_DAYS ? CHECK_WARNING : CHECK_OK,
              "token's life", words);
}

ExitStatus check_server(FILE *out, const Config *config, const char *token)
{
    Check check = { .out = out, .config = config, .status = EXIT_FAULT };
    Error err = { 0 };
    say_proxy(&check);
    if (!blocking_api_call(config, token, ENDPOINT_ACCOUNT, check_on_account, &check, &err))
        check_say(out, CHECK_WRONG, "server", err.text);
    else if (check.status == EXIT_FINE && !blocking_api_call(config, token, ENDPOINT_TOKEN_TEST,
                                                             check_on_token_life, &check, &err))
        check_say(out, CHECK_OK, "token's life", err.text);
    return check.status;
}
