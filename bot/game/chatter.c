/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/chatter.h"

#include "bot/archive/archive.h"
#include "bot/archive/stats.h"
#include "bot/game/game.h"
#include "bot/game/slots.h"
#include "bot/model/ids.h"
#include "bot/model/score_text.h"
#include "bot/ops/version.h"
#include "bot/policy/engine_names.h"
#include "bot/policy/rules.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

#include <string.h>
#include <strings.h>

#define ENGINE_NAME "castled " CASTLED_VERSION ": " ENGINE_ORIGIN

enum { FRESH_PLIES = 2, ASKED_LIFE_DAYS = 365 };

static const char *const room_names[ROOM_COUNT] = { "player", "spectator" };

/* Its answer is not needed; the game may be over by then. */
static void chatter_on_sent(void *user, const ApiAnswer *answer)
{
    (void)user;
    (void)answer;
}

static void send_lines(Chatter *chatter, ChatRoom room, const TalkLines *lines)
{
    const ChatterContext *context = &chatter->context;
    for (int i = 0; i < lines->count; i++) {
        Error err = { 0 };
        bool is_limited = ratelimit_wait_ms(context->bot->limit, FAMILY_CHAT, clock_now_ms()) > 0;
        if (is_limited)
            error_set(&err, ERR_NOT_NOW, "Lichess limits our chat");
        if (is_limited || !api_chat(context->bot->api, context->game->id, room_names[room],
                                    lines->at[i], chatter_on_sent, NULL, &err))
            log_warning(context->bot->log, "chat", "unsaid",
                        FIELDS(F("id", context->game->id), F("room", room_names[room]),
                               F("text", lines->at[i]), F("why", err.text)));
        else
            log_info(context->bot->log, "chat", "said",
                     FIELDS(F("id", context->game->id), F("room", room_names[room]),
                            F("text", lines->at[i])));
    }
}

/* Of all games against people that the archive has, in SQLite or on its server. */
static void put_results(Chatter *chatter, TalkFacts *facts)
{
    const StatsRow *results = archive_results(chatter->context.bot->archive);
    const StatsRow *row = results ? &results[AGAINST_HUMANS] : NULL;
    talk_level(chatter->context.settings->engine.elo, chatter->level);
    talk_performance(row ? stats_performance(row) : 0, row ? row->games : 0, chatter->performance);
    facts->level = chatter->level;
    facts->performance = chatter->performance;
}

static void put_names(Chatter *chatter, TalkFacts *facts)
{
    put_results(chatter, facts);
    facts->me = chatter->me;
    facts->opponent = chatter->opponent;
    facts->program = facts->engine ? facts->engine : "castled";
    if (!facts->engine)
        facts->engine = ENGINE_NAME;
    facts->version = version_text();
    facts->cpu = chatter->cpu;
    facts->ram = chatter->ram;
}

/* As many increments for each player are what Lichess reckons with; half of them are still to come.
 */
static int64_t wait_s(const ChatterContext *context, const char *asker, int64_t now_ms)
{
    const Slots *slots = context->bot->slots;
    const Game *game = context->game;
    const TimeControl *time = &context->record->time;
    int slot_count = slots_limit(slots, SLOTS_REALTIME), place = slots_place(slots, asker);
    if (time->kind != TIME_CLOCK || slots_used(slots, SLOTS_REALTIME) < slot_count)
        return 0;
    int64_t whole = 2000 * time_control_estimate_s(time);
    int64_t left = ESTIMATED_MOVES * time->increment_s * 1000;
    for (Colour colour = WHITE; colour < COLOUR_COUNT; colour++)
        left += gameclock_left_ms(&game->clock, colour, game->sheet.position.side_to_move, now_ms);
    return talk_wait_s(place > 0 ? place : slots_waiting(slots)->count + 1, slot_count, left,
                       whole);
}

/* What has found our latest moves: "Stockfish 15.1" of "far: Stockfish 15.1 (3f2a91bc0d12)
 * Hash=16"; NULL: our own engine, or no move was made yet. */
