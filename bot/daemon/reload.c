/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/reload.h"

#include "bot/config/config.h"
#include "bot/config/external_config.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"
#include "bot/config/config_place.h"
#include "engine/base/text_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 100, VALUE_MAX = 1 << 20, RULE_TEXT_MAX = 1 << 20 };

/* Who learns of differences. */
typedef struct {
    Log *log;
    Buf *lines; /* for who has asked; NULL: nobody has */
} Listeners;

/* A line for who has asked. */
static void tell_listeners(const Listeners *listeners, const char *format, ...) PRINTF_LIKE(2, 3);

static void tell_listeners(const Listeners *listeners, const char *format, ...)
{
    char line[LOG_LINE_MAX];
    va_list args;
    va_start(args, format);
    text_format_cut_v(line, sizeof line, format, args);
    va_end(args);
    if (listeners->lines)
        (void)!buf_printf(listeners->lines, "%s\n", line);
}

static const char *shown(const Buf *value)
{
    return value->len > 0 ? buf_view(value) : "empty";
}

/* Without memory for the text it is not known, which counts as another. */
static bool write_value(const KeySpec *key, const Config *config, Buf *out)
{
    buf_init(out, VALUE_MAX);
    return key_write(key, key_at(key, config), out);
}

static void compare_key(const KeySpec *key, const Config *old, Config *next,
                        const Listeners *listeners)
{
    Buf from, to;
    char name[NAME_SIZE];
    text_format(name, sizeof name, "%s.%s", key->section, key->name);
    bool known = write_value(key, old, &from);
    known = write_value(key, next, &to) && known;
    if (!known || strcmp(buf_view(&from), buf_view(&to)) != 0) {
        if (key->scope != SCOPE_START) {
            log_info(listeners->log, "config", "changed",
                     FIELDS(F("key", name), F("from", buf_view(&from)), F("to", buf_view(&to))));
            tell_listeners(listeners, "%s = %s (was %s)", name, shown(&to), shown(&from));
        } else {
            log_warning(
                listeners->log, "config", "needs-restart",
                FIELDS(F("key", name), F("now", buf_view(&from)), F("in_file", buf_view(&to))));
            tell_listeners(listeners, "%s = %s from the next start on (now %s)", name, shown(&to),
                           shown(&from));
            key_lend(key, (char *)next + key->offset, key_at(key, old));
        }
    }
    buf_release(&from);
    buf_release(&to);
}

/* One of the two lists of rules: for games, and the types of matchmaking. */
typedef struct {
    const Rule *at;
    size_t count;
} RuleList;

static const Rule *find_rule(RuleList list, const char *name)
{
    for (size_t i = 0; i < list.count; i++) {
        if (strcmp(list.at[i].name, name) == 0)
            return &list.at[i];
    }
    return NULL;
}

/* "when.speed=blitz engine.nodes=2000", however it stands in the file. */
static bool write_rule(const Rule *rule, Buf *out)
{
    bool ok = true;
    buf_init(out, RULE_TEXT_MAX);
    for (int i = 0; i < WHEN_COUNT && ok; i++) {
        const KeySpec *key = rule_condition((Condition)i);
        if (rule->when.given >> i & 1)
            ok = buf_printf(out, "%s.%s=", key->section, key->name) &&
                 key_write(key, key_at(key, &rule->when), out) && buf_put_text(out, " ");
    }
    for (int i = 0; i < rule->change_count && ok; i++) {
        const KeySpec *key = rule->changes[i].key;
        ok = buf_printf(out, "%s.%s=", key->section, key->name) &&
             key_write(key, rule->changes[i].value, out) && buf_put_text(out, " ");
    }
    return ok;
}

