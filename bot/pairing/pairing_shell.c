/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/pairing_shell.h"

#include "bot/account/remote_lists.h"
#include "bot/archive/archive.h"
#include "bot/lichess/challenge_list.h"
#include "bot/ops/timer.h"
#include "bot/pairing/pairing_log.h"
#include "bot/source/builtin_engine.h"
#include "engine/base/alloc.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* A request under way, or one that could not even begin. */
typedef struct ShellCall {
    struct ShellCall *next;
    PairingShell *shell;
    PairAsk ask;
    uint32_t ticket;
    char id[GAME_ID_SIZE]; /* the request's */
    ApiCall *call;         /* NULL: could not begin */
    Error why;
} ShellCall;

/* A challenge by hand. */
typedef struct {
    uint32_t number; /* 0: free */
    PairingOnEnd *on_end;
    void *user;
} ShellOrder;

/* A tournament by hand. */
typedef struct {
    uint32_t number; /* 0: free */
    PairingOnArena *on_end;
    void *user;
} ShellArenaOrder;

struct PairingShell {
    const BotContext *context;
    const EventStream *events;
    uv_timer_t timer;
    Pairing pairing;
    ShellCall *calls;
    ShellOrder orders[OUTGOING_MAX];
    ShellArenaOrder arena_orders[ARENAS_MAX];
    uint32_t orders_so_far;
    const ApiAnswer *answer; /* while it is being taken in; else NULL */
};

static bool is_blocked(void *user, Text id)
{
    const PairingShell *shell = user;
    return remote_lists_has(shell->context->lists, LIST_BLOCK, id);
}

static bool is_allowed(void *user, Text id)
{
    const PairingShell *shell = user;
    return remote_lists_has(shell->context->lists, LIST_ALLOW, id);
}

static bool is_only(void *user, Text id)
{
    const PairingShell *shell = user;
    return remote_lists_has(shell->context->lists, LIST_ONLY, id);
}

static int cores_of(const Config *config)
{
    const int cores = builtin_engine_cores(), threads = config->engine.threads;
    return threads > 0 ? int_min(threads, cores) : cores;
}

static PairView view_of(PairingShell *shell)
{
    const BotContext *context = shell->context;
    return (PairView){
        .config = context->config,
        .limit = context->limit,
        .facts = archive_facts(context->archive),
        .our_id = context->our_id,
        .is_draining = context->is_draining,
        .ends_ms = context->ends_ms,
        .open_since_ms = event_stream_open_since_ms(shell->events),
        .recent_games = context->recent_games,
        .has_allow_lists = remote_lists_any(context->lists, LIST_ALLOW),
        .is_allowed = is_allowed,
        .is_blocked = is_blocked,
        .has_only_lists = remote_lists_any(context->lists, LIST_ONLY),
        .is_only = is_only,
        .engine_names = context->engine_names,
        .cores = cores_of(context->config),
        .user = shell,
    };
}

static PairTime time_now(void)
{
    return (PairTime){ .ms = clock_now_ms(), .unix_ms = clock_unix_ms() };
}

/* Requests. */

/* Takes the call out of the list. */
static void drop_call(ShellCall *call)
{
    ShellCall **at = &call->shell->calls;
    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    free(call);
}

/* One of the server's list of open challenges. */
static void pairing_shell_on_listed(void *user, const Event *event)
{
    pairing_shell_take(user, &(PairInput){ .kind = PAIR_ON_FOUND, .event = event });
}

static void take_answer(ShellCall *owned, const ApiAnswer *answer)
{
    ShellCall call = *owned;
    const PairInput input = {
        .kind = PAIR_ON_ANSWER,
        .request = { .ticket = call.ticket, .ask = call.ask, .id = call.id, .answer = answer }
    };
    drop_call(owned);
    call.shell->answer = answer;
    pairing_shell_take(call.shell, &input);
    call.shell->answer = NULL;
    if (call.ask == PAIR_ASK_CHALLENGES && answer->outcome == API_OK)
        (void)challenge_list_each(answer->body.at, answer->body.len, pairing_shell_on_listed,
                                  call.shell);
}

static void pairing_shell_on_answer(void *user, const ApiAnswer *answer)
{
    take_answer(user, answer);
}

