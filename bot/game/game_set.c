/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_set.h"

#include "bot/archive/archive.h"
#include "bot/archive/pgn_files.h"
#include "bot/policy/recent_games.h"
#include "bot/game/after_game.h"
#include "bot/game/correspondence.h"
#include "bot/game/lost_by_fault.h"
#include "bot/game/slots.h"
#include "bot/ops/counters.h"
#include "bot/game/lag.h"
#include "bot/ops/timer.h"
#include "bot/ops/utc_time.h"
#include "bot/account/rematches.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/duration.h"
#include "engine/base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIST_RETRY_MS = 10000,
    LIST_GAP_MS = 5000, /* between two that games ask for */
    MISSED_LOOK_MS = 5000,
    LIST_MAX = 50,           /* games that account/playing lists at most */
    TURN_POLL_MS = 10000,    /* while a correspondence game waits for its turn */
    TURN_TIMEOUT_MS = 60000, /* beyond the search time, before the next one gets its turn */
};

/* The longest that a game may wait for a move is 14 days. */
#define EVAL_HISTORY_LIFE_MS (15 * DURATION_DAY_MS)
#define LAG_LIFE_MS (30 * DURATION_DAY_MS)

struct GameSet {
    const BotContext *context;
    SessionOwner owner;
    uv_timer_t timer;
    uint64_t seed;
    GameSetOnOver *on_over;
    void *user;

    LagMeter lag; /* of the account's moves */

    ApiCall *list_call;
    int64_t list_due_ms;      /* INT64_MAX: not to be asked */
    int64_t offline_since_ms; /* no game has a stream; INT64_MAX: one has, or there is no game */
    int64_t asked_ms;         /* when it was last asked for */
    int64_t missed_ms;   /* when the list was last asked for, or is to be, for a missed event */
    int64_t call_due_ms; /* of a look for a game that needs its turn; INT64_MAX: none does */

    Session *sessions[SLOTS_GAMES_MAX];
    int count;
    GameRecord recent[GAME_SET_RECENT]; /* the latest first */
    int recent_count;
    AfterGame *after;
};

static void arm_timer(GameSet *games);

static Session *find_session(const GameSet *games, const char *id)
{
    for (int i = 0; i < games->count; i++) {
        if (strcmp(session_game(games->sessions[i])->id, id) == 0)
            return games->sessions[i];
    }
    return NULL;
}

/* From the loop, because the caller may be in mid-step. */
static void call_soon(GameSet *games)
{
    games->call_due_ms = clock_now_ms();
    arm_timer(games);
}

static GameResult result_of(const Game *game)
{
    if (game->winner != COLOUR_NONE)
        return game->winner == game->us ? RESULT_WON : RESULT_LOST;
    if (game->status == STATUS_ABORTED)
        return RESULT_ABORTED;
    return strcmp(record_result(game->status, game->winner), "*") == 0 ? RESULT_UNKNOWN
                                                                       : RESULT_DRAWN;
}

/* The next start's first move has the line's lag. */

static void save_lag(const GameSet *games)
{
    char text[LAG_TEXT_SIZE];
    lag_meter_write(&games->lag, text);
    archive_remember(games->context->archive, FACT_LAG, (Text){ 0 }, text,
                     clock_unix_ms() + LAG_LIFE_MS);
}

/* Nor do draws and resignations begin anew. */

static bool find_eval_history(const GameSet *games, const char *game_id, EvalHistory *out)
{
    return eval_history_read(
        out, text_of(archive_recall(games->context->archive, FACT_EVAL_HISTORY, text_of(game_id))));
}

static void save_eval_history(const GameSet *games, const char *game_id, const char *text)
{
    Archive *archive = games->context->archive;
    const char *kept = archive_recall(archive, FACT_EVAL_HISTORY, text_of(game_id));
    if (strcmp(kept ? kept : "", text) != 0)
        archive_remember(archive, FACT_EVAL_HISTORY, text_of(game_id), text,
                         clock_unix_ms() + EVAL_HISTORY_LIFE_MS);
}

static void game_set_on_session_eval_history(void *user, const Session *session)
{
    char text[EVAL_HISTORY_TEXT_SIZE];
    eval_history_write(&session_game(session)->eval_history, text);
    save_eval_history(user, session_game(session)->id, text);
}

