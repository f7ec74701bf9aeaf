/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenario.h"

#include "bot/config/config.h"
#include "bot/ops/jsonread.h"
#include "engine/base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20, CONFIG_BYTES_MAX = 10000 };

static const char *const fields[] = {
    "t_ms", "stream", "line", "ended", "expect", "answer", "score_cp", "quiet",
};

static bool has(const struct json_object *json, const char *field)
{
    return json_object_object_get_ex(json, field, NULL);
}

static bool is_field(const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(name, fields[i]) == 0)
            return true;
    return false;
}

static bool fields_are_known(struct json_object *json, Error *err)
{
    struct json_object_iterator at = json_object_iter_begin(json), end = json_object_iter_end(json);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        if (!is_field(name)) {
            error_set(err, ERR_INVALID, "\"%s\" is no field of a scenario", name);
            return false;
        }
    }
    return true;
}

/* The first record: who we are. */
static bool read_account(Scenario *out, const struct json_object *line, Error *err)
{
    Text id = jsonread_text(line, "id");
    if (id.len > 0 && text_copy(out->our_id, sizeof out->our_id, id))
        return true;
    error_set(err, ERR_INVALID, "an account has an \"id\"");
    return false;
}

/* The first problem, without a place in a file that nobody has. */
static void tell_problem(const Buf *problems, Error *err)
{
    const char *why = strstr(buf_view(problems), ": ");
    if (why)
        error_set(err, ERR_INVALID, "config: %.*s", (int)strcspn(why + 2, "\n"), why + 2);
}

static bool write_section(Buf *ini, const char *name, struct json_object *keys)
{
    if (!json_object_is_type(keys, json_type_object) || !buf_printf(ini, "[%s]\n", name))
        return false;
    struct json_object_iterator at = json_object_iter_begin(keys), end = json_object_iter_end(keys);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *value = json_object_get_string(json_object_iter_peek_value(&at));
        if (!buf_printf(ini, "%s = %s\n", json_object_iter_peek_name(&at), value))
            return false;
    }
    return true;
}

static bool write_sections(Buf *ini, struct json_object *sections)
{
    struct json_object_iterator at = json_object_iter_begin(sections),
                                end = json_object_iter_end(sections);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
        if (!write_section(ini, json_object_iter_peek_name(&at), json_object_iter_peek_value(&at)))
            return false;
    return true;
}

/* Sections with their keys, as the lines of a configuration file. */
static bool read_config(Scenario *out, struct json_object *sections, Error *err)
{
    Buf ini, problems;
    buf_init(&ini, CONFIG_BYTES_MAX);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = write_sections(&ini, sections);
    if (!ok)
        error_set(err, ERR_INVALID, "config: an object of sections, each an object of keys");
    config_release(&out->config);
    if (!ok || !config_parse(&out->config, "config", buf_view(&ini), ini.len, &problems)) {
        config_init(&out->config);
        tell_problem(&problems, err);
        ok = false;
    }
    buf_release(&ini);
    buf_release(&problems);
    return ok;
}

/* A game's id is that of the first of its records. */
static bool read_stream(Scenario *out, ScenarioRecord *record, Text stream, Error *err)
{
    static const char prefix[] = "game/";
    if (text_is(stream, "event"))
        return true;
    Text id = { 0 };
    if (text_starts_with(stream, prefix))
        id = (Text){ stream.at + strlen(prefix), stream.len - strlen(prefix) };
    if (!game_id_is_valid(id)) {
        error_set(err, ERR_INVALID,
                  "\"stream\" is account, config, event, or game/ and a game's id");
        return false;
    }
    if (out->game_id[0] == '\0')
        text_copy(out->game_id, sizeof out->game_id, id);
    if (!text_is(id, out->game_id)) {
        error_set(err, ERR_INVALID, "a scenario has one game, this one has %s", out->game_id);
        return false;
    }
    record->is_of_game = true;
    return true;
}