static void compare_rules(RuleList old, RuleList next, const char *what, const Listeners *listeners)
{
    for (size_t i = 0; i < old.count; i++) {
        if (find_rule(next, old.at[i].name))
            continue;
        log_info(listeners->log, "config", "removed",
                 FIELDS(F("what", what), F("name", old.at[i].name)));
        tell_listeners(listeners, "%s %s: removed", what, old.at[i].name);
    }
    for (size_t i = 0; i < next.count; i++) {
        const Rule *rule = &next.at[i];
        const Rule *before = find_rule(old, rule->name);
        Buf from, to;
        if (!before) {
            log_info(listeners->log, "config", "added",
                     FIELDS(F("what", what), F("name", rule->name)));
            tell_listeners(listeners, "%s %s: added", what, rule->name);
            continue;
        }
        bool known = write_rule(before, &from);
        known = write_rule(rule, &to) && known;
        if (!known || strcmp(buf_view(&from), buf_view(&to)) != 0) {
            log_info(listeners->log, "config", "changed",
                     FIELDS(F("what", what), F("name", rule->name), F("from", buf_view(&from)),
                            F("to", buf_view(&to))));
            tell_listeners(listeners, "%s %s: changed", what, rule->name);
        } else if (before - old.at != rule - next.at) {
            log_info(listeners->log, "config", "moved",
                     FIELDS(F("what", what), F("name", rule->name)));
            tell_listeners(listeners, "%s %s: moved", what, rule->name);
        }
        buf_release(&from);
        buf_release(&to);
    }
}

/* Engines are started with the daemon: a section that is new or gone waits for the next start. One
 * that has changed holds from the next game on. */
static void compare_externals(Config *old, Config *next, const Listeners *listeners)
{
    bool is_same = old->external_count == next->external_count;
    for (size_t i = 0; i < old->external_count && is_same; i++)
        is_same = strcmp(old->externals[i].name, next->externals[i].name) == 0;
    for (size_t i = 0; i < old->external_count && is_same; i++) {
        const char *name = next->externals[i].name;
        if (external_config_equals(&old->externals[i], &next->externals[i]))
            continue;
        log_info(listeners->log, "config", "changed", FIELDS(F("what", "engine"), F("name", name)));
        tell_listeners(listeners, "engine %s: changed; tried first, and used from the next game on",
                       name);
    }
    if (is_same)
        return;
    log_warning(listeners->log, "config", "needs-restart", FIELDS(F("section", EXTERNAL_SECTION)));
    tell_listeners(listeners, "[%s]: changes from the next start on", EXTERNAL_SECTION);
    ExternalConfig *externals = next->externals;
    size_t count = next->external_count;
    next->externals = old->externals;
    next->external_count = old->external_count;
    old->externals = externals;
    old->external_count = count;
}

static void report_problems(const Buf *problems, const char *path, const Listeners *listeners)
{
    const char *line = buf_view(problems);
    while (*line) {
        size_t len = strcspn(line, "\n");
        log_error(listeners->log, "config", "error", FIELDS(F("problem", ((Text){ line, len }))));
        tell_listeners(listeners, "%.*s", (int)len, line);
        line += len + (line[len] == '\n');
    }
    log_error(listeners->log, "config", "not-reloaded", FIELDS(F("file", config_place_text(path))));
}

bool reload_config(Config *config, const char *path, Log *log, Buf *lines)
{
    const Listeners listeners = { log, lines };
    Config next;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_load(&next, path, &problems);
    if (!ok)
        report_problems(&problems, path, &listeners);
    buf_release(&problems);
    if (!ok)
        return false;
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++)
        compare_key(&keys[i], config, &next, &listeners);
    compare_rules((RuleList){ config->rules, config->rule_count },
                  (RuleList){ next.rules, next.rule_count }, "rule", &listeners);
    compare_rules((RuleList){ config->types, config->type_count },
                  (RuleList){ next.types, next.type_count }, "matchmaking-type", &listeners);
    compare_externals(config, &next, &listeners);
    config_release(config);
    *config = next;
    log_info(log, "config", "reloaded", FIELDS(F("file", config_place_text(path))));
    return true;
}
