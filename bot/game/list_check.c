/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/list_check.h"

#include "bot/game/correspondence.h"
#include "bot/game/game_stream.h"
#include "engine/base/minmax.h"

enum {
    WAIT_FIRST_MS = 15000, /* on the opponent's turn; doubled after each question, */
    WAIT_MOST_MS = 60000,  /* … up to this, and from the first where there is no stream */
    ON_ITS_WAY_MS = 1000,  /* a move that the list has may be about to be shown */
    HEARD_MS = 10000,      /* a stream that was heard from so lately is left alone */
    LET_GO_MS = 2 * 60 * 1000,
    AGAIN_MS = 10000,  /* an answer is late, */
    UNSURE_MS = 30000, /* … and does not come */
};

void list_check_init(GameListCheck *check, int64_t now_ms)
{
    *check = (GameListCheck){
        .changed_ms = now_ms,
        .wait_ms = WAIT_FIRST_MS,
        .due_ms = INT64_MAX,
        .asked_ms = INT64_MIN / 2,
        .theirs_ms = INT64_MIN,
        .resync_ms = INT64_MAX,
        .unlisted_ms = INT64_MAX,
    };
}

void list_check_news(Step *step)
{
    GameListCheck *check = &step->game->list_check;
    check->changed_ms = step->now_ms;
    check->due_ms = INT64_MAX;
    check->resync_ms = INT64_MAX;
    if (step->game->stream.lost_count > 0)
        check->wait_ms = WAIT_FIRST_MS;
}

static bool is_their_turn(const Game *game)
{
    return game->phase == GAME_PLAYING && game->status == STATUS_STARTED && game->stream.is_live &&
           game->sheet.position.side_to_move != game->us;
}

void list_check_listed(Step *step, bool is_our_turn, int64_t asked_ms)
{
    Game *game = step->game;
    GameListCheck *check = &game->list_check;
    check->unlisted_ms = INT64_MAX;
    check->asked_ms = INT64_MIN / 2;
    if (asked_ms <= check->changed_ms || game->correspondence.is_correspondence)
        return;
    check->resync_ms = INT64_MAX;
    if (!is_our_turn)
        check->theirs_ms = asked_ms;
    else if (is_their_turn(game))
        check->resync_ms = step->now_ms + ON_ITS_WAY_MS;
}

/* How long neither the list nor a stream has had the game. */
static int64_t gone_ms(const Step *step)
{
    const Game *game = step->game;
    int64_t since_ms = game->list_check.unlisted_ms;
    if (game->phase != GAME_UNPLAYABLE)
        since_ms = int64_max(since_ms, game->stream.down_ms);
    return since_ms == INT64_MAX ? 0 : step->now_ms - since_ms;
}

bool list_check_unlisted(Step *step, int64_t asked_ms)
{
    Game *game = step->game;
    GameListCheck *check = &game->list_check;
    bool is_heard = game->stream.is_live && step->now_ms - game->stream.heard_ms < HEARD_MS;
    check->asked_ms = INT64_MIN / 2;
    if (asked_ms <= check->changed_ms || is_heard)
        return false;
    check->unlisted_ms = int64_min(check->unlisted_ms, step->now_ms);
    if (gone_ms(step) >= LET_GO_MS) {
        step_note(step, (Note){ .kind = NOTE_LET_GO, .ms = gone_ms(step) });
        return true;
    }
    if (game->stream.is_live || game->correspondence.is_asleep) {
        step_note(step, (Note){ .kind = NOTE_UNLISTED });
        game_stream_resync(step);
        correspondence_wake(step);
    }
    return false;
}

static void ask_list(Step *step)
{
    GameListCheck *check = &step->game->list_check;
    if (step->now_ms - check->asked_ms < AGAIN_MS)
        return;
    check->asked_ms = step->now_ms;
    step_effect(step, EFFECT_ASK_LIST);
}

bool list_check_confirms_their_turn(Step *step, int64_t since_ms)
{
    const GameListCheck *check = &step->game->list_check;
    bool is_shown = check->resync_ms == INT64_MAX && check->theirs_ms >= since_ms;
    if (is_shown || step->now_ms - since_ms >= UNSURE_MS)
        return true;
    ask_list(step);
    return false;
}

int64_t list_check_again_at_ms(const Game *game, int64_t since_ms)
{
    return int64_min(int64_max(since_ms, game->list_check.asked_ms + AGAIN_MS),
                     since_ms + UNSURE_MS);
}

/* Where we owe a move, what becomes of it tells. */
static bool is_wanted(const Game *game)
{
    return !game->correspondence.is_correspondence && game->phase < GAME_ENDING &&
           !(game->stream.is_live && game_owes_move(game));
}

static void ask_in_time(Step *step)
{
    Game *game = step->game;
    GameListCheck *check = &game->list_check;
    if (!is_wanted(game)) {
        check->due_ms = INT64_MAX;
        check->wait_ms = WAIT_FIRST_MS;
        return;
    }
    if (check->due_ms == INT64_MAX)
        check->due_ms = step->now_ms + (game->stream.is_live ? check->wait_ms : WAIT_MOST_MS);
    if (step->now_ms < check->due_ms)
        return;
    ask_list(step);
    check->wait_ms = int64_min(2 * check->wait_ms, WAIT_MOST_MS);
    check->due_ms = step->now_ms + check->wait_ms;
}

void list_check_step(Step *step)
{
    Game *game = step->game;
    GameListCheck *check = &game->list_check;
    if (step->now_ms >= check->resync_ms) {
        check->resync_ms = INT64_MAX;
        step_note(step, (Note){ .kind = NOTE_UNSEEN, .ply = (int)game_ply(game) + 1 });
        game_stream_resync(step);
        game_stream_keep_open(step);
    }
    ask_in_time(step);
}

int64_t list_check_next_at_ms(const Game *game)
{
    return int64_min(game->list_check.due_ms, game->list_check.resync_ms);
}
