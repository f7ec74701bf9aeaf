/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/metrics.h"

#include "bot/ops/jsonread.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PATH_WORD_SIZE = 40 };

/* One number of the status, named by its path: "pacer.last_minute". */
typedef struct {
    const char *name, *type, *help, *path;
    int64_t times, per; /* the number is multiplied and divided by these */
} Single;

static const Single singles[] = {
    { "castled_uptime_seconds", "gauge", "Seconds since the start.", "up_s", 1, 1 },
    { "castled_online", "gauge", "1 while the event stream is open.", "online", 1, 1 },
    { "castled_draining", "gauge", "1 while no more games are to begin.", "draining", 1, 1 },
    { "castled_games", "gauge", "Games that are being played.", "games", 1, 1 },
    { "castled_slots", "gauge", "Games that may be played at once.", "slots", 1, 1 },
    { "castled_slots_used", "gauge", "Of them, those that are taken or promised.", "slots_used", 1,
      1 },
    { "castled_correspondence_slots", "gauge", "Games without a clock that may be played at once.",
      "correspondence_slots", 1, 1 },
    { "castled_correspondence_slots_used", "gauge", "Of them, those that are taken or promised.",
      "correspondence_used", 1, 1 },
    { "castled_tournaments", "gauge", "Arena tournaments that we are in or want to be in.",
      "tournaments", 1, 1 },
    { "castled_challenges_waiting", "gauge", "Challengers in the queue.", "waiting", 1, 1 },
    { "castled_requests_last_minute", "gauge", "Requests to the server within the last minute.",
      "pacer.last_minute", 1, 1 },
    { "castled_requests_waiting", "gauge", "Requests that wait for their turn.", "pacer.waiting", 1,
      1 },
    { "castled_bot_games_today", "gauge", "Games against bots within 24 hours.",
      "matchmaking.bot_games_today", 1, 1 },
    { "castled_bot_games_allowed", "gauge", "How many of them a day may have.",
      "matchmaking.bot_games_allowed", 1, 1 },
    { "castled_challenge_credits_today", "gauge", "Credits for challenges spent within 24 hours.",
      "matchmaking.credits_today", 1, 1 },
    { "castled_challenge_credits_allowed", "gauge", "How many of them a day has.",
      "matchmaking.credits_allowed", 1, 1 },
    { "castled_archive_games_written_total", "counter", "Games written to the archive.",
      "archive.written", 1, 1 },
    { "castled_archive_games_waiting", "gauge", "Finished games not written yet.",
      "archive.waiting", 1, 1 },
    { "castled_archive_games_lost_total", "counter", "Finished games that could not be kept.",
      "archive.lost", 1, 1 },
    { "castled_games_lost_by_fault_total", "counter",
      "Games lost on time, by leaving and the like, and not on the board.", "lost_by_fault", 1, 1 },
    { "castled_engine_failures_total", "counter", "Times that an external engine crashed or hung.",
      "engine_failures", 1, 1 },
    { "castled_token_expiration_timestamp_seconds", "gauge",
      "When the token will have expired, in Unix time, if it will.", "token_expires_unix_s", 1, 1 },
    { "process_resident_memory_bytes", "gauge", "Resident memory.", "memory_kib", 1024, 1 },
    { "process_start_time_seconds", "gauge", "When it was started, in Unix time.", "started_unix_s",
      1, 1 },
};

/* One number for each member of an object, which gives the label its value. */
typedef struct {
    const char *name, *type, *help, *path, *label;
    const char *field; /* of the member; NULL: the member itself */
    int64_t per;
} Family;

