/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_settings.h"

#include "bot/config/rule.h"
#include "bot/lichess/online_bots.h"
#include "engine/base/text_format.h"
#include "engine/human/policy_network.h"
#include "engine/search/engine.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

static void PRINTF_LIKE(2, 3) warn(FILE *out, const char *format, ...)
{
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    text_format_cut_v(words, sizeof words, format, arguments);
    va_end(arguments);
    check_say(out, CHECK_WARNING, "settings", words);
}

/* Whether a rule may say something else for some challenges. */
static bool a_rule_sets(const Config *config, const char *section, const char *name)
{
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        for (int k = 0; k < rule->change_count; k++)
            if (strcmp(rule->changes[k].key->section, section) == 0 &&
                strcmp(rule->changes[k].key->name, name) == 0)
                return true;
    }
    return false;
}

static void check_slots(FILE *out, const Config *config)
{
    if (config->challenge.human_slots >= config->games.concurrency)
        warn(out,
             "challenge.human_slots = %d keeps all of games.concurrency = %d for humans: no bot is "
             "ever accepted",
             config->challenge.human_slots, config->games.concurrency);
}

/* Speeds follow from the clock, so they grow with both of its parts. */
static void check_clocks(FILE *out, const Config *config)
{
    static const char *const names[] = { "accept",   "speeds",        "min_base",
                                         "max_base", "min_increment", "max_increment" };
    const GameSettings *game = &config->game;
    Speed fastest = speed_of_clock(game->challenge.min_base_s, game->challenge.min_increment_s);
    Speed slowest = speed_of_clock(game->challenge.max_base_s, game->challenge.max_increment_s);
    if (!game->challenge.accept || config_set_has(game->challenge.speeds, SPEED_CORRESPONDENCE))
        return;
    for (Speed speed = fastest; speed <= slowest; speed++)
        if (config_set_has(game->challenge.speeds, (int)speed))
            return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (a_rule_sets(config, "challenge", names[i]))
            return;
    warn(out,
         "no clock within challenge.min_base = %d, max_base = %d, min_increment = %d, "
         "max_increment = %d has one of challenge.speeds: no challenge is ever accepted",
         game->challenge.min_base_s, game->challenge.max_base_s, game->challenge.min_increment_s,
         game->challenge.max_increment_s);
}

static void check_strength(FILE *out, const Config *config)
{
    if (config->game.engine.elo > 0 && config->game.engine.elo < ELO_MIN)
        warn(out, "engine.elo = %d plays like %d, the weakest that there is",
             config->game.engine.elo, ELO_MIN);
}

static void check_human(FILE *out, const Config *config)
{
    if (policy_is_file(config->game.engine.human) && config->game.engine.elo == 0 &&
        !a_rule_sets(config, "engine", "elo"))
        warn(out, "engine.human names a network, and no game has an engine.elo: it is never used");
}

static void check_other_server(FILE *out, const Config *config)
{
    if (config->account.server != SERVER_PYCHESS)
        return;
    if (config->matchmaking.play)
        warn(out, "matchmaking.play = yes: PyChess lets no bot challenge anybody");
    if (config->tournaments.join.count > 0 || config->tournaments.teams.count > 0)
        warn(out, "[tournaments]: PyChess has none for bots");
    if (config->game.resign.enabled == SWITCH_YES)
        warn(out, "resign.enabled = yes: castled does not resign on PyChess, which would tell "
                  "nobody of it");
    if (config->game.chat.hello[0] != '\0' || config->game.chat.hello_spectators[0] != '\0')
        warn(out, "chat.hello is never said on PyChess, where castled cannot read what was said");
}

/* In words; NULL: it holds none. */
static const char *secret_in(const Config *config)
{
    if (config->notify.url[0] != '\0')
        return "the address in notify.url";
    for (int i = 0; i < config->tournaments.join.count; i++)
        if (config->tournaments.join.at[i].password[0] != '\0')
            return "a tournament's password";
    return NULL;
}

static void check_secrets(FILE *out, const Config *config, const char *config_file)
{
    struct stat about;
    const char *secret = secret_in(config);
    if (secret && stat(config_file, &about) == 0 && (about.st_mode & S_IROTH) != 0)
        warn(out,
             "every user of this machine can read %s in %s: chmod 640 it, with a group that "
             "castled's user is in (systemd/README.md, Secrets in the configuration)",
             secret, config_file);
}

void check_settings(FILE *out, const Config *config, const char *config_file)
{
    check_slots(out, config);
    check_clocks(out, config);
    check_strength(out, config);
    check_human(out, config);
    check_other_server(out, config);
    check_secrets(out, config, config_file);
}