static bool read_kind(ScenarioRecord *record, const struct json_object *json, Error *err)
{
    int count = has(json, "line") + has(json, "ended") + has(json, "expect") + has(json, "quiet");
    record->line = jsonread_object(json, "line");
    record->request = jsonread_text(json, "expect");
    record->answer = (int)jsonread_int(json, "answer", 0, 599, 200);
    record->score_cp = (int)jsonread_int(json, "score_cp", -10000, 10000, 0);
    record->kind = record->line                          ? SCENARIO_LINE
                   : jsonread_bool(json, "ended", false) ? SCENARIO_END
                   : record->request.len > 0             ? SCENARIO_EXPECT
                                                         : SCENARIO_QUIET;
    if (count != 1 || (record->kind == SCENARIO_QUIET && !jsonread_bool(json, "quiet", false))) {
        error_set(err, ERR_INVALID,
                  "a record has one of \"line\" (an object), \"ended\": true, \"expect\" (a text) "
                  "and \"quiet\": true");
        return false;
    }
    if (record->kind == SCENARIO_EXPECT || !(has(json, "answer") || has(json, "score_cp")))
        return true;
    error_set(err, ERR_INVALID, "\"answer\" and \"score_cp\" belong to \"expect\"");
    return false;
}

static bool is_in_time(const Scenario *out, ScenarioRecord *record, const struct json_object *json,
                       Error *err)
{
    int64_t before_ms = out->count > 0 ? out->records[out->count - 1].t_ms : 0;
    record->t_ms = jsonread_int(json, "t_ms", -1, INT32_MAX, -1);
    if (record->t_ms >= before_ms)
        return true;
    error_set(err, ERR_INVALID, "\"t_ms\" is a number, and never less than before");
    return false;
}

static bool read_record(Scenario *out, int number, struct json_object *json, Error *err)
{
    ScenarioRecord record = { .number = number };
    Text stream = jsonread_text(json, "stream");
    if (!fields_are_known(json, err) || !is_in_time(out, &record, json, err) ||
        !read_kind(&record, json, err))
        return false;
    if (out->our_id[0] == '\0' && !text_is(stream, "account")) {
        error_set(err, ERR_INVALID, "the first record is the account's");
        return false;
    }
    if (record.kind == SCENARIO_LINE && text_is(stream, "account"))
        return read_account(out, record.line, err);
    if (record.kind == SCENARIO_LINE && text_is(stream, "config"))
        return read_config(out, record.line, err);
    if (record.kind != SCENARIO_QUIET && !read_stream(out, &record, stream, err))
        return false;
    if (!record.is_of_game && (record.kind == SCENARIO_END || record.kind == SCENARIO_EXPECT)) {
        error_set(err, ERR_INVALID, "\"ended\" and \"expect\" belong to a game's stream");
        return false;
    }
    if (out->count == SCENARIO_RECORDS_MAX) {
        error_set(err, ERR_RANGE, "more than %d records", SCENARIO_RECORDS_MAX);
        return false;
    }
    out->records[out->count++] = record;
    return true;
}

/* Empty lines and comments are none. */
static bool read_line(Scenario *out, int number, Text line, Error *err)
{
    line = text_trimmed(line, " \r");
    if (line.len == 0 || line.at[0] == '#')
        return true;
    struct json_object *json = jsonread_parse(line.at, line.len, err);
    if (!json)
        return false;
    if (json_object_array_add(out->lines, json) != 0) {
        json_object_put(json);
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    return read_record(out, number, json, err);
}

static bool read_lines(Scenario *out, Text rest, Error *err)
{
    for (int number = 1; rest.len > 0; number++) {
        const char *end = memchr(rest.at, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.at) : rest.len;
        if (!read_line(out, number, (Text){ rest.at, len }, err)) {
            error_prefix(err, "%s:%d", out->path, number);
            return false;
        }
        rest = (Text){ rest.at + len + (end != NULL), rest.len - len - (end != NULL) };
    }
    if (out->count > 0)
        return true;
    error_set(err, ERR_INVALID, "%s: nothing is sent and nothing expected", out->path);
    return false;
}

bool scenario_read(Scenario *out, const char *path, Error *err)
{
    Buf text;
    *out = (Scenario){ .path = path, .lines = json_object_new_array() };
    config_init(&out->config);
    FILE *file = fopen(path, "rb");
    if (!file) {
        error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
        return false;
    }
    buf_init(&text, FILE_BYTES_MAX);
    bool ok =
        buf_read(&text, file, err) && read_lines(out, (Text){ buf_view(&text), text.len }, err);
    buf_release(&text);
    fclose(file);
    return ok;
}

void scenario_release(Scenario *scenario)
{
    config_release(&scenario->config);
    json_object_put(scenario->lines);
}
