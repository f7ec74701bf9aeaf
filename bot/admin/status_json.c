/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/status_json.h"

#include "bot/admin/game_json.h"
#include "bot/archive/archive.h"
#include "bot/game/slots.h"
#include "bot/ops/json_put.h"
#include "bot/ops/counters.h"
#include "bot/ops/utc_time.h"
#include "bot/pairing/arenas.h"
#include "bot/pairing/challenge_request.h"
#include "bot/pairing/matchmaker.h"
#include "bot/pairing/schedule.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHALLENGE_WORDS_MAX = 500 };

/* GameSet. */

static void add_game(void *user, const Session *session)
{
    json_put_entry(user, game_json_of_session(session, GAME_JSON_NO_MOVES));
}

static struct json_object *recent(const GameSet *games)
{
    struct json_object *list = json_object_new_array();
    const GameRecord *record;
    for (int i = 0; (record = game_set_recent(games, i)); i++)
        json_put_entry(list, game_json_of_record(record, GAME_JSON_NO_MOVES));
    return list;
}

/* "3+2 rated standard", "3d casual chess960" */
static void put_wanted(struct json_object *to, const SlotsWanted *wanted)
{
    char time[TIME_CONTROL_TEXT_SIZE], text[TIME_CONTROL_TEXT_SIZE + 40];
    time_control_text(&wanted->time, time);
    text_format(text, sizeof text, "%s %s %s", time, wanted->rated ? "rated" : "casual",
                variant_name(wanted->variant));
    json_put_text(to, "game", text);
}

static struct json_object *waiting(const Slots *slots)
{
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < slots_waiting(slots)->count; i++) {
        const SlotsEntry *entry = &slots_waiting(slots)->entries[i];
        struct json_object *to = json_object_new_object();
        json_put_text(to, "id", entry->id);
        json_put_text(to, "player", entry->player.id);
        put_wanted(to, &entry->wanted);
        json_put_number(to, "waiting_s", (clock_now_ms() - entry->offered_ms) / 1000);
        json_put_entry(list, to);
    }
    return list;
}

static void put_slots(struct json_object *to, const Slots *slots)
{
    json_put_number(to, "slots_used", slots_used(slots, SLOTS_REALTIME));
    json_put_number(to, "slots", slots_limit(slots, SLOTS_REALTIME));
    json_put_number(to, "correspondence_used", slots_used(slots, SLOTS_CORRESPONDENCE));
    json_put_number(to, "correspondence_slots", slots_limit(slots, SLOTS_CORRESPONDENCE));
}

/* The account's requests. */

static struct json_object *limits(const Ratelimit *limit, int64_t now_ms)
{
    struct json_object *to = json_object_new_object();
    for (int family = 0; family < FAMILY_COUNT; family++) {
        int64_t until = limit->blocked_until_ms[family];
        if (until > now_ms)
            json_put_number(to, api_family_name((ApiFamily)family), (until - now_ms + 999) / 1000);
    }
    return to;
}

static struct json_object *requests(const RequestQueue *from, int64_t now_ms)
{
    struct json_object *to = json_object_new_object(), *ranks = json_object_new_object();
    json_put_number(to, "last_minute", request_queue_last_minute(from, now_ms));
    json_put_number(to, "waiting", from->waiting_count);
    for (int rank = 0; rank < REQUEST_RANK_COUNT; rank++) {
        const RequestCount *count = &from->counts[rank];
        struct json_object *entry = json_object_new_object();
        json_put_number(entry, "sent", count->sent);
        json_put_number(entry, "waited", count->waited);
        json_put_number(entry, "waited_ms", count->waited_ms);
        json_put_number(entry, "longest_ms", count->longest_ms);
        json_put_number(entry, "given_up", count->given_up);
        json_put_value(ranks, request_rank_name((RequestRank)rank), entry);
    }
    json_put_value(to, "ranks", ranks);
    return to;
}

