/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/after_game.h"

#include "bot/review/turning_points.h"
#include "bot/ops/timer.h"
#include "bot/policy/talk.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <string.h>

enum { WATCHED_MAX = 16 };

/* From one look at the chat to the next, the first from the game's end. */
static const int64_t waits_ms[] = { 3000, 12000, 30000, 60000, 120000 };
enum { LOOKS = sizeof waits_ms / sizeof *waits_ms };

typedef struct {
    AfterGame *after;
    char id[GAME_ID_SIZE]; /* "": free */
    char opponent_id[USER_ID_SIZE];
    GameRecord game; /* without its moves */
    uint32_t asks;   /* what may still be asked for: bits of ChatCommand */
    char lines[TURNING_POINTS_MAX][TURNING_POINT_SIZE];
    int line_count;
    int looks;      /* so far */
    int64_t due_ms; /* of the next; INT64_MAX while one is under way */
    ApiCall *call;
} Watched;

struct AfterGame {
    const BotContext *context;
    AfterGameOnWish *on_wish;
    void *user;
    uv_timer_t timer;
    Watched list[WATCHED_MAX];
};

static void after_game_on_timer(uv_timer_t *timer);

static void forget(Watched *game)
{
    game->id[0] = '\0';
    game->due_ms = INT64_MAX;
}

static void look_again(Watched *game)
{
    if (game->looks == LOOKS)
        forget(game);
    else
        game->due_ms = timer_after(waits_ms[game->looks++]);
}

static void after_game_on_sent(void *user, const ApiAnswer *answer)
{
    (void)user;
    (void)answer;
}

static void say_line(const Watched *game, const char *line)
{
    const BotContext *context = game->after->context;
    Error err = { 0 };
    bool is_said = api_chat(context->api, game->id, "player", line, after_game_on_sent, NULL, &err);
    log_info(context->log, "chat", is_said ? "said" : "unsaid",
             FIELDS(F("id", game->id), F("room", "player"), F("text", line)));
}

static void answer_chat(Watched *game)
{
    game->asks &= ~(1U << CHAT_ANALYSIS);
    for (int i = 0; i < game->line_count; i++)
        say_line(game, game->lines[i]);
}

static void fulfil(Watched *game, const Wish *wish)
{
    const AfterGame *after = game->after;
    Error err = { 0 };
    game->asks &= ~(1U << CHAT_AGAIN | 1U << CHAT_ODDS);
    bool is_done = after->on_wish(after->user, &game->game, wish, &err);
    log_info(after->context->log, "game", "wished",
             FIELDS(F("id", game->id), F("odds", wish->odds ? odds_names[wish->odds] : "none"),
                    F("why", err.text)));
    if (!is_done)
        say_line(game, "I can't challenge you now. Please challenge me, then you get your turn.");
}

static void arm(AfterGame *after)
{
    int64_t due_ms = INT64_MAX;
    for (int i = 0; i < WATCHED_MAX; i++)
        if (after->list[i].id[0] != '\0')
            due_ms = int64_min(due_ms, after->list[i].due_ms);
    timer_set(&after->timer, after_game_on_timer, due_ms);
}

/* What the opponent asks for, and who that is; of several wishes the last one. */
typedef struct {
    const char *opponent_id;
    ChatSettings settings; /* what may still be asked for */
    bool analysis;
    Wish wish;
} Asking;

static void after_game_on_line(void *user, const ChatLine *said)
{
    Asking *asking = user;
    Wish wish;
    const WishFacts facts = { .is_person = true, .can_recur = true };
    asking->analysis = asking->analysis || talk_asks_for_analysis(said, asking->opponent_id);
    if (talk_wish(&asking->settings, said, asking->opponent_id, &wish) &&
        wish_is_granted(&wish, &facts))
        asking->wish = wish;
}

