/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/session_settings.h"

#include "bot/archive/archive.h"
#include "bot/game/game.h"
#include "bot/game/game_settings.h"
#include "bot/game/slots.h"
#include "bot/policy/engine_share.h"
#include "bot/policy/level.h"
#include "bot/policy/rules.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"

#include <string.h>

enum { KEPT_DAYS = 365 };

static int64_t kept_until_ms(void)
{
    return clock_unix_ms() + KEPT_DAYS * DURATION_DAY_MS;
}

static void log_rules(const SessionSettings *settings, const RuleMatches *matches)
{
    Buf names;
    buf_init(&names, RULES_MAX * (INI_SECTION_LONGEST + 1));
    bool ok = true;
    for (int i = 0; i < matches->count; i++)
        ok = ok && buf_printf(&names, "%s%s", i ? "," : "", matches->rules[i]->name);
    if (ok && matches->count > 0)
        log_info(settings->bot->log, "game", "rules",
                 FIELDS(F("id", settings->game_id), F("names", buf_view(&names))));
    buf_release(&names);
}

/* A person's wish goes first. Where engine.elo follows the opponent it is a rating from here on. */
static void choose_level(SessionSettings *settings, const GameFacts *facts, GameSettings *game)
{
    LevelLearnt learnt = { 0 };
    const Archive *archive = settings->bot->archive;
    Text id = text_of(facts->opponent.id);
    int wished = facts->rated
                     ? 0
                     : wish_level_read(text_of(archive_recall(archive, FACT_WISHED_LEVEL, id)),
                                       settings->game_id);
    if (wished > 0)
        game->engine.elo = wished;
    settings->adapts = elo_follows_opponent(game->engine.elo) && !facts->rated;
    if (settings->adapts)
        learnt = level_read(text_of(archive_recall(archive, FACT_LEVEL, id)));
    game->engine.elo = level_for(game->engine.elo, facts->opponent.rating, &learnt);
}

/* By which game's id the engine is drawn: a rematch, the second game of a pair and a match with the
 * same opponent keep the engine of the first one. */
static void choose_draw(const SessionSettings *settings, const GameFacts *facts,
                        char out[GAME_ID_SIZE])
{
    Archive *archive = settings->bot->archive;
    Text opponent = text_of(facts->opponent.id);
    const char *kept = archive_recall(archive, FACT_DRAW, opponent);
    bool is_alone = facts->speed == SPEED_CORRESPONDENCE || opponent.len == 0;
    if (is_alone || !kept || !text_copy(out, GAME_ID_SIZE, text_of(kept)))
        (void)text_copy(out, GAME_ID_SIZE, text_of(settings->game_id));
    if (!is_alone && (!kept || settings->is_rematch))
        archive_remember(archive, FACT_DRAW, opponent, out, clock_unix_ms() + 2 * DURATION_HOUR_MS);
}

/* The operator's choice goes before shares. */
static void draw_engine(SessionSettings *settings, const GameFacts *facts, GameSettings *game)
{
    const BotContext *bot = settings->bot;
    const char *id = settings->game_id;
    char by[GAME_ID_SIZE], words[CONFIG_TEXT_SIZE];
    if (game->engine.elo > 0) /* weakened play is our own engine's */
        return;
    const char *chosen = archive_recall(bot->archive, FACT_ENGINE, text_of(""));
    if (chosen && engine_share_use(bot->config, game->engine.external, facts->variant, chosen) &&
        text_copy(game->engine.external, sizeof game->engine.external, text_of(chosen))) {
        text_copy(settings->engine, sizeof settings->engine, text_of(chosen));
        log_info(bot->log, "game", "chosen", FIELDS(F("id", id), F("engine", chosen)));
        return;
    }
    if (!engine_share_draw(bot->config, game->engine.external, facts->variant, text_of(id), words))
        return;
    choose_draw(settings, facts, by);
    (void)engine_share_draw(bot->config, game->engine.external, facts->variant, text_of(by), words);
    memcpy(game->engine.external, words, sizeof words);
    text_copy(settings->engine, sizeof settings->engine, text_of(words));
    log_info(bot->log, "game", "drawn",
             FIELDS(F("id", id), F("engine", words), F("by", by),
                    F("lot", engine_share_lot(text_of(by)))));
}

/* Elsewhere the server has a limit of its own for a first move, or an organiser gives minutes. */
static bool may_abort(Text source)
{
    return source.len == 0 || text_is(source, "friend") || text_is(source, "ai");
}

