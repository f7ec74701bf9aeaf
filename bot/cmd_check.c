/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that can be said about an installation without playing, in plain words and all at
 * once. */
#include "bot/command.h"
#include "bot/config/schema.h"
#include "bot/lichess/account.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

/* What the answer of GET /api/account comes to. */
typedef struct {
    const Config *config;
    Http *http;
    Api *api;
    ExitStatus status;
} Check;

static void say(const char *mark, const char *what, const char *words)
{
    printf("%-6s %-14s %s\n", mark, what, words);
}

static ExitStatus judge(const AccountCheck *check)
{
    if (check->verdict == ACCOUNT_READY)
        return EXIT_FINE;
    return account_is_hopeless(check->verdict) ? EXIT_REFUSED : EXIT_UNREACHABLE;
}

/* Whether the server was reached at all. */
static bool say_server(const Check *check, const ApiAnswer *answer)
{
    char words[800];
    const char *url = check->config->account.url;
    bool is_reached = answer->status != 0;
    int len = is_reached ? snprintf(words, sizeof words, "%s answered in %lld ms (status %d)", url,
                                    (long long)(answer->elapsed_us / 1000), answer->status)
                         : snprintf(words, sizeof words, "%s: %s", url, answer->reason);
    (void)len; /* what is too long is cut */
    say(is_reached ? "ok" : "WRONG", "server", words);
    return is_reached;
}

static void on_account(void *user, const ApiAnswer *answer)
{
    Check *check = user;
    AccountCheck account;
    account_judge(&account, answer, check->config->account.url);
    check->status = judge(&account);
    bool is_reached = say_server(check, answer);
    if (check->status == EXIT_FINE)
        printf("%-6s %-14s %s is a BOT account, and the token may play for it\n", "ok", "account",
               account.name);
    else
        say("WRONG", is_reached ? "account" : "", account.advice);
    api_free(check->api);
    check->api = NULL;
    http_close(check->http, NULL, NULL);
}

static bool ask(Check *check, uv_loop_t *loop, const char *token, Error *err)
{
    const HttpOptions http = {
        .origin = check->config->account.url,
        .ca_file = check->config->account.ca_file,
        .token = token,
    };
    if (!http_new(&check->http, loop, &http, err))
        return false;
    if (api_new(&check->api, check->http, check->config->account.url, err) &&
        api_account(check->api, on_account, check, err))
        return true;
    api_free(check->api);
    http_close(check->http, NULL, NULL);
    return false;
}

static ExitStatus check_server(const Config *config, const char *token)
{
    Check check = { .config = config, .status = EXIT_FAULT };
    Error err = { 0 };
    uv_loop_t loop;
    int failure = uv_loop_init(&loop);
    if (failure) {
        say("WRONG", "server", uv_strerror(failure));
        return EXIT_FAULT;
    }
    if (!ask(&check, &loop, token, &err))
        say("WRONG", "server", err.text);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return check.status;
}

ExitStatus cmd_check(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    if (!command_read_config(options, &config, path)) {
        say("WRONG", "configuration", "as said above; the rest is checked when that is right");
        return EXIT_CONFIG;
    }
    say("ok", "configuration", path);
    ExitStatus status = EXIT_REFUSED;
    if (token_load(&token, config.account.token_file, &err)) {
        say("ok", "token", token.source);
        status = check_server(&config, token.text);
        token_erase(&token);
    } else {
        say("WRONG", "token", err.text);
    }
    config_release(&config);
    return status;
}
