/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gets a token by the owner's consent in a browser, and keeps it in a file: it is neither shown nor
 * pasted. */
#include "bot/archive/state_dir.h"
#include "bot/cli/command.h"
#include "bot/cli/blocking_api.h"
#include "bot/cli/service_unit.h"
#include "bot/cli/shown.h"
#include "bot/lichess/account.h"
#include "bot/lichess/oauth.h"
#include "bot/lichess/api_error.h"
#include "bot/ops/web_server.h"
#include "bot/ops/printable.h"
#include "bot/ops/timer.h"
#include "bot/ops/writable.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_S = 600, TIMEOUT_MOST_S = 86400, EXCHANGE_MS = 20000 };

/* The third is for leaving tournaments. */
static const char scopes[] = "bot:play challenge:read tournament:write";

/* Where it stands: LOGIN_ASKED until the browser has come back. */
typedef enum { LOGIN_ASKED, LOGIN_CONSENT, LOGIN_DENIED, LOGIN_LATE } LoginPhase;

typedef struct {
    Config config;
    char config_path[CONFIG_PATH_SIZE];
    char token_file[PATH_MAX];
    int64_t port, timeout_s; /* port 0: any */
    uv_loop_t loop;
    uv_timer_t deadline;
    WebServer *server;
    Http *http;
    OauthQuestion question;
    OauthRedirect answer;
    LoginPhase phase;
    bool is_exchanged;
    OauthGrant grant;
    Error err; /* why there is no token */
} Login;

static ExitStatus end_with(ExitStatus status, const char *words)
{
    fputs("castled: login: ", stderr);
    printable_print(stderr, text_of(words));
    fputc('\n', stderr);
    return status;
}

/* ---- the browser ---- */

static WebStatus login_on_browser(void *user, const WebQuery *query, Buf *out)
{
    Login *login = user;
    OauthRedirect answer;
    if (login->phase != LOGIN_ASKED)
        return WEB_NOT_FOUND;
    oauth_read_redirect(&answer, &login->question, query);
    if (answer.verdict == OAUTH_STRANGE)
        return WEB_NOT_FOUND;
    login->answer = answer;
    login->phase = answer.verdict == OAUTH_CONSENT ? LOGIN_CONSENT : LOGIN_DENIED;
    bool ok = buf_printf(out,
                         "<!doctype html><meta charset=utf-8><title>castled</title>"
                         "<p style=\"font:1.2em sans-serif;margin:3em\">%s You can close this "
                         "page.</p>\n",
                         login->phase == LOGIN_CONSENT
                             ? "Thank you. castled says in its terminal how it goes on."
                             : "castled has got no token, as you wished.");
    return ok ? WEB_OK : WEB_FAILED;
}

/* A listener on loopback gets requests from all users of the machine, and from any page in a
 * browser: nothing in them is trusted or shown. */
static bool listen_for_browser(Login *login)
{
    static const WebRoute routes[] = {
        { OAUTH_CALLBACK_PATH, "text/html; charset=utf-8", login_on_browser },
        { NULL, NULL, NULL },
    };
    const Address address = { .ip4 = { .sin_family = AF_INET,
                                       .sin_port = htons((uint16_t)login->port),
                                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) },
                              .is_loopback = true };
    if (web_server_new(&login->server, &login->loop, &address, routes, login, &login->err))
        return true;
    error_prefix(&login->err, "127.0.0.1:%d", (int)login->port);
    return false;
}

static void login_on_deadline(uv_timer_t *timer)
{
    Login *login = timer->data;
    login->phase = LOGIN_LATE;
}

static bool print_question(const Login *login)
{
    Buf url;
    int port = web_server_port(login->server);
    buf_init(&url, OAUTH_TEXT_MAX);
    bool ok = oauth_write_url(&login->question, login->config.account.url, scopes, &url);
    if (ok) {
        long long minutes = (login->timeout_s + 59) / 60;
        printf("Open this in a browser that is logged in as the bot:\n\n  %s\n\n"
               "If the browser runs on another machine, run this there before you open the page:\n"
               "  ssh -L %d:127.0.0.1:%d THIS-MACHINE\n"
               "Waiting %lld minute%s for your consent …\n",
               buf_view(&url), port, port, minutes, minutes == 1 ? "" : "s");
        fflush(stdout);
    }
    buf_release(&url);
    return ok;
}