static void after_game_on_chat(void *user, const ApiAnswer *got)
{
    Watched *game = user;
    AfterGame *after = game->after;
    const UserList *mute = &after->context->config->mute;
    Asking asking = { .opponent_id = game->opponent_id,
                      .settings = { .enabled = true, .commands = game->asks } };
    game->call = NULL;
    bool is_heard = got->outcome == API_OK && chat_read(got->body, after_game_on_line, &asking) &&
                    !user_list_has(mute, text_of(game->opponent_id));
    if (is_heard && asking.analysis && config_set_has(game->asks, CHAT_ANALYSIS))
        answer_chat(game);
    if (is_heard && asking.wish.kind != WISH_NONE)
        fulfil(game, &asking.wish);
    if (got->outcome == API_REFUSED || game->asks == 0)
        forget(game);
    else
        look_again(game);
    arm(after);
}

/* While the server limits chat, a look is passed over. */
static void look_at_chat(Watched *game)
{
    const BotContext *context = game->after->context;
    Error err = { 0 };
    game->due_ms = INT64_MAX;
    if (ratelimit_wait_ms(context->limit, FAMILY_CHAT, clock_now_ms()) == 0)
        game->call =
            api_call(context->api, ENDPOINT_CHAT_SO_FAR, game->id, after_game_on_chat, game, &err);
    if (!game->call)
        look_again(game);
}

static void after_game_on_timer(uv_timer_t *timer)
{
    AfterGame *after = timer->data;
    int64_t now = clock_now_ms();
    for (int i = 0; i < WATCHED_MAX; i++)
        if (after->list[i].id[0] != '\0' && after->list[i].due_ms <= now)
            look_at_chat(&after->list[i]);
    arm(after);
}

bool after_game_new(AfterGame **out, const BotContext *context, AfterGameOnWish *on_wish,
                    void *user, Error *err)
{
    AfterGame *after = alloc_zeroed(sizeof *after, "chat after games", err);
    if (!after)
        return false;
    after->context = context;
    after->on_wish = on_wish;
    after->user = user;
    timer_init(context->loop, &after->timer, after);
    *out = after;
    return true;
}

bool after_game_can_recur(const GameRecord *record)
{
    return record->us != COLOUR_NONE && record->time.kind == TIME_CLOCK &&
           record->variant != VARIANT_UNKNOWN && record->tournament_id[0] == '\0' &&
           record_opponent(record)->id[0] != '\0';
}

static uint32_t may_ask(const GameRecord *record, const ChatSettings *settings)
{
    const Player *them = record_opponent(record);
    uint32_t asks = 1U << CHAT_ANALYSIS;
    if (!settings->enabled || record->us == COLOUR_NONE || them->id[0] == '\0' ||
        player_is_engine(them) || record_result(record->status, record->winner)[0] == '*')
        return 0;
    if (after_game_can_recur(record))
        asks |= 1U << CHAT_AGAIN | 1U << CHAT_ODDS;
    return settings->commands & asks;
}

void after_game_watch(AfterGame *after, const GameRecord *record, const ChatSettings *settings)
{
    Watched *game = NULL;
    uint32_t asks = may_ask(record, settings);
    if (asks == 0)
        return;
    for (int i = 0; i < WATCHED_MAX && !game; i++)
        if (after->list[i].id[0] == '\0')
            game = &after->list[i];
    if (!game)
        return;
    *game = (Watched){ .after = after, .game = *record, .asks = asks };
    game->game.moves = NULL;
    game->game.count = game->game.capacity = 0;
    memcpy(game->id, record->id, sizeof game->id);
    memcpy(game->opponent_id, record_opponent(record)->id, sizeof game->opponent_id);
    game->line_count = turning_points_write(record, game->lines);
    look_again(game);
    arm(after);
}

void after_game_close(AfterGame *after)
{
    if (!after)
        return;
    for (int i = 0; i < WATCHED_MAX; i++)
        if (after->list[i].call)
            api_cancel(after->list[i].call);
    timer_close(&after->timer);
}