static const Family families[] = {
    { "castled_games_finished_total", "counter", "Games that have ended, by their result for us.",
      "games_finished", "result", NULL, 1 },
    { "castled_performance_rating", "gauge",
      "Performance in the archive's games against the opponents' ratings, by opponent.", "results",
      "opponent", "performance", 1 },
    { "castled_requests_total", "counter", "Requests sent to the server.", "pacer.ranks", "kind",
      "sent", 1 },
    { "castled_requests_waited_total", "counter", "Requests that had to wait for their turn.",
      "pacer.ranks", "kind", "waited", 1 },
    { "castled_requests_wait_seconds_total", "counter", "How long they waited.", "pacer.ranks",
      "kind", "waited_ms", 1000 },
    { "castled_requests_given_up_total", "counter", "Requests never sent.", "pacer.ranks", "kind",
      "given_up", 1 },
    { "castled_rate_limited_total", "counter", "Refusals for too many requests (429).", "limited",
      "family", NULL, 1 },
    { "castled_rate_limit_seconds", "gauge", "For how long such requests must wait.", "limits",
      "family", NULL, 1 },
    { "castled_streams_opened_total", "counter", "Streams that were opened.", "streams", "stream",
      "opened", 1 },
    { "castled_streams_lost_total", "counter", "Streams that ended before their time.", "streams",
      "stream", "lost", 1 },
};

static struct json_object *find_member(const struct json_object *status, const char *path)
{
    struct json_object *at = NULL;
    for (const char *word = path; *word;) {
        char name[PATH_WORD_SIZE];
        size_t len = strcspn(word, ".");
        if (len >= sizeof name)
            return NULL;
        memcpy(name, word, len);
        name[len] = '\0';
        if (!json_object_object_get_ex(at ? at : status, name, &at))
            return NULL;
        word += len + (word[len] == '.');
    }
    return at;
}

/* A list counts as its length, a truth as 1. False: no number at all. */
static bool read_number(struct json_object *from, int64_t *out)
{
    switch (json_object_get_type(from)) {
    case json_type_array:
        *out = (int64_t)json_object_array_length(from);
        return true;
    case json_type_boolean:
        *out = json_object_get_boolean(from) ? 1 : 0;
        return true;
    case json_type_int:
        *out = json_object_get_int64(from);
        return *out >= 0; /* -1: not known */
    case json_type_null:
    case json_type_double:
    case json_type_object:
    case json_type_string:
        return false;
    }
    return false;
}