static struct json_object *matchmaking(const Matchmaker *from, const Config *config)
{
    struct json_object *to = json_object_new_object();
    MatchmakerStatus status = matchmaker_status(from, config, clock_unix_ms());
    json_put_text(to, "doing", status.doing);
    json_put_number(to, "bot_games_today", status.games_today);
    json_put_number(to, "bot_games_allowed", status.games_allowed);
    json_put_number(to, "credits_today", status.credits_today);
    json_put_number(to, "credits_allowed", status.credits_allowed);
    return to;
}

/* Since the start. */

static struct json_object *games_finished(const Counters *from)
{
    struct json_object *to = json_object_new_object();
    for (int result = 0; result < RESULT_COUNT; result++)
        json_put_number(to, game_result_name((GameResult)result), from->games[result]);
    return to;
}

static struct json_object *moves(const EchoTimes *from)
{
    struct json_object *to = json_object_new_object(), *within = json_object_new_object();
    json_put_number(to, "arrived", from->count);
    json_put_number(to, "echo_sum_ms", from->sum_ms);
    json_put_number(to, "echo_worst_ms", from->worst_ms);
    for (int i = 0; i < ECHO_BUCKETS; i++) {
        char bound[16];
        text_format(bound, sizeof bound, "%d", echo_bounds_ms[i]);
        json_put_number(within, bound, from->within[i]);
    }
    json_put_value(to, "echo_within_ms", within);
    return to;
}

static struct json_object *streams(const Counters *from)
{
    struct json_object *to = json_object_new_object();
    for (int kind = 0; kind < STREAM_KIND_COUNT; kind++) {
        struct json_object *entry = json_object_new_object();
        json_put_number(entry, "opened", from->streams_opened[kind]);
        json_put_number(entry, "lost", from->streams_lost[kind]);
        json_put_value(to, stream_kind_name((StreamKind)kind), entry);
    }
    return to;
}

static_assert((int)COUNTED_FAMILIES == (int)FAMILY_COUNT, "each is counted");

static struct json_object *limited(const Counters *from)
{
    struct json_object *to = json_object_new_object();
    for (int family = 0; family < FAMILY_COUNT; family++)
        json_put_number(to, api_family_name((ApiFamily)family), from->limited[family]);
    return to;
}

static void add_arena(void *user, const ArenaEntry *entry)
{
    struct json_object *list = user, *to = json_object_new_object();
    const Arena *arena = &entry->arena;
    int64_t now = clock_now_ms();
    json_put_text(to, "id", entry->spec.id);
    json_put_text(to, "name", entry->name);
    json_put_text(to, "state", arena_phase_name(arena->phase));
    if (arena->is_known && arena->starts_ms > now)
        json_put_number(to, "starts_in_s", (arena->starts_ms - now) / 1000);
    if (arena->is_known && arena->ends_ms != INT64_MAX)
        json_put_number(to, "ends_in_s", (arena->ends_ms - now) / 1000);
    json_put_entry(list, to);
}

static struct json_object *tournaments(const Arenas *from)
{
    struct json_object *list = json_object_new_array();
    arenas_each(from, add_arena, list);
    return list;
}

static void add_scheduled(void *user, const ScheduledMatch *match)
{
    struct json_object *list = user, *to = json_object_new_object();
    char at[UTC_TIME_SIZE];
    Buf words;
    buf_init(&words, CHALLENGE_WORDS_MAX);
    utc_time_write(match->at_unix_s, at);
    json_put_number(to, "number", match->number);
    json_put_text(to, "at", at);
    json_put_number(to, "in_s", match->at_unix_s - clock_unix_ms() / 1000);
    json_put_number(to, "games", match->games);
    json_put_text(to, "playing", match->playing);
    json_put_text(to, "challenge",
                  challenge_request_write(&match->request, &words) ? buf_view(&words) : "");
    buf_release(&words);
    json_put_entry(list, to);
}

static struct json_object *scheduled(const Schedule *from)
{
    struct json_object *list = json_object_new_array();
    schedule_each(from, add_scheduled, list);
    return list;
}

/* The process. */