static void keep_recent(GameSet *games, const GameRecord *record)
{
    GameRecord copy;
    if (record->id[0] == '\0' || !record_copy(&copy, record))
        return;
    if (games->recent_count == GAME_SET_RECENT)
        record_release(&games->recent[--games->recent_count]);
    memmove(&games->recent[1], &games->recent[0],
            (size_t)games->recent_count++ * sizeof *games->recent);
    games->recent[0] = copy;
}

static void game_set_on_session_over(void *user, Session *session)
{
    GameSet *games = user;
    char id[GAME_ID_SIZE];
    const char *fault = lost_by_fault(session_game(session));
    memcpy(id, session_game(session)->id, sizeof id);
    games->context->counters->lost_by_fault += fault != NULL;
    games->context->counters->games[result_of(session_game(session))]++;
    save_lag(games);
    save_eval_history(games, session_game(session)->id, "");
    archive_add_game(games->context->archive, session_record(session));
    pgn_files_add(games->context->pgn_files, session_record(session));
    keep_recent(games, session_record(session));
    after_game_watch(games->after, session_record(session), session_chat_settings(session));
    slots_game_over(games->context->slots, session_game(session)->id);
    for (int i = 0; i < games->count; i++) {
        if (games->sessions[i] != session)
            continue;
        games->sessions[i] = games->sessions[--games->count];
        break;
    }
    if (games->count == 0)
        games->offline_since_ms = INT64_MAX;
    session_close(session);
    call_soon(games);
    games->on_over(games->user, id, fault);
}

/* Correspondence games. */

static void game_set_on_session_search(void *user)
{
    GameSet *games = user;
    for (int i = 0; i < games->count; i++)
        if (session_game(games->sessions[i])->correspondence.may_search)
            session_make_way(games->sessions[i]);
}

static void game_set_on_session_step(void *user)
{
    call_soon(user);
}

static void game_set_on_session_ask_list(void *user)
{
    GameSet *games = user;
    int64_t due = int64_max(clock_now_ms(), games->asked_ms + LIST_GAP_MS);
    games->list_due_ms = int64_min(games->list_due_ms, due);
    arm_timer(games);
}

/* An outage: no game has a stream, and one that was to be opened again has failed. */
static void game_set_on_session_stream_lost(void *user, const char *why)
{
    GameSet *games = user;
    int64_t now = clock_now_ms(), since = now;
    int owed = 0;
    char since_text[UTC_TIME_SIZE];
    for (int i = 0; i < games->count; i++) {
        const Game *game = session_game(games->sessions[i]);
        if (game->stream.is_live)
            return;
        if (!game->correspondence.is_asleep)
            since = int64_min(since, game->stream.down_ms);
        owed += game_owes_move(game);
    }
    if (games->offline_since_ms != INT64_MAX)
        return;
    games->offline_since_ms = since;
    utc_time_write((clock_unix_ms() - (now - since)) / 1000, since_text);
    log_warning(games->context->log, "daemon", "offline",
                FIELDS(F("since", since_text), F("games", games->count), F("owe_a_move", owed),
                       F("why", why)));
}

static void game_set_on_session_stream_back(void *user)
{
    GameSet *games = user;
    const BotContext *context = games->context;
    if (games->offline_since_ms != INT64_MAX)
        log_info(context->log, "daemon", "online-again",
                 FIELDS(F("games", games->count),
                        F("after_s", (clock_now_ms() - games->offline_since_ms) / 1000)));
    games->offline_since_ms = INT64_MAX;
    context->on_reached(context->user);
}

static bool is_before(const Session *a, const Session *b)
{
    return session_game(a)->correspondence.deadline_ms <
           session_game(b)->correspondence.deadline_ms;
}

static bool uses_its_turn(const Game *game, int64_t now_ms)
{
    return game->correspondence.may_search && now_ms - game->correspondence.granted_at_ms <
                                                  2 * game->options.search_ms + TURN_TIMEOUT_MS;
}

