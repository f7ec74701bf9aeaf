/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/live_feed.h"

#include "bot/admin/game_json.h"
#include "bot/game/slots.h"
#include "bot/ops/broadcast.h"
#include "bot/ops/json_put.h"
#include "bot/ops/timer.h"
#include "engine/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* A game as the viewers have it. */
typedef struct {
    char id[GAME_ID_SIZE];
    uint32_t version; /* of its move list */
    size_t plies;
    GamePhase phase;
    bool is_asleep;
    int64_t clock_at_ms;
    bool is_searching;
    int depth, score;
    Move best;
    int64_t shown_ms;
    bool is_there; /* it was met in this look */
} Shown;

struct LiveFeed {
    WebServer *server;
    StatusView view;
    uv_timer_t timer;
    Buf events; /* of this look */
    int64_t state_due_ms;
    int count;
    Shown shown[SLOTS_GAMES_MAX];
};

/* ---- events ---- */

/* Takes `data`. An event that does not fit is left out: the next one of its game has everything. */
static bool put_event(Buf *out, const char *name, struct json_object *data)
{
    const char *text = data ? json_object_to_json_string_ext(data, JSON_C_TO_STRING_PLAIN) : NULL;
    bool ok = text && buf_printf(out, "event: %s\ndata: %s\n\n", name, text);
    json_object_put(data);
    return ok;
}

static bool put_state(const LiveFeed *feed, Buf *out)
{
    return put_event(out, "state", status_json_state(&feed->view));
}

/* ---- what has changed ---- */

static Shown state_of(const Session *session, const Shown *before, int64_t now_ms)
{
    const Game *game = session_game(session);
    SessionView view = session_view(session);
    Shown now = { .version = game->sheet.version,
                  .plies = session_record(session)->count,
                  .phase = game->phase,
                  .is_asleep = game->correspondence.is_asleep,
                  .clock_at_ms = game->clock.at_ms,
                  .is_searching = view.is_searching,
                  .depth = view.choice.depth,
                  .score = view.choice.score,
                  .best = view.choice.move,
                  .shown_ms = now_ms,
                  .is_there = true };
    memcpy(now.id, before->id, sizeof now.id);
    return now;
}

static bool has_moved(const Shown *before, const Shown *now)
{
    return before->version != now->version || before->plies != now->plies ||
           before->phase != now->phase || before->is_asleep != now->is_asleep ||
           before->clock_at_ms != now->clock_at_ms;
}

static bool has_thought(const Shown *before, const Shown *now)
{
    return before->is_searching != now->is_searching || before->depth != now->depth ||
           before->score != now->score || before->best != now->best;
}

/* After a takeback the whole list is sent: the moves there may be others. */
static size_t first_new_move(const Shown *before, const Shown *now, const Scoresheet *sheet)
{
    bool is_replayed = before->version != now->version && sheet->tail_count == 0;
    return is_replayed || now->plies < before->plies ? 0 : before->plies;
}

static Shown *find_shown(LiveFeed *feed, const char *id)
{
    for (int i = 0; i < feed->count; i++)
        if (strcmp(feed->shown[i].id, id) == 0)
            return &feed->shown[i];
    if (feed->count == SLOTS_GAMES_MAX)
        return NULL;
    Shown *shown = &feed->shown[feed->count++];
    *shown = (Shown){ .phase = GAME_OVER }; /* as no game is that has a session */
    memcpy(shown->id, id, sizeof shown->id);
    return shown;
}

static void look_at(void *user, const Session *session)
{
    LiveFeed *feed = user;
    int64_t now_ms = clock_now_ms();
    Shown *before = find_shown(feed, session_game(session)->id);
    if (!before)
        return;
    before->is_there = true;
    Shown now = state_of(session, before, now_ms);
    bool is_due = now_ms - before->shown_ms >= LIVE_FEED_SEARCH_MS;
    if (!has_moved(before, &now) && !(is_due && has_thought(before, &now)))
        return;
    size_t from = first_new_move(before, &now, &session_game(session)->sheet);
    if (put_event(&feed->events, "game", game_json_of_session(session, from)))
        *before = now;
}

/* Games without a session any more: how they ended. */
static void tell_ends(LiveFeed *feed)
{
    for (int i = feed->count - 1; i >= 0; i--) {
        Shown *shown = &feed->shown[i];
        const GameRecord *record = game_set_find_recent(feed->view.games, text_of(shown->id));
        if (shown->is_there) {
            shown->is_there = false;
            continue;
        }
        if (record && !put_event(&feed->events, "game", game_json_of_record(record, shown->plies)))
            continue; /* sent in the next look */
        *shown = feed->shown[--feed->count];
    }
}

static void live_feed_on_timer(uv_timer_t *timer)
{
    LiveFeed *feed = timer->data;
    int64_t now_ms = clock_now_ms();
    if (web_server_viewers(feed->server) == 0) {
        feed->count = 0;
        return;
    }
    game_set_each(feed->view.games, look_at, feed);
    tell_ends(feed);
    if (now_ms >= feed->state_due_ms) {
        (void)!put_state(feed, &feed->events);
        feed->state_due_ms = now_ms + LIVE_FEED_STATE_MS;
    }
    if (feed->events.len > 0)
        web_server_publish(feed->server, feed->events.text, feed->events.len);
    buf_reset(&feed->events);
    timer_set(&feed->timer, live_feed_on_timer, now_ms + LIVE_FEED_LOOK_MS);
}

/* ---- the beginning ---- */

static void add_id(void *user, const Session *session)
{
    json_put_entry(user, json_object_new_string(session_game(session)->id));
}

static void put_session(void *user, const Session *session)
{
    /* A game that does not fit comes with its next change. */
    (void)!put_event(user, "game", game_json_of_session(session, GAME_JSON_NO_MOVES));
}

/* That a game may end before the first look at it. */
static void expect_end(void *user, const Session *session)
{
    (void)find_shown(user, session_game(session)->id);
}

bool live_feed_begin(LiveFeed *feed, Buf *out)
{
    const GameSet *games = feed->view.games;
    const GameRecord *record;
    struct json_object *ids = json_object_new_array();
    game_set_each(games, add_id, ids);
    if (!put_event(out, "games", ids))
        return false;
    game_set_each(games, put_session, out);
    game_set_each(games, expect_end, feed);
    for (int i = 0; (record = game_set_recent(games, i)); i++)
        if (!put_event(out, "game", game_json_of_record(record, GAME_JSON_NO_MOVES)))
            return false;
    if (!uv_is_active((uv_handle_t *)&feed->timer))
        timer_set(&feed->timer, live_feed_on_timer, timer_after(LIVE_FEED_LOOK_MS));
    return true;
}

bool live_feed_new(LiveFeed **out, WebServer *server, const StatusView *view, Error *err)
{
    LiveFeed *feed = calloc(1, sizeof *feed);
    if (!feed) {
        error_set(err, ERR_MEMORY, "no memory for the page's events");
        return false;
    }
    feed->server = server;
    feed->view = *view;
    buf_init(&feed->events, BROADCAST_SIZE);
    uv_timer_init(view->context->loop, &feed->timer);
    feed->timer.data = feed;
    *out = feed;
    return true;
}

static void live_feed_on_timer_closed(uv_handle_t *handle)
{
    LiveFeed *feed = handle->data;
    buf_release(&feed->events);
    free(feed);
}

void live_feed_close(LiveFeed *feed)
{
    if (feed)
        uv_close((uv_handle_t *)&feed->timer, live_feed_on_timer_closed);
}