static struct json_object *archive(const Archive *from)
{
    static const char *const states[] = {
        [ARCHIVE_OFF] = "off",         [ARCHIVE_OPENING] = "opening", [ARCHIVE_FINE] = "fine",
        [ARCHIVE_FAILING] = "failing", [ARCHIVE_UNFIT] = "unfit",
    };
    ArchiveStatus status = archive_status(from);
    struct json_object *to = json_object_new_object();
    json_put_text(to, "state", states[status.state]);
    json_put_text(to, "file", status.path);
    json_put_text(to, "why", status.why);
    json_put_number(to, "written", status.written);
    json_put_number(to, "waiting", status.waiting);
    json_put_number(to, "lost", status.lost);
    return to;
}

/* Of all games in the archive, by who the opponents were; what is not known is left out. */
static struct json_object *results(const StatsRow *rows)
{
    struct json_object *to = json_object_new_object();
    for (int kind = 0; rows && kind < AGAINST_COUNT; kind++) {
        const StatsRow *row = &rows[kind];
        struct json_object *entry = json_object_new_object();
        int performance = stats_performance(row);
        json_put_number(entry, "won", row->won);
        json_put_number(entry, "drawn", row->drawn);
        json_put_number(entry, "lost", row->lost);
        if (performance != 0)
            json_put_number(entry, "performance", performance);
        json_put_value(to, against_name((Against)kind), entry);
    }
    return to;
}

/* Resident memory, from procfs, which never waits for a disk. -1: not known. */
static int64_t memory_kib(void)
{
    long pages = -1;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return -1;
    if (fscanf(file, "%*d %ld", &pages) != 1)
        pages = -1;
    fclose(file);
    return pages < 0 ? -1 : (int64_t)pages * sysconf(_SC_PAGESIZE) / 1024;
}

struct json_object *status_json_state(const StatusView *view)
{
    const BotContext *context = view->context;
    int64_t now = clock_now_ms(), online = event_stream_open_since_ms(view->events);
    struct json_object *to = json_object_new_object();
    if (!to)
        return NULL;
    json_put_text(to, "version", CASTLED_VERSION);
    json_put_text(to, "account", context->our_id);
    json_put_text(to, "url", context->config->account.url);
    json_put_number(to, "up_s", (now - view->started_ms) / 1000);
    json_put_number(to, "started_unix_s", (clock_unix_ms() - (now - view->started_ms)) / 1000);
    json_put_bool(to, "online", online != INT64_MAX);
    if (online != INT64_MAX)
        json_put_number(to, "online_s", (now - online) / 1000);
    json_put_bool(to, "draining", context->is_draining);
    if (context->ends_ms != INT64_MAX)
        json_put_number(to, "ends_unix_s", (clock_unix_ms() + context->ends_ms - now) / 1000);
    json_put_number(to, "token_expires_unix_s", token_expiry_expires_s(view->token));
    put_slots(to, context->slots);
    json_put_value(to, "waiting", waiting(context->slots));
    json_put_value(to, "games_finished", games_finished(context->counters));
    json_put_number(to, "lost_by_fault", context->counters->lost_by_fault);
    json_put_number(to, "engine_failures", context->counters->engine_failures);
    json_put_value(to, "moves", moves(&context->counters->echo));
    json_put_value(to, "streams", streams(context->counters));
    json_put_value(to, "limited", limited(context->counters));
    json_put_value(to, "limits", limits(context->limit, now));
    json_put_value(to, "pacer", requests(api_requests(context->api), now));
    json_put_value(to, "matchmaking", matchmaking(&view->pairing->matchmaker, context->config));
    json_put_value(to, "scheduled", scheduled(&view->pairing->schedule));
    json_put_value(to, "tournaments", tournaments(&view->pairing->arenas));
    json_put_value(to, "archive", archive(context->archive));
    json_put_value(to, "results", results(archive_results(context->archive)));
    json_put_number(to, "memory_kib", memory_kib());
    return to;
}

struct json_object *status_json_make(const StatusView *view)
{
    struct json_object *to = status_json_state(view), *games = to ? json_object_new_array() : NULL;
    if (!games)
        return to;
    game_set_each(view->games, add_game, games);
    json_put_value(to, "games", games);
    json_put_value(to, "recent", recent(view->games));
    return to;
}

struct json_object *status_json_moves(const StatusView *view)
{
    return moves(&view->context->counters->echo);
}