static void call_next(GameSet *games)
{
    const int64_t now = clock_now_ms();
    bool is_taken = false, clock_searches = false;
    Session *next = NULL;
    for (int i = 0; i < games->count; i++) {
        const Game *game = session_game(games->sessions[i]);
        bool searches = game->search.version != 0;
        is_taken = is_taken || uses_its_turn(game, now);
        clock_searches = clock_searches || (searches && !game->correspondence.is_correspondence);
        if (game_wants_turn(game) && (!next || is_before(games->sessions[i], next)))
            next = games->sessions[i];
    }
    games->call_due_ms = next ? now + TURN_POLL_MS : INT64_MAX;
    if (next && !is_taken && !(clock_searches && correspondence_can_wait(session_game(next), now)))
        session_grant_turn(next);
}

static void look_again_in_time(GameSet *games)
{
    const BotContext *context = games->context;
    int64_t due = clock_now_ms() + (int64_t)context->config->games.correspondence_poll_s * 1000;
    if (slots_running(context->slots, SLOTS_CORRESPONDENCE) > 0 && due < games->list_due_ms)
        games->list_due_ms = due;
}

/* The account's list. */

static void ask_again(GameSet *games)
{
    int64_t now = clock_now_ms();
    int64_t wait = ratelimit_wait_ms(games->context->limit, FAMILY_OTHER, now);
    games->list_due_ms = now + (wait > LIST_RETRY_MS ? wait : LIST_RETRY_MS);
    arm_timer(games);
}

static void check_listed(GameSet *games, const Playing *list)
{
    for (size_t i = 0; i < list->count; i++) {
        Session *session = find_session(games, list->games[i].id);
        if (session)
            session_listed(session, &list->games[i], games->asked_ms);
    }
}

/* Games that are not in a list that would have room for them. From the last one on: a session that
 * ends is replaced by the last. */
static void check_missing(GameSet *games, const Playing *list)
{
    for (int i = games->count - 1; i >= 0 && list->count < LIST_MAX; i--) {
        bool is_listed = false;
        for (size_t j = 0; j < list->count && !is_listed; j++)
            is_listed = strcmp(session_game(games->sessions[i])->id, list->games[j].id) == 0;
        if (!is_listed)
            session_unlisted(games->sessions[i], games->asked_ms);
    }
}

static void game_set_on_list(void *user, const ApiAnswer *answer)
{
    GameSet *games = user;
    const BotContext *context = games->context;
    Playing list;
    Error err = { 0 };
    games->list_call = NULL;
    if (api_answer_is_denial(answer))
        context->on_denied(context->user, answer);
    if (answer->outcome != API_OK ||
        !playing_parse(&list, answer->body.at, answer->body.len, &err)) {
        const char *why = answer->outcome == API_OK ? err.text : answer->reason;
        log_warning(context->log, "daemon", "games-unknown", FIELDS(F("why", why)));
        ask_again(games);
        return;
    }
    for (size_t i = 0; i < list.count; i++)
        game_set_play(games, &list.games[i]);
    check_listed(games, &list);
    check_missing(games, &list);
    playing_release(&list);
    look_again_in_time(games);
    arm_timer(games);
}

static void game_set_on_timer(uv_timer_t *timer)
{
    GameSet *games = timer->data;
    int64_t now = clock_now_ms();
    if (games->call_due_ms <= now)
        call_next(games);
    if (games->list_due_ms <= now)
        game_set_reconcile(games);
    arm_timer(games);
}

static void arm_timer(GameSet *games)
{
    bool is_call_first = games->call_due_ms < games->list_due_ms;
    timer_set(&games->timer, game_set_on_timer,
              is_call_first ? games->call_due_ms : games->list_due_ms);
}

/* The games. */

/* Who began a game with us in the last day outlives the process. */

static void note_visit(const BotContext *context, const GameInfo *info)
{
    char user[USER_ID_SIZE];
    Text id = text_of(info->opponent.id);
    if (id.len == 0 || !text_copy(user, sizeof user, id) ||
        archive_recall(context->archive, FACT_VISIT, text_of(info->id)))
        return; /* none, or a game that goes on after a restart */
    recent_games_note(context->recent_games, id, clock_now_ms());
    archive_remember(context->archive, FACT_VISIT, text_of(info->id), user,
                     clock_unix_ms() + DURATION_DAY_MS);
}