static const char *external_name(const GameRecord *record, char out[RECORD_ENGINE_SIZE])
{
    const char *from = strstr(record->engine, ": ");
    const char *end = from ? strstr(from, " (") : NULL;
    if (!end || !text_copy(out, RECORD_ENGINE_SIZE, (Text){ from + 2, (size_t)(end - from - 2) }))
        return NULL;
    return out;
}

static void put_game(const ChatterContext *context, char score[SCORE_TEXT_SIZE],
                     char engine[RECORD_ENGINE_SIZE], TalkFacts *facts)
{
    const LatestMove *latest = context->latest;
    bool is_searched = latest->choice.depth > 0;
    facts->engine = external_name(context->record, engine);
    facts->score = is_searched ? score_text(latest->choice.score, score) : "-";
    facts->move = latest->san;
    facts->reply = latest->reply_san;
    facts->depth = latest->choice.depth;
    facts->lag_ms = game_lag(context->game).usual_ms;
    facts->settings = context->settings;
    facts->takebacks = context->game->takebacks_granted;
}

/* In both rooms, by their templates. */
static void say_lines(Chatter *chatter, const char *to_player, const char *to_spectators)
{
    TalkFacts facts = { 0 };
    put_names(chatter, &facts);
    TalkLines lines;
    talk_fill(to_player, &facts, &lines);
    send_lines(chatter, ROOM_PLAYER, &lines);
    talk_fill(to_spectators, &facts, &lines);
    send_lines(chatter, ROOM_SPECTATOR, &lines);
}

/* Nothing said by us yet: say hello. No answer that can be read: rather be silent than twice. */
static void chatter_on_said_so_far(void *user, const ApiAnswer *answer)
{
    Chatter *chatter = user;
    const ChatSettings *settings = &chatter->context.settings->chat;
    chatter->question = NULL;
    bool has_spoken = true;
    if (answer->outcome == API_OK &&
        chat_has_line_by(answer->body, chatter->context.bot->our_id, &has_spoken) && !has_spoken)
        say_lines(chatter, settings->hello, settings->hello_spectators);
}

static bool is_by(const ChatLine *said, const char *id)
{
    return said->username.len == strlen(id) &&
           strncasecmp(said->username.at, id, said->username.len) == 0;
}

/* A line of ours was logged when it was said. */
static void log_heard(const ChatterContext *context, const ChatLine *said, ChatRoom room)
{
    const char *our_id = context->bot->our_id;
    bool is_ours = is_by(said, our_id);
    if (is_ours)
        log_debug(
            context->bot->log, "chat", "shown",
            FIELDS(F("id", context->game->id), F("room", room_names[room]), F("text", said->text)));
    else
        log_info(context->bot->log, "chat", "heard",
                 FIELDS(F("id", context->game->id), F("room", room_names[room]),
                        F("from", said->username), F("text", said->text)));
}

static void copy_name(char out[CONFIG_TEXT_SIZE], const Player *user)
{
    if (user->ai_level > 0)
        text_format_cut(out, CONFIG_TEXT_SIZE, "Stockfish");
    else
        text_format_cut(out, CONFIG_TEXT_SIZE, "%s", user->name[0] ? user->name : "stranger");
}

/* A bot's engine. */

static bool may_ask(const Chatter *chatter, const GameFull *full)
{
    const ChatterContext *context = &chatter->context;
    const Archive *archive = context->bot->archive;
    const ChatSettings *settings = &context->settings->chat;
    bool is_wanted =
        settings->ask_engine == SWITCH_YES ||
        (settings->ask_engine == SWITCH_AUTO && rules_need_engine(context->bot->config));
    return is_wanted && settings->enabled && chatter->bot_id[0] != '\0' &&
           full->state.move_count < FRESH_PLIES && !status_is_final(full->state.status) &&
           !archive_recall(archive, FACT_RUNS, text_of(chatter->bot_id)) &&
           !archive_recall(archive, FACT_ASKED_ENGINE, text_of(chatter->bot_id));
}

static void ask_engine(Chatter *chatter)
{
    const TalkLines lines = { .count = 1, .at = { "!name" } };
    archive_remember(chatter->context.bot->archive, FACT_ASKED_ENGINE, text_of(chatter->bot_id),
                     "yes", clock_unix_ms() + ASKED_LIFE_DAYS * DURATION_DAY_MS);
    send_lines(chatter, ROOM_PLAYER, &lines);
}