/* From the next move on, with the times and manners that go with it. */
static void play_at(SessionSettings *settings, int level)
{
    GameSettings *game = &settings->game;
    game->engine.elo = level;
    game->engine.contempt_cp = 0;
    game->draw = settings->draw_as_set;
    game->resign = settings->resign_as_set;
    settings->adapts = false;
    game_settings_follow_level(game, settings->bot->config->account.server,
                               game_seed_of(settings->game_id));
}

void session_settings_init(SessionSettings *settings, const BotContext *bot, const char *game_id,
                           const GameInfo *info, bool is_rematch)
{
    settings->bot = bot;
    settings->game_id = game_id;
    settings->is_rematch = is_rematch;
    settings->is_paired = text_is(info->source, "api");
    settings->may_abort = may_abort(info->source);
    game_settings_copy(&settings->game, &bot->config->game);
}

void session_settings_complete(SessionSettings *settings, const GameFull *full, Colour us)
{
    const BotContext *bot = settings->bot;
    GameSettings game;
    RuleMatches matches;
    GameFacts facts = facts_of_game(full, us);
    facts.is_rematch = settings->is_rematch;
    facts.engine = archive_recall(bot->archive, FACT_RUNS, text_of(facts.opponent.id));
    rules_apply(bot->config, &facts, &game, &matches);
    choose_level(settings, &facts, &game);
    settings->draw_as_set = game.draw;
    settings->resign_as_set = game.resign;
    game_settings_complete(&game, &facts, full, us, bot->config->account.server);
    draw_engine(settings, &facts, &game);
    game_settings_limit_wait(&game, settings->may_abort,
                             slots_game_is_unseen(bot->slots, settings->game_id));
    game_settings_copy(&settings->game, &game);
    uci_opponent_write(&facts.opponent, settings->uci_opponent);
    settings->is_complete = true;
    log_rules(settings, &matches);
}

GameOptions session_settings_options(const SessionSettings *settings, const char *opponent_id)
{
    GameOptions options =
        game_settings_options(&settings->game, settings->bot->config->account.server);
    options.is_paired = settings->is_paired;
    if (options.pace == PACE_HUMAN &&
        archive_recall(settings->bot->archive, FACT_PACE, text_of(opponent_id)))
        options.pace = PACE_FAST; /* who has asked for it once is not kept waiting */
    return options;
}

void session_settings_hurry(const SessionSettings *settings, const Player *them)
{
    const BotContext *bot = settings->bot;
    char name[PLAYER_TEXT_SIZE];
    player_text(them, name);
    archive_remember(bot->archive, FACT_PACE, text_of(them->id), "fast", kept_until_ms());
    log_info(bot->log, "game", "hurried", FIELDS(F("id", settings->game_id), F("opponent", name)));
}

bool session_settings_grant(SessionSettings *settings, const Wish *wish, const WishFacts *facts,
                            const char *opponent_id)
{
    const BotContext *bot = settings->bot;
    bool is_now = wish_is_for_this_game(wish, facts);
    char text[WISH_LEVEL_SIZE];
    if (wish->kind != WISH_LEVEL || !wish_is_granted(wish, facts))
        return false;
    log_info(bot->log, "game", "level-wished",
             FIELDS(F("id", settings->game_id), F("level", wish->level),
                    F("now", is_now ? "yes" : "no")));
    wish_level_write(wish->level, is_now ? "" : settings->game_id, text);
    archive_remember(bot->archive, FACT_WISHED_LEVEL, text_of(opponent_id),
                     wish->level == LEVEL_AS_SET ? "" : text, clock_unix_ms() + DURATION_DAY_MS);
    if (is_now)
        play_at(settings, wish->level);
    return is_now;
}

void session_settings_learn(const SessionSettings *settings, const Game *game,
                            const GameRecord *record)
{
    enum { PLIES_MIN = 10 };
    Archive *archive = settings->bot->archive;
    Text id = text_of(record_opponent(record)->id);
    bool counts = settings->adapts && id.len > 0 && game_ply(game) >= PLIES_MIN &&
                  record_result(game->status, game->winner)[0] != '*';
    if (!counts)
        return;
    int result = game->winner == COLOUR_NONE ? 0 : game->winner == game->us ? 1 : -1;
    char text[LEVEL_TEXT_SIZE];
    LevelLearnt learnt = level_read(text_of(archive_recall(archive, FACT_LEVEL, id)));
    learnt = level_after(learnt, result);
    level_write(&learnt, text);
    archive_remember(archive, FACT_LEVEL, id, text, kept_until_ms());
}