static void game_set_on_old_visit(void *user, const Fact *fact)
{
    int64_t ago_ms = clock_unix_ms() - (fact->expires_ms - DURATION_DAY_MS);
    recent_games_note(user, text_of(fact->value), clock_now_ms() - ago_ms);
}

bool game_set_new(GameSet **out, const BotContext *context, uint64_t seed, GameSetOnOver *on_over,
                  AfterGameOnWish *on_wish, void *user, Error *err)
{
    GameSet *games = alloc_zeroed(sizeof *games, "games", err);
    if (!games || !after_game_new(&games->after, context, on_wish, user, err)) {
        free(games);
        return false;
    }
    games->context = context;
    games->seed = seed;
    games->on_over = on_over;
    games->user = user;
    games->list_due_ms = games->call_due_ms = games->offline_since_ms = INT64_MAX;
    games->missed_ms = clock_now_ms() - MISSED_LOOK_MS;
    games->asked_ms = clock_now_ms() - LIST_GAP_MS;
    games->owner = (SessionOwner){
        .lag = &games->lag,
        .on_over = game_set_on_session_over,
        .on_eval_history = game_set_on_session_eval_history,
        .on_search = game_set_on_session_search,
        .on_stream_lost = game_set_on_session_stream_lost,
        .on_stream_back = game_set_on_session_stream_back,
        .on_ask_list = game_set_on_session_ask_list,
        .on_step = game_set_on_session_step,
        .user = games,
    };
    timer_init(context->loop, &games->timer, games);
    lag_meter_read(&games->lag, text_of(archive_recall(context->archive, FACT_LAG, (Text){ 0 })));
    archive_each_fact(context->archive, FACT_VISIT, game_set_on_old_visit, context->recent_games);
    *out = games;
    return true;
}

void game_set_recall(GameSet *games, const Facts *stored)
{
    const BotContext *context = games->context;
    int64_t now_ms = clock_unix_ms();
    if (games->lag.count == 0)
        lag_meter_read(&games->lag, text_of(facts_get(stored, fact_prefix(FACT_LAG), now_ms)));
    facts_each(stored, fact_prefix(FACT_VISIT), now_ms, game_set_on_old_visit,
               context->recent_games);
}

static void game_set_on_timer_closed(uv_handle_t *handle)
{
    GameSet *games = handle->data;
    for (int i = 0; i < games->recent_count; i++)
        record_release(&games->recent[i]);
    free(games);
}

void game_set_close(GameSet *games)
{
    if (!games)
        return;
    while (games->count > 0)
        session_close(games->sessions[--games->count]);
    if (games->list_call)
        api_cancel(games->list_call);
    after_game_close(games->after);
    uv_close((uv_handle_t *)&games->timer, game_set_on_timer_closed);
}

void game_set_play(GameSet *games, const GameInfo *info)
{
    const BotContext *context = games->context;
    Error err = { 0 };
    Session *session;
    if (!info->playable) {
        log_info(context->log, "daemon", "not-for-bots",
                 FIELDS(F("id", info->id), F("variant", info->variant_text)));
        return;
    }
    bool is_engine = player_is_engine(&info->opponent);
    SlotsPlayer player =
        slots_player(text_of(info->opponent.id), is_engine ? KIND_BOT : KIND_HUMAN);
    bool is_correspondence = info->speed == SPEED_CORRESPONDENCE;
    SlotsKind kind = is_correspondence ? SLOTS_CORRESPONDENCE : SLOTS_REALTIME;
    switch (slots_game_started(context->slots, info->id, kind, player)) {
    case SLOTS_KNOWN:
        session = find_session(games, info->id);
        if (session)
            session_read_turn(session, info);
        return;
    case SLOTS_FINISHED:
        return;
    case SLOTS_FULL:
        log_error(context->log, "daemon", "too-many-games", FIELDS(F("id", info->id)));
        return;
    case SLOTS_NEW:
        break;
    }
    EvalHistory eval_history;
    const SessionStart start = {
        .info = info,
        .eval_history = find_eval_history(games, info->id, &eval_history) ? &eval_history : NULL,
        .is_rematch = rematches_has(archive_facts(context->archive), info->id, clock_unix_ms()),
        .seed = random_next(&games->seed),
    };
    if (!session_new(&session, context, &games->owner, &start, &err)) {
        log_error(context->log, "daemon", "cannot-play",
                  FIELDS(F("id", info->id), F("why", err.text)));
        slots_game_dropped(context->slots, info->id);
        games->list_due_ms = clock_now_ms() + LIST_RETRY_MS;
        arm_timer(games);
        return;
    }
    games->sessions[games->count++] = session;
    note_visit(context, info);
    look_again_in_time(games);
    call_soon(games);
}