static void pairing_shell_on_line(void *user, Text line)
{
    const ShellCall *call = user;
    const PairInput input = {
        .kind = PAIR_ON_LINE, .request = { .ticket = call->ticket, .ask = call->ask, .line = line }
    };
    pairing_shell_take(call->shell, &input);
}

static ApiCall *begin_challenge(ShellCall *call, const ChallengeRequest *request)
{
    const ApiStreamCallbacks callbacks = { .on_line = pairing_shell_on_line,
                                           .on_end = pairing_shell_on_answer,
                                           .user = call };
    const ApiChallenge challenge = {
        .opponent = request->opponent,
        .base_s = request->base_s,
        .increment_s = request->increment_s,
        .days = request->days,
        .rated = request->rated,
        .variant = request->variant,
        .colour = request->colour,
        .fen = request->fen,
    };
    return api_challenge(call->shell->context->api, &challenge, &callbacks, &call->why);
}

static ApiCall *begin_plain(ShellCall *call, ApiEndpoint endpoint, const char *id)
{
    return api_call(call->shell->context->api, endpoint, id, pairing_shell_on_answer, call,
                    &call->why);
}

static ApiCall *begin_stream(ShellCall *call, ApiEndpoint endpoint, const char *id)
{
    const ApiStreamCallbacks callbacks = { .on_line = pairing_shell_on_line,
                                           .on_end = pairing_shell_on_answer,
                                           .user = call };
    return api_stream(call->shell->context->api, endpoint, id, &callbacks, &call->why);
}

static ApiCall *begin_call(ShellCall *call, const PairRequest *request)
{
    switch (request->ask) {
    case PAIR_ASK_CREATE:
        return begin_challenge(call, request->challenge);
    case PAIR_ASK_CANCEL:
        return begin_plain(call, ENDPOINT_CANCEL, request->id);
    case PAIR_ASK_ACCOUNT:
        return begin_plain(call, ENDPOINT_ACCOUNT, NULL);
    case PAIR_ASK_ONLINE_BOTS:
        return begin_plain(call, ENDPOINT_ONLINE_BOTS, NULL);
    case PAIR_ASK_STATUS:
        return api_users_status(
            call->shell->context->api, (const char(*)[USER_ID_SIZE])request->plan->candidates,
            request->plan->candidate_count, pairing_shell_on_answer, call, &call->why);
    case PAIR_ASK_ACCEPT:
        return begin_plain(call, ENDPOINT_ACCEPT, request->id);
    case PAIR_ASK_DECLINE:
        return api_decline(call->shell->context->api, request->id, request->reason,
                           pairing_shell_on_answer, call, &call->why);
    case PAIR_ASK_CHALLENGES:
        return begin_plain(call, ENDPOINT_CHALLENGES, NULL);
    case PAIR_ASK_PROFILE:
        return begin_plain(call, ENDPOINT_USER, request->user);
    case PAIR_ASK_ARENA:
        return begin_plain(call, ENDPOINT_ARENA, request->id);
    case PAIR_ASK_JOIN:
        return api_join_arena(call->shell->context->api, request->id, request->arena->password,
                              request->arena->team, pairing_shell_on_answer, call, &call->why);
    case PAIR_ASK_WITHDRAW:
        return begin_plain(call, ENDPOINT_WITHDRAW, request->id);
    case PAIR_ASK_TEAM_ARENAS:
        return begin_stream(call, ENDPOINT_TEAM_ARENAS, request->team);
    }
    return NULL;
}

/* One that cannot begin is answered by the timer, like others from the loop (I5). */
static void begin_request(PairingShell *shell, const PairRequest *request)
{
    ShellCall *call = calloc(1, sizeof *call);
    CHECK(call); /* an answer is owed to the state */
    *call = (ShellCall){
        .next = shell->calls, .shell = shell, .ask = request->ask, .ticket = request->ticket
    };
    shell->calls = call;
    memcpy(call->id, request->id, sizeof call->id);
    call->call = begin_call(call, request);
}

static void hang_up(PairingShell *shell, uint32_t ticket)
{
    for (ShellCall *call = shell->calls; call; call = call->next) {
        if (call->ticket != ticket)
            continue;
        if (call->call)
            api_cancel(call->call);
        drop_call(call);
        return;
    }
}

