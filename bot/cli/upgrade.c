/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the token's account a BOT account. That is for ever, so whose it is comes first, and then
 * the question whether it is meant. What became of it is read from the account, not from the
 * answer: that may get lost. */
#include "bot/cli/command.h"
#include "bot/cli/blocking_api.h"
#include "bot/lichess/account.h"
#include "bot/ops/printable.h"
#include "engine/base/text_format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const Config *config;
    const char *token;
    AccountCheck account;
    char refusal[300]; /* of the upgrade; "": none */
} Upgrade;

static void upgrade_on_account(void *user, const ApiAnswer *answer)
{
    Upgrade *upgrade = user;
    account_judge(&upgrade->account, answer, upgrade->config->account.url);
}

static void upgrade_on_upgraded(void *user, const ApiAnswer *answer)
{
    Upgrade *upgrade = user;
    if (answer->outcome != API_OK)
        printable_copy(upgrade->refusal, sizeof upgrade->refusal, text_of(answer->reason));
}

static ExitStatus end_with(ExitStatus status, const char *words)
{
    fputs("castled: ", stderr);
    printable_print(stderr, text_of(words));
    fputc('\n', stderr);
    return status;
}

/* Whether the account can be one; if not, why. EXIT_FINE: it can, or is one already. */
static ExitStatus judge(const Upgrade *upgrade)
{
    const AccountCheck *account = &upgrade->account;
    char words[2 * CONFIG_TEXT_SIZE];
    if (account->verdict == ACCOUNT_READY)
        return EXIT_FINE;
    if (account->verdict != ACCOUNT_NOT_BOT)
        return end_with(account_is_hopeless(account->verdict) ? EXIT_REFUSED : EXIT_UNREACHABLE,
                        account->advice);
    if (account->games_played == 0)
        return EXIT_FINE;
    text_format_cut(words, sizeof words,
                    "%s has played %d games, and %s makes BOTs only of accounts that have "
                    "played none: make a new account, and a token for that",
                    account->name, account->games_played, upgrade->config->account.url);
    return end_with(EXIT_REFUSED, words);
}

/* Asks on the terminal. */
static bool is_meant(const Upgrade *upgrade)
{
    char answer[20];
    const char *name = upgrade->account.name;
    printf("%s on %s would be a BOT account: it would play through programs alone.\n"
           "This cannot be undone.\nMake %s a BOT account? Type yes: ",
           name, upgrade->config->account.url, name);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && strcmp(answer, "yes\n") == 0;
}

static bool ask_server(Upgrade *upgrade, ApiEndpoint endpoint, ApiOnAnswer *on_answer, Error *err)
{
    return blocking_api_call(upgrade->config, upgrade->token, endpoint, on_answer, upgrade, err);
}

static ExitStatus upgrade_account(Upgrade *upgrade, bool is_sure)
{
    Error err = { 0 };
    if (!ask_server(upgrade, ENDPOINT_ACCOUNT, upgrade_on_account, &err))
        return end_with(EXIT_FAULT, err.text);
    ExitStatus status = judge(upgrade);
    if (status != EXIT_FINE)
        return status;
    if (upgrade->account.verdict == ACCOUNT_READY) {
        printf("%s is a BOT account already; nothing to do\n", upgrade->account.name);
        return EXIT_FINE;
    }
    if (!is_sure && !is_meant(upgrade))
        return end_with(EXIT_FAULT, "nothing was changed");
    if (!ask_server(upgrade, ENDPOINT_UPGRADE, upgrade_on_upgraded, &err) ||
        !ask_server(upgrade, ENDPOINT_ACCOUNT, upgrade_on_account, &err))
        return end_with(EXIT_FAULT, err.text);
    if (upgrade->account.verdict == ACCOUNT_READY) {
        printf("%s is a BOT account now\n", upgrade->account.name);
        return EXIT_FINE;
    }
    if (upgrade->account.verdict != ACCOUNT_NOT_BOT)
        return judge(upgrade);
    return end_with(EXIT_REFUSED, upgrade->refusal[0] ? upgrade->refusal
                                                      : "the server did not upgrade the account");
}

static const Option upgrade_options[] = {
    { .name = "--yes",
      .help = "do not ask whether the account's name is right",
      .read = option_flag },
    { .name = NULL },
};

static ExitStatus cmd_upgrade(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    bool is_sure = false;
    if (!command_read_words(options, (void *[]){ &is_sure }))
        return EXIT_USAGE;
    if (!is_sure && !isatty(STDIN_FILENO))
        return end_with(EXIT_USAGE,
                        "upgrade cannot be undone: say yes on a terminal, or --yes in a script");
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    command_outlive_peers();
    Upgrade upgrade = { .config = &config, .token = token.text };
    ExitStatus status = EXIT_REFUSED;
    if (!token_load(&token, config.account.token_file, &err)) {
        end_with(status, err.text);
    } else {
        status = upgrade_account(&upgrade, is_sure);
        token_erase(&token);
    }
    config_release(&config);
    return status;
}

const CliCommand command_upgrade = {
    .name = "upgrade",
    .run = cmd_upgrade,
    .help = "make the token's account a BOT account, which cannot be undone",
    .forms = { "[--yes]" },
    .text = "The account must never have played a game.",
    .options = { upgrade_options },
    .example = "castled upgrade",
    .example_help = "shows the account's name, and asks first",
};