void game_set_finish(GameSet *games, const GameInfo *info)
{
    Session *session = find_session(games, info->id);
    if (session)
        session_finished(session, info->status, info->winner);
}

void game_set_reconcile(GameSet *games)
{
    const BotContext *context = games->context;
    Error err = { 0 };
    games->list_due_ms = INT64_MAX;
    if (games->list_call)
        return;
    games->asked_ms = clock_now_ms();
    games->list_call =
        api_call(context->api, ENDPOINT_PLAYING, NULL, game_set_on_list, games, &err);
    if (!games->list_call) {
        log_error(context->log, "daemon", "games-unknown", FIELDS(F("why", err.text)));
        ask_again(games);
    }
}

void game_set_reached(GameSet *games)
{
    for (int i = 0; i < games->count; i++)
        session_reached(games->sessions[i]);
}

void game_set_missed_event(GameSet *games)
{
    int64_t now = clock_now_ms(), due = games->missed_ms + MISSED_LOOK_MS;
    if (due <= now) {
        games->missed_ms = now;
        game_set_reconcile(games);
    } else if (games->missed_ms <= now) {
        games->missed_ms = due;
        games->list_due_ms = int64_min(games->list_due_ms, due);
        arm_timer(games);
    }
}

const Session *game_set_find(const GameSet *games, const char *id)
{
    return find_session(games, id);
}

static const Session *latest_session(const GameSet *games)
{
    const Session *latest = games->sessions[0];
    for (int i = 1; i < games->count; i++)
        if (session_record(games->sessions[i])->created_at_ms >
            session_record(latest)->created_at_ms)
            latest = games->sessions[i];
    return latest;
}

static bool has_just_ended(const GameSet *games, Text id)
{
    for (int i = 0; i < games->recent_count; i++)
        if (text_is(id, games->recent[i].id))
            return true;
    return false;
}

const Session *game_set_choose(const GameSet *games, Text word, Error *err)
{
    const Session *found = NULL;
    if (games->count == 0) {
        error_set(err, ERR_NOT_NOW, "no game is being played");
        return NULL;
    }
    if (text_is(word, "latest"))
        return latest_session(games);
    for (int i = 0; i < games->count; i++) {
        const char *id = session_game(games->sessions[i])->id;
        if (word.len > strlen(id) || !text_equals((Text){ id, word.len }, word))
            continue;
        if (found) {
            error_set(err, ERR_INVALID, "%s and %s are both being played: which one?",
                      session_game(found)->id, id);
            return NULL;
        }
        found = games->sessions[i];
    }
    if (!found)
        error_set(err, ERR_INVALID, "%.*s: %s", TEXT_ARGS(word),
                  has_just_ended(games, word) ? "the game is over"
                                              : "no such game is being played");
    return found;
}

bool game_set_order(GameSet *games, const char *id, GameOrder order, SessionOnOrder *on_end,
                    void *user, Error *err)
{
    Session *session = find_session(games, id);
    if (!session)
        error_set(err, ERR_NOT_NOW, "%s: no such game is being played", id);
    return session && session_order(session, order, on_end, user, err);
}

int game_set_count(const GameSet *games)
{
    return games->count;
}

void game_set_each(const GameSet *games, void (*on_session)(void *user, const Session *session),
                   void *user)
{
    for (int i = 0; i < games->count; i++)
        on_session(user, games->sessions[i]);
}

const GameRecord *game_set_recent(const GameSet *games, int index)
{
    return index >= 0 && index < games->recent_count ? &games->recent[index] : NULL;
}

const GameRecord *game_set_find_recent(const GameSet *games, Text id)
{
    const GameRecord *record;
    for (int i = 0; (record = game_set_recent(games, i)); i++)
        if (text_is(id, record->id))
            return record;
    return NULL;
}