static ExitStatus await_consent(Login *login)
{
    char words[OAUTH_REASON_SIZE + 40];
    if (!listen_for_browser(login) ||
        !oauth_begin(&login->question, web_server_port(login->server), &login->err))
        return end_with(EXIT_FAULT, login->err.text);
    uv_timer_start(&login->deadline, login_on_deadline, (uint64_t)login->timeout_s * 1000, 0);
    if (!print_question(login))
        return end_with(EXIT_FAULT, "no memory");
    while (login->phase == LOGIN_ASKED)
        uv_run(&login->loop, UV_RUN_ONCE);
    uv_timer_stop(&login->deadline);
    switch (login->phase) {
    case LOGIN_ASKED:
    case LOGIN_CONSENT:
        break;
    case LOGIN_LATE:
        return end_with(EXIT_UNREACHABLE, "no answer came from the browser in time; try again");
    case LOGIN_DENIED:
        text_format_cut(words, sizeof words, "no consent: %s", login->answer.reason);
        return end_with(EXIT_REFUSED, words);
    }
    return EXIT_FINE;
}

/* ---- the exchange ---- */

static void login_on_exchanged(void *user, const HttpResult *result)
{
    Login *login = user;
    ApiError refusal;
    login->is_exchanged = true;
    if (result->outcome != HTTP_ANSWERED) {
        error_set(&login->err, ERR_IO, "%s", result->error);
    } else if (result->head.status == 200) {
        (void)!oauth_read_grant(&login->grant, result->body, &login->err);
    } else {
        api_error_parse(&refusal, result->body);
        bool is_later = result->head.status == 429 || result->head.status >= 500;
        error_set(&login->err, is_later ? ERR_IO : ERR_REFUSED,
                  "the server gives no token (%d): %s", result->head.status, refusal.text);
    }
}

static bool exchange(Login *login)
{
    const Config *config = &login->config;
    const HttpOptions options = { .origin = config->account.url,
                                  .ca_file = config->account.ca_file };
    const HttpCallbacks callbacks = { .on_done = login_on_exchanged, .user = login };
    char url[CONFIG_TEXT_SIZE + 20];
    bool fits = text_format_fits(url, sizeof url, "%s/api/token", config->account.url);
    Buf form;
    buf_init(&form, OAUTH_TEXT_MAX);
    bool ok = fits && oauth_write_exchange(&login->question, login->answer.code, &form) &&
              http_new(&login->http, &login->loop, &options, &login->err);
    if (ok) {
        const HttpSpec spec = { .method = HTTP_POST,
                                .url = url,
                                .body = { form.text, form.len },
                                .timeout_ms = EXCHANGE_MS };
        ok = http_request(login->http, &spec, &callbacks, &login->err);
    }
    if (form.text)
        OPENSSL_cleanse(form.text, form.len);
    buf_release(&form);
    while (ok && !login->is_exchanged)
        uv_run(&login->loop, UV_RUN_ONCE);
    return ok && login->grant.token[0] != '\0';
}

/* ---- what it came to ---- */

static void login_on_account(void *user, const ApiAnswer *answer)
{
    const Login *login = user;
    AccountCheck account;
    account_judge(&account, answer, login->config.account.url);
    if (account.verdict == ACCOUNT_NOT_BOT && account.games_played > 0)
        printf("It is for %s, which has played games and cannot become a BOT account: log in as "
               "another.\n",
               account.name);
    else if (account.verdict == ACCOUNT_NOT_BOT)
        printf("It is for %s, which is no BOT account yet: castled upgrade\n", account.name);
    else if (account.verdict == ACCOUNT_READY)
        printf("It is for %s, a BOT account.\n", account.name);
    else
        end_with(EXIT_REFUSED, account.advice);
}

static void tell_owner(Login *login)
{
    Error err = { 0 };
    if (!blocking_api_call(&login->config, login->grant.token, ENDPOINT_ACCOUNT, login_on_account,
                           login, &err))
        end_with(EXIT_FAULT, err.text);
}

static void tell_place(const Login *login)
{
    char until[40] = "";
    time_t end = time(NULL) + (time_t)login->grant.life_s;
    struct tm day;
    if (login->grant.life_s > 0 && gmtime_r(&end, &day) &&
        strftime(until, sizeof until, ", and good until %Y-%m-%d", &day) == 0)
        until[0] = '\0';
    char *whole = realpath(login->token_file, NULL);
    const char *place = whole ? whole : login->token_file;
    printf("The token is in %s, for you alone to read%s.\n", place, until);
    if (strcmp(login->token_file, login->config.account.token_file) != 0)
        printf("For castled to find it, put this below [account] in %s:\n  token_file = %s\n",
               login->config_path, place);
    free(whole);
    if (getenv("CASTLED_TOKEN"))
        printf("CASTLED_TOKEN is set and goes before the file: unset it.\n");
}