static ShellCall *find_failed(const PairingShell *shell)
{
    ShellCall *call = shell->calls;
    while (call && call->call)
        call = call->next;
    return call;
}

static void take_failures(PairingShell *shell)
{
    for (ShellCall *call; (call = find_failed(shell)) != NULL;) {
        Error why = call->why;
        take_answer(call, &(ApiAnswer){ .outcome = API_UNREACHABLE, .reason = why.text });
    }
}

/* Effects. */

static void tell_operator(PairingShell *shell, const OutgoingResult *result)
{
    for (int i = 0; i < OUTGOING_MAX; i++) {
        ShellOrder order = shell->orders[i];
        if (order.number == 0 || order.number != result->owner.number)
            continue;
        shell->orders[i].number = 0;
        order.on_end(order.user, result);
    }
}

static void tell_arena(PairingShell *shell, const PairEffect *effect)
{
    for (int i = 0; i < ARENAS_MAX; i++) {
        ShellArenaOrder order = shell->arena_orders[i];
        if (order.number == 0 || order.number != effect->arena.order)
            continue;
        shell->arena_orders[i].number = 0;
        order.on_end(order.user, effect->arena.is_done, effect->arena.text);
    }
}

/* What may lead back to us comes last: the state's lent values are used by then. */
static void report(PairingShell *shell, const PairEffect *effect)
{
    const BotContext *context = shell->context;
    if (effect->kind == PAIR_DO_TELL)
        tell_operator(shell, &effect->result);
    else if (effect->kind == PAIR_DO_TELL_ARENA)
        tell_arena(shell, effect);
    else if (effect->kind == PAIR_DO_REPORT_DENIAL)
        context->on_denied(context->user, shell->answer);
    else if (effect->kind == PAIR_DO_LOOK_FOR_GAMES)
        context->on_missed_start(context->user);
}

static void carry_out(PairingShell *shell, const PairEffect *effect)
{
    const BotContext *context = shell->context;
    switch (effect->kind) {
    case PAIR_DO_REQUEST:
        begin_request(shell, &effect->request);
        break;
    case PAIR_DO_HANG_UP:
        hang_up(shell, effect->ticket);
        break;
    case PAIR_DO_REMEMBER:
        archive_remember(context->archive, effect->fact.kind, text_of(effect->fact.id),
                         effect->fact.value, effect->fact.expires_unix_ms);
        break;
    case PAIR_DO_NOTE:
        pairing_log_note(context->log, &effect->note);
        break;
    case PAIR_DO_TELL:
    case PAIR_DO_TELL_ARENA:
    case PAIR_DO_REPORT_DENIAL:
    case PAIR_DO_LOOK_FOR_GAMES:
        break; /* by report() */
    }
}

static void pairing_shell_on_timer(uv_timer_t *timer)
{
    PairingShell *shell = timer->data;
    take_failures(shell);
    pairing_shell_take(shell, &(PairInput){ .kind = PAIR_ON_TIME });
}

static void arm_timer(PairingShell *shell)
{
    const PairView view = view_of(shell);
    const PairTime now = time_now();
    timer_set(&shell->timer, pairing_shell_on_timer,
              find_failed(shell) ? now.ms : pairing_next_at_ms(&shell->pairing, &view, now));
}

static void step(PairingShell *shell, const PairInput *input, PairEffects *todo)
{
    const PairView view = view_of(shell);
    pairing_step(&shell->pairing, input, &view, time_now(), todo);
    for (int i = 0; i < todo->count; i++)
        carry_out(shell, &todo->list[i]);
    arm_timer(shell);
    for (int i = 0; i < todo->count; i++)
        report(shell, &todo->list[i]);
}

void pairing_shell_take(PairingShell *shell, const PairInput *input)
{
    PairEffects todo;
    step(shell, input, &todo);
}

bool pairing_shell_new(PairingShell **out, const BotContext *context, const EventStream *events,
                       uint64_t seed, Error *err)
{
    PairingShell *shell = alloc_zeroed(sizeof *shell, "challenges", err);
    if (!shell)
        return false;
    shell->context = context;
    shell->events = events;
    const PairView view = view_of(shell);
    pairing_init(&shell->pairing, context->slots, &view, seed, time_now());
    timer_init(context->loop, &shell->timer, shell);
    arm_timer(shell);
    *out = shell;
    return true;
}