static void learn_engine(Chatter *chatter, const ChatLine *said)
{
    const ChatterContext *context = &chatter->context;
    Archive *archive = context->bot->archive;
    char engine[ENGINE_NAME_SIZE];
    if (chatter->bot_id[0] == '\0' || !is_by(said, chatter->bot_id) ||
        !engine_names_find(context->bot->engine_names, said->text, engine))
        return;
    const char *known = archive_recall(archive, FACT_RUNS, text_of(chatter->bot_id));
    if (!known || strcmp(known, engine) != 0)
        log_info(context->bot->log, "chat", "engine-known",
                 FIELDS(F("id", context->game->id), F("opponent", chatter->bot_id),
                        F("engine", engine)));
    archive_remember(archive, FACT_RUNS, text_of(chatter->bot_id), engine,
                     clock_unix_ms() + ENGINE_NAME_LIFE_DAYS * DURATION_DAY_MS);
}

void chatter_init(Chatter *chatter, const ChatterContext *context)
{
    *chatter = (Chatter){ .context = *context };
}

void chatter_begin(Chatter *chatter, const GameFull *full, Colour us)
{
    const ChatterContext *context = &chatter->context;
    const ChatSettings *settings = &context->settings->chat;
    Error err = { 0 };
    copy_name(chatter->me, &full->players[us]);
    const Player *them = &full->players[colour_other(us)];
    copy_name(chatter->opponent, them);
    if (player_is_bot_account(them))
        memcpy(chatter->bot_id, them->id, sizeof chatter->bot_id);
    if (may_ask(chatter, full))
        ask_engine(chatter);
    machine_cpu(chatter->cpu);
    machine_ram(chatter->ram);
    chatter->has_begun = true;
    bool has_words = settings->hello[0] != '\0' || settings->hello_spectators[0] != '\0';
    if (!settings->enabled || !has_words || full->state.move_count >= FRESH_PLIES ||
        status_is_final(full->state.status) ||
        ratelimit_wait_ms(context->bot->limit, FAMILY_CHAT, clock_now_ms()) > 0)
        return;
    chatter->question = api_call(context->bot->api, ENDPOINT_CHAT_SO_FAR, context->game->id,
                                 chatter_on_said_so_far, chatter, &err);
    if (!chatter->question)
        log_warning(context->bot->log, "chat", "unsaid",
                    FIELDS(F("id", context->game->id), F("why", err.text)));
}

void chatter_hear(Chatter *chatter, const ChatLine *said, const char *wish, int64_t now_ms)
{
    const ChatterContext *context = &chatter->context;
    const BotContext *bot = context->bot;
    char score[SCORE_TEXT_SIZE], engine[RECORD_ENGINE_SIZE];
    SlotsPlayer asker = slots_player(said->username, KIND_HUMAN);
    user_id_from_name(asker.id);
    TalkFacts facts = { .is_muted = user_list_has(&bot->config->mute, text_of(asker.id)),
                        .wait_s = wait_s(context, asker.id, now_ms),
                        .wish = wish };
    put_game(context, score, engine, &facts);
    facts.waiting = slots_waiting(bot->slots)->count;
    facts.place = slots_place(bot->slots, asker.id);
    put_names(chatter, &facts);
    TalkLines lines;
    ChatRoom room = said->is_player_room ? ROOM_PLAYER : ROOM_SPECTATOR;
    log_heard(context, said, room);
    if (said->is_player_room)
        learn_engine(chatter, said);
    talk_answer(&chatter->talk, &context->settings->chat, &facts, said, bot->our_id, now_ms,
                &lines);
    send_lines(chatter, room, &lines);
}

void chatter_end(Chatter *chatter, GameStatus status)
{
    const ChatSettings *settings = &chatter->context.settings->chat;
    if (chatter->has_begun && settings->enabled && status_is_final(status) &&
        status != STATUS_ABORTED && status != STATUS_NO_START)
        say_lines(chatter, settings->goodbye, settings->goodbye_spectators);
}

void chatter_release(Chatter *chatter)
{
    if (chatter->question)
        api_cancel(chatter->question);
    chatter->question = NULL;
}