static ExitStatus log_in(Login *login)
{
    ExitStatus status = await_consent(login);
    if (status != EXIT_FINE)
        return status;
    if (!exchange(login))
        return end_with(login->err.code == ERR_REFUSED ? EXIT_REFUSED : EXIT_UNREACHABLE,
                        login->err.text);
    if (!token_save(login->token_file, login->grant.token, &login->err))
        return end_with(EXIT_FAULT, login->err.text);
    tell_place(login);
    tell_owner(login);
    return EXIT_FINE;
}

/* ---- the command ---- */

/* What the command line says. */
typedef struct {
    const char *file; /* NULL: not given */
    int64_t port, timeout_s;
} LoginWords;

static const Option login_options[] = {
    { .name = "--token-file",
      .value = "FILE",
      .help = "where the token goes; default: as token_file says, else for root where the service "
              "looks for it, else the state directory",
      .read = option_text,
      .at = offsetof(LoginWords, file) },
    { .name = "--port",
      .value = "PORT",
      .help = "port on 127.0.0.1 for the browser's answer; default: any",
      .read = option_number,
      .at = offsetof(LoginWords, port),
      .lo = 1,
      .hi = 65535 },
    { .name = "--timeout",
      .value = "SECONDS",
      .help = "how long to wait for consent; default: 600",
      .read = option_number,
      .at = offsetof(LoginWords, timeout_s),
      .lo = 1,
      .hi = TIMEOUT_MOST_S },
    { .name = NULL },
};

/* Another bot's token is not ours to replace. */
static bool is_of_another_unit(const Login *login, Error *err)
{
    ServiceUnit ours, others;
    if (!service_unit_of_config(&ours, login->config_path) ||
        !service_unit_of_token(&others, login->token_file) || strcmp(ours.name, others.name) == 0)
        return false;
    error_set(err, ERR_INVALID,
              "%s is the token of %s.service: write token_file = %s below [account] in %s",
              others.token_file, others.name, ours.token_file, login->config_path);
    return true;
}

/* The option, else the configuration's place, else root's for the unit that plays by this
 * configuration, else the state directory. */
static bool choose_place(Login *login, const char *wanted, Error *err)
{
    const char *configured = login->config.account.token_file;
    ServiceUnit unit;
    bool is_units = geteuid() == 0 && service_unit_of_config(&unit, login->config_path);
    const char *file = wanted          ? wanted
                       : configured[0] ? configured
                       : is_units      ? unit.token_file
                                       : NULL;
    if (!file)
        return state_dir_path(login->token_file, sizeof login->token_file, "token", err) &&
               state_dir_make(login->token_file, err);
    if (text_copy(login->token_file, sizeof login->token_file, text_of(file)))
        return true;
    error_set(err, ERR_RANGE, "the token file's path is too long");
    return false;
}

/* A place that can't be written is reported before the consent, which would be lost. */
static bool find_place(Login *login, const char *wanted, Error *err)
{
    return choose_place(login, wanted, err) && !is_of_another_unit(login, err) &&
           writable_look(login->token_file, FOLDER_IS_THERE, err);
}

static ExitStatus with_loop(Login *login)
{
    int failure = uv_loop_init(&login->loop);
    if (failure)
        return end_with(EXIT_FAULT, uv_strerror(failure));
    timer_init(&login->loop, &login->deadline, login);
    ExitStatus status = log_in(login);
    web_server_close(login->server);
    if (login->http)
        http_close(login->http, NULL, NULL);
    uv_close((uv_handle_t *)&login->deadline, NULL);
    uv_run(&login->loop, UV_RUN_DEFAULT);
    uv_loop_close(&login->loop);
    return status;
}

static ExitStatus cmd_login(const CommandOptions *options)
{
    LoginWords words = { .timeout_s = TIMEOUT_S };
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &words }))
        return EXIT_USAGE;
    command_outlive_peers();
    Login *login = calloc(1, sizeof *login);
    if (!login)
        return end_with(EXIT_FAULT, "no memory");
    login->port = words.port;
    login->timeout_s = words.timeout_s;
    token_guard_process();
    ExitStatus status = EXIT_CONFIG;
    if (command_read_config(options, &login->config, login->config_path)) {
        status = find_place(login, words.file, &err) ? with_loop(login)
                                                     : end_with(EXIT_CONFIG, err.text);
        config_release(&login->config);
    }
    OPENSSL_cleanse(login, sizeof *login);
    free(login);
    return status;
}

const CliCommand command_login = {
    .name = "login",
    .run = cmd_login,
    .help = "get a token by your consent in a browser, and keep it in a file",
    .forms = { "[--token-file FILE] [--port PORT] [--timeout SECONDS]" },
    .text = "Prints a page to open. The browser's answer comes back on 127.0.0.1. Only the "
            "file's owner can read the token.",
    .options = { login_options },
    .example = "castled --instance alba login",
    .example_help = "gets a token for castled@alba.service, which looks for it there",
};