static bool put_head(Buf *out, const char *name, const char *type, const char *help)
{
    return buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static bool put_value(Buf *out, int64_t value, int64_t per)
{
    if (per == 1)
        return buf_printf(out, " %" PRId64 "\n", value);
    return buf_printf(out, " %" PRId64 ".%03" PRId64 "\n", value / per, value % per * 1000 / per);
}

/* The text of a label: a backslash, a quote and a newline are escaped. */
static bool put_label(Buf *out, const char *name, const char *value)
{
    bool ok = buf_printf(out, "%s=\"", name);
    for (; ok && *value; value++) {
        if (*value == '\n')
            ok = buf_put_text(out, "\\n");
        else
            ok = (*value != '"' && *value != '\\') || buf_put_char(out, '\\');
        if (ok && *value != '\n')
            ok = buf_put_char(out, *value);
    }
    return ok && buf_put_char(out, '"');
}

static bool put_single(Buf *out, const Single *single, const struct json_object *status)
{
    int64_t value;
    if (!read_number(find_member(status, single->path), &value))
        return true;
    return put_head(out, single->name, single->type, single->help) &&
           buf_put_text(out, single->name) && put_value(out, value * single->times, single->per);
}

static bool put_family(Buf *out, const Family *family, const struct json_object *status)
{
    struct json_object *members = find_member(status, family->path);
    if (!json_object_is_type(members, json_type_object))
        return true;
    bool ok = put_head(out, family->name, family->type, family->help);
    struct json_object_iterator at = json_object_iter_begin(members);
    struct json_object_iterator end = json_object_iter_end(members);
    for (; ok && !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        struct json_object *member = json_object_iter_peek_value(&at);
        int64_t value;
        if (!read_number(family->field ? find_member(member, family->field) : member, &value))
            continue;
        ok = buf_printf(out, "%s{", family->name) &&
             put_label(out, family->label, json_object_iter_peek_name(&at)) &&
             buf_put_char(out, '}') && put_value(out, value, family->per);
    }
    return ok;
}

/* Buckets are cumulative, as in the format. */
static bool put_echo(Buf *out, const struct json_object *status)
{
    static const char name[] = "castled_move_echo_seconds";
    struct json_object *buckets = find_member(status, "moves.echo_within_ms");
    int64_t arrived, sum_ms, sum = 0;
    if (!json_object_is_type(buckets, json_type_object) ||
        !read_number(find_member(status, "moves.arrived"), &arrived) ||
        !read_number(find_member(status, "moves.echo_sum_ms"), &sum_ms))
        return true;
    bool ok = put_head(out, name, "histogram",
                       "From our move's first request until it stood on the server's list.");
    struct json_object_iterator at = json_object_iter_begin(buckets);
    struct json_object_iterator end = json_object_iter_end(buckets);
    for (; ok && !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        int64_t bound_ms = strtoll(json_object_iter_peek_name(&at), NULL, 10);
        sum += json_object_get_int64(json_object_iter_peek_value(&at));
        ok = buf_printf(out, "%s_bucket{le=\"%" PRId64 ".%03" PRId64 "\"} %" PRId64 "\n", name,
                        bound_ms / 1000, bound_ms % 1000, sum);
    }
    return ok &&
           buf_printf(out, "%s_bucket{le=\"+Inf\"} %" PRId64 "\n%s_sum", name, arrived, name) &&
           put_value(out, sum_ms, 1000) && buf_printf(out, "%s_count %" PRId64 "\n", name, arrived);
}

/* The members of `results` but its rating, by opponent and result. */
static bool put_results(Buf *out, const struct json_object *status)
{
    static const char name[] = "castled_archive_results";
    static const char *const kinds[] = { "human", "bot" }, *const words[] = { "won", "drawn",
                                                                              "lost" };
    struct json_object *results = find_member(status, "results");
    bool ok = !results || put_head(out, name, "gauge",
                                   "Games in the archive, by opponent and by their result for us.");
    for (size_t i = 0; ok && i < sizeof kinds / sizeof *kinds; i++) {
        for (size_t j = 0; ok && j < sizeof words / sizeof *words; j++) {
            int64_t value;
            if (!read_number(find_member(find_member(results, kinds[i]), words[j]), &value))
                continue;
            ok = buf_printf(out, "%s{opponent=\"%s\",result=\"%s\"} %" PRId64 "\n", name, kinds[i],
                            words[j], value);
        }
    }
    return ok;
}

static bool put_info(Buf *out, const struct json_object *status)
{
    static const char name[] = "castled_info";
    struct json_object *state = find_member(status, "archive.state");
    return put_head(out, name, "gauge", "Who this is, and how the archive is.") &&
           buf_printf(out, "%s{", name) &&
           put_label(out, "version", json_object_get_string(find_member(status, "version"))) &&
           buf_put_char(out, ',') &&
           put_label(out, "account", json_object_get_string(find_member(status, "account"))) &&
           buf_put_char(out, ',') &&
           put_label(out, "archive", state ? json_object_get_string(state) : "") &&
           buf_put_text(out, "} 1\n");
}

bool metrics_write(const struct json_object *status, Buf *out)
{
    bool ok =
        !find_member(status, "version") || !find_member(status, "account") || put_info(out, status);
    for (size_t i = 0; ok && i < sizeof singles / sizeof *singles; i++)
        ok = put_single(out, &singles[i], status);
    for (size_t i = 0; ok && i < sizeof families / sizeof *families; i++)
        ok = put_family(out, &families[i], status);
    return ok && put_results(out, status) && put_echo(out, status);
}