static void pairing_shell_on_timer_closed(uv_handle_t *handle)
{
    PairingShell *shell = handle->data;
    pairing_release(&shell->pairing);
    free(shell);
}

void pairing_shell_close(PairingShell *shell)
{
    if (!shell)
        return;
    while (shell->calls)
        hang_up(shell, shell->calls->ticket);
    uv_close((uv_handle_t *)&shell->timer, pairing_shell_on_timer_closed);
}

/* Orders. */

static bool give_order(PairingShell *shell, const PairInput *input, int *number, Error *err)
{
    PairEffects todo;
    step(shell, input, &todo);
    if (error_is_set(&todo.refusal)) {
        error_set(err, todo.refusal.code, "%s", todo.refusal.text);
        return false;
    }
    *number = todo.match_number;
    return true;
}

static ShellOrder *free_order(PairingShell *shell)
{
    for (int i = 0; i < OUTGOING_MAX; i++)
        if (shell->orders[i].number == 0)
            return &shell->orders[i];
    return NULL;
}

bool pairing_shell_challenge(PairingShell *shell, const ChallengeRequest *request,
                             PairingOnEnd *on_end, void *user, Error *err)
{
    ShellOrder *order = free_order(shell);
    int none;
    if (!order) {
        error_set(err, ERR_NOT_NOW, "%d challenges are under way already", OUTGOING_MAX);
        return false;
    }
    *order = (ShellOrder){ ++shell->orders_so_far, on_end, user };
    const PairInput input = { .kind = PAIR_ON_CHALLENGE_ORDER,
                              .order = { .challenge = request, .number = order->number } };
    if (give_order(shell, &input, &none, err))
        return true;
    order->number = 0;
    return false;
}

bool pairing_shell_fulfil(PairingShell *shell, const ChallengeRequest *request,
                          const Player *player, Error *err)
{
    int none;
    const PairInput input = { .kind = PAIR_ON_WISH,
                              .order = { .challenge = request, .player = player } };
    return give_order(shell, &input, &none, err);
}

int pairing_shell_schedule(PairingShell *shell, const ChallengeRequest *request, int64_t at_unix_s,
                           int games, Error *err)
{
    int number;
    const PairInput input = { .kind = PAIR_ON_SCHEDULE_ORDER,
                              .order = {
                                  .challenge = request, .at_unix_s = at_unix_s, .games = games } };
    return give_order(shell, &input, &number, err) ? number : 0;
}

bool pairing_shell_unschedule(PairingShell *shell, int number)
{
    int none;
    const PairInput input = { .kind = PAIR_ON_UNSCHEDULE_ORDER,
                              .order = { .number = (uint32_t)number } };
    return give_order(shell, &input, &none, NULL);
}

static bool order_arena(PairingShell *shell, PairInputKind kind, const ArenaSpec *spec,
                        ShellArenaOrder order, Error *err)
{
    int i = 0, none;
    while (i < ARENAS_MAX && shell->arena_orders[i].number != 0)
        i++;
    if (i == ARENAS_MAX) {
        error_set(err, ERR_NOT_NOW, "%d requests are under way already", ARENAS_MAX);
        return false;
    }
    order.number = ++shell->orders_so_far;
    shell->arena_orders[i] = order;
    const PairInput input = { .kind = kind, .order = { .arena = spec, .number = order.number } };
    if (give_order(shell, &input, &none, err))
        return true;
    shell->arena_orders[i].number = 0;
    return false;
}

bool pairing_shell_join(PairingShell *shell, const ArenaSpec *spec, PairingOnArena *on_end,
                        void *user, Error *err)
{
    return order_arena(shell, PAIR_ON_JOIN_ORDER, spec, (ShellArenaOrder){ 0, on_end, user }, err);
}

bool pairing_shell_leave(PairingShell *shell, const ArenaSpec *spec, PairingOnArena *on_end,
                         void *user, Error *err)
{
    return order_arena(shell, PAIR_ON_LEAVE_ORDER, spec, (ShellArenaOrder){ 0, on_end, user }, err);
}

const Pairing *pairing_shell_view(const PairingShell *shell)
{
    return &shell->pairing;
}
