/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/config.h"

#include "bot/config/external_config.h"
#include "bot/config/did_you_mean.h"
#include "bot/config/environment.h"
#include "bot/config/ini_reader.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"
#include "bot/config/token.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20 };

typedef struct Loading Loading;

struct Loading {
    Config config;
    const char *path;
    Buf *problems;
    bool is_lenient;            /* what is right is wanted even where there was a problem */
    bool is_shareable;          /* problems do not show values that may name people or paths */
    bool is_full;               /* `problems` took no more */
    bool is_wrong;              /* there was a problem */
    int lines[CONFIG_KEYS_MAX]; /* where each key of the schema was given; 0: not */
    const char *variable;       /* the one that a problem from the environment is about */
    /* Takes a key of the current section; NULL: the section's line was the problem. */
    void (*take)(Loading *loading, int line, const char *section, const char *name,
                 const char *value);
    struct Rule *rule;               /* the one whose section this is, or NULL */
    struct ExternalConfig *external; /* the same */
};

/* `line` 0: of the file as a whole; CONFIG_FROM_ENVIRONMENT: of loading->variable. */
static void problem(Loading *loading, int line, const char *format, ...) PRINTF_LIKE(3, 4);
static void problem(Loading *loading, int line, const char *format, ...)
{
    char shown[1000];
    va_list arguments;
    va_start(arguments, format);
    text_format_cut_v(shown, sizeof shown, format, arguments);
    va_end(arguments);
    token_mask(shown); /* pasted to where it does not belong */
    loading->is_wrong = true;
    if (loading->is_full)
        return;
    if (line > 0)
        loading->is_full =
            !buf_printf(loading->problems, "%s:%d: %s\n", loading->path, line, shown);
    else
        loading->is_full = !buf_printf(loading->problems, "%s: %s\n",
                                       line == 0 ? loading->path : loading->variable, shown);
}

/* The same about a key's value, which `text` may quote. */
static void value_problem(Loading *loading, int line, const char *name, bool is_private,
                          const char *text)
{
    if (loading->is_shareable && is_private)
        problem(loading, line, "%s = (not shown): not a value for it", name);
    else
        problem(loading, line, "%s", text);
}

static void config_on_problem(void *user, int line, const char *message)
{
    problem(user, line, "%s", message);
}

/* The sections' names in `out`, without repetitions. */
static size_t list_sections(const char *out[CONFIG_KEYS_MAX])
{
    size_t key_count, count = 0;
    const KeySpec *keys = schema_keys(&key_count);
    for (size_t i = 0; i < key_count; i++)
        if (count == 0 || strcmp(out[count - 1], keys[i].section) != 0)
            out[count++] = keys[i].section;
    return count;
}

/* Begins what a section [rule NAME] or [matchmaking.NAME] sets, in one of the two lists. False when
 * the section cannot be. */
static bool begin_rule(Loading *loading, int line, KeyScope scope, const char *section,
                       const char *name)
{
    Config *config = &loading->config;
    bool is_rule = scope == SCOPE_GAME;
    struct Rule **list = is_rule ? &config->rules : &config->types;
    size_t *count = is_rule ? &config->rule_count : &config->type_count;
    if (name[0] == '\0') {
        problem(loading, line, "%s",
                is_rule ? "a rule needs a name: [rule NAME]"
                        : "a type needs a name: [matchmaking.NAME]");
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        if (strcmp((*list)[i].name, name) != 0)
            continue;
        problem(loading, line, "[%s] is given twice; first in line %d", section, (*list)[i].line);
        return false;
    }
    Rule *rules = *count < RULES_MAX ? realloc(*list, (*count + 1) * sizeof *rules) : NULL;
    if (!rules) {
        problem(loading, line, "no room for more than %zu %s", *count,
                is_rule ? "rules" : "types of matchmaking");
        return false;
    }
    *list = rules;
    loading->rule = &rules[(*count)++];
    memset(loading->rule, 0, sizeof *loading->rule);
    loading->rule->line = line;
    loading->rule->is_seek_type = !is_rule;
    memcpy(loading->rule->name, name, strlen(name) + 1);
    return true;
}

/* The section of the engine that was read last has ended. */
static void end_external(Loading *loading)
{
    Error err = { 0 };
    if (loading->external && !external_config_check(loading->external, &err))
        problem(loading, loading->external->line, "%s", err.text);
    loading->external = NULL;
}

/* Begins the engine of a section "engine.external NAME". False when it cannot be. */
static bool begin_external(Loading *loading, int line, const char *name)
{
    Config *config = &loading->config;
    ExternalConfig fresh;
    external_config_init(&fresh, name, line);
    if (external_name_is_reserved(fresh.name)) {
        problem(loading, line, "no engine can be called \"%s\"", fresh.name);
        return false;
    }
    for (size_t i = 0; i < config->external_count; i++) {
        if (strcmp(config->externals[i].name, fresh.name) != 0)
            continue;
        problem(loading, line, "engine %s is given twice; first in line %d", fresh.name,
                config->externals[i].line);
        return false;
    }
    size_t count = config->external_count;
    ExternalConfig *all =
        count < EXTERNALS_MAX ? realloc(config->externals, (count + 1) * sizeof *all) : NULL;
    if (!all) {
        problem(loading, line, "no room for more than %zu engines", count);
        return false;
    }
    config->externals = all;
    loading->external = &all[config->external_count++];
    *loading->external = fresh;
    return true;
}

/* The NAME of a section "PREFIX NAME" or "PREFIX", else NULL. */
static const char *name_after(const char *section, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(section, prefix, len) != 0 || (section[len] != ' ' && section[len] != '\0'))
        return NULL;
    return section + len + strspn(section + len, " ");
}

static void unknown_key(Loading *loading, int line, const char *section, const char *name)
{
    size_t key_count, count = 0;
    const KeySpec *keys = schema_keys(&key_count);
    const char *names[CONFIG_KEYS_MAX];
    const char *elsewhere = NULL;
    for (size_t i = 0; i < key_count; i++) {
        if (strcmp(keys[i].section, section) == 0)
            names[count++] = keys[i].name;
        else if (strcmp(keys[i].name, name) == 0)
            elsewhere = keys[i].section;
    }
    const char *meant = did_you_mean(name, names, count);
    if (elsewhere)
        problem(loading, line, "unknown key \"%s\" in [%s]; it belongs into [%s]", name, section,
                elsewhere);
    else if (meant)
        problem(loading, line, "unknown key \"%s\" in [%s]; did you mean \"%s\"?", name, section,
                meant);
    else
        problem(loading, line, "unknown key \"%s\" in [%s]", name, section);
}

static const char type_prefix[] = "matchmaking.";

static void take_in_type(Loading *loading, int line, const char *section, const char *name,
                         const char *value)
{
    char key[100];
    Error err = { 0 };
    (void)section;
    if (!text_format_fits(key, sizeof key, "%s%s", type_prefix, name) ||
        !schema_find("matchmaking", name))
        unknown_key(loading, line, "matchmaking", name);
    else if (!rule_set(loading->rule, line, key, value, &err))
        problem(loading, line, "%s", err.text);
}

static void take_in_rule(Loading *loading, int line, const char *section, const char *name,
                         const char *value)
{
    Error err = { 0 };
    (void)section;
    if (!rule_set(loading->rule, line, name, value, &err))
        value_problem(loading, line, name, true, err.text);
}

static void take_in_external(Loading *loading, int line, const char *section, const char *name,
                             const char *value)
{
    Error err = { 0 };
    (void)section;
    if (!external_config_set(loading->external, line, name, value, &err))
        value_problem(loading, line, name, true, err.text);
}

static void set_key(Loading *loading, int line, const KeySpec *key, const char *value)
{
    Error err = { 0 };
    const KeyTraits *traits = key_traits(key);
    if (key_set(key, &loading->config, value, &err))
        return;
    char text[800];
    text_format_cut(text, sizeof text, "%s = %s: %s", key->name,
                    traits->may_hold_secret ? "…" : value, err.text);
    value_problem(loading, line, key->name, traits->is_private, text);
}

static void take_in_schema(Loading *loading, int line, const char *section, const char *name,
                           const char *value)
{
    const KeySpec *key = schema_find(section, name);
    if (!key) {
        unknown_key(loading, line, section, name);
        return;
    }
    size_t count;
    int *first_line = &loading->lines[key - schema_keys(&count)];
    if (*first_line != 0 && !key_traits(key)->adds_up)
        problem(loading, line, "%s is given twice; first in line %d", name, *first_line);
    else
        set_key(loading, line, key, value);
    *first_line = line;
}

/* What the file says of the key is gone, also where several lines add up. */
static void config_on_variable(void *user, const char *variable, const KeySpec *key,
                               const char *value)
{
    Loading *loading = user;
    size_t count;
    loading->variable = variable;
    loading->lines[key - schema_keys(&count)] = CONFIG_FROM_ENVIRONMENT;
    if (token_is_in(value)) {
        problem(loading, CONFIG_FROM_ENVIRONMENT,
                "a token stands here: it belongs into CASTLED_TOKEN, or into a file of its own");
        return;
    }
    if (key_traits(key)->adds_up) {
        void *at = (char *)&loading->config + key->offset;
        key_release(key, at);
        memset(at, 0, key_traits(key)->size);
    }
    set_key(loading, CONFIG_FROM_ENVIRONMENT, key, value);
}

static void config_on_variable_problem(void *user, const char *variable, const char *why)
{
    Loading *loading = user;
    loading->variable = variable;
    problem(loading, CONFIG_FROM_ENVIRONMENT, "%s", why);
}

static void begin_schema(Loading *loading, int line, const char *section)
{
    const char *sections[CONFIG_KEYS_MAX];
    size_t count = list_sections(sections);
    for (size_t i = 0; i < count; i++)
        if (strcmp(sections[i], section) == 0)
            loading->take = take_in_schema;
    if (loading->take)
        return;
    const char *meant = did_you_mean(section, sections, count);
    if (meant)
        problem(loading, line, "unknown section [%s]; did you mean [%s]?", section, meant);
    else
        problem(loading, line, "unknown section [%s]", section);
}

static void config_on_section(void *user, int line, const char *section)
{
    Loading *loading = user;
    const char *rule = name_after(section, "rule");
    const char *external = name_after(section, EXTERNAL_SECTION);
    loading->rule = NULL;
    end_external(loading);
    loading->take = NULL;
    if (rule) {
        if (begin_rule(loading, line, SCOPE_GAME, section, rule))
            loading->take = take_in_rule;
    } else if (external) {
        if (begin_external(loading, line, external))
            loading->take = take_in_external;
    } else if (strncmp(section, type_prefix, sizeof type_prefix - 1) == 0) {
        if (begin_rule(loading, line, SCOPE_SEEK, section, section + sizeof type_prefix - 1))
            loading->take = take_in_type;
    } else {
        begin_schema(loading, line, section);
    }
}

static void config_on_key(void *user, int line, const char *section, const char *name,
                          const char *value)
{
    Loading *loading = user;
    if (token_is_in(value))
        problem(loading, line,
                "a token stands here: move it into a file of its own (chmod 600) "
                "and name that file in token_file");
    else if (section[0] == '\0')
        problem(loading, line, "a key before the first [section]");
    else if (loading->take && strcmp(section, INI_SECTION_BROKEN) != 0)
        loading->take(loading, line, section, name, value);
}

static int int_value(const Config *config, const KeySpec *key)
{
    return *(const int *)key_at(key, config);
}

/* The line in which the rule (NULL: no rule) gives the key; 0: it does not. */
static int line_of(const Loading *loading, const Rule *rule, const KeySpec *key)
{
    size_t count;
    if (!rule)
        return loading->lines[key - schema_keys(&count)];
    for (int i = 0; i < rule->change_count; i++)
        if (rule->changes[i].key == key)
            return rule->changes[i].line;
    return 0;
}

/* A problem that is found once all is read, where the key was given. */
static void key_problem(Loading *loading, int line, const KeySpec *key, const char *text)
{
    char variable[ENVIRONMENT_NAME_SIZE];
    environment_name(key, variable);
    loading->variable = variable;
    problem(loading, line, "%s", text);
}

/* Of two keys the one that was given last. */
static bool came_later(int line, int other_line)
{
    return line == CONFIG_FROM_ENVIRONMENT ||
           (other_line != CONFIG_FROM_ENVIRONMENT && line > other_line);
}

/* Of `config`, which is the file's, or that with one rule laid over. */
static void check_ranges(Loading *loading, const Config *config, const Rule *rule)
{
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++) {
        if (!keys[i].upper)
            continue;
        const KeySpec *low = &keys[i], *high = schema_find(low->section, low->upper);
        assert(high);
        int least = int_value(config, low), most = int_value(config, high);
        int low_line = line_of(loading, rule, low), high_line = line_of(loading, rule, high);
        if (least <= most || (low_line == 0 && high_line == 0))
            continue;
        char text[200];
        text_format(text, sizeof text, "%s = %d is more than %s = %d", low->name, least, high->name,
                    most);
        if (came_later(low_line, high_line))
            key_problem(loading, low_line, low, text);
        else
            key_problem(loading, high_line, high, text);
    }
}

/* False and an Error with the nearest name where a word of `words` is no engine of the
 * configuration. */
static bool knows_externals(const Config *config, const char *words, Error *err)
{
    const char *names[EXTERNALS_MAX + 2];
    char unknown[CONFIG_TEXT_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < config->external_count; i++)
        names[count++] = config->externals[i].name;
    if (!external_find_unknown(words, names, count, unknown))
        return true;
    names[count++] = EXTERNAL_ALL;
    names[count++] = EXTERNAL_NONE;
    const char *meant = did_you_mean(unknown, names, count);
    error_set(err, ERR_INVALID, "there is no [engine.external %s]%s%s%s", unknown,
              meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
    return false;
}

/* Of `config`, as in check_ranges(): does it name engines that there are? */
static void check_engines(Loading *loading, const Config *config, const Rule *rule)
{
    Error err = { 0 };
    const KeySpec *key = schema_find("engine", "external");
    int line = line_of(loading, rule, key);
    if (line != 0 && !knows_externals(config, config->game.engine.external, &err))
        key_problem(loading, line, key, err.text);
}

/* Games wait for the server in the file. */
static void check_database(Loading *loading)
{
    const Config *config = &loading->config;
    const KeySpec *key = schema_find("archive", "database");
    int line = line_of(loading, NULL, key);
    if (line != 0 && config->archive.database[0] != '\0' &&
        strcmp(config->archive.file, "off") == 0)
        key_problem(loading, line, key, "database needs the file, which is off");
}

static void check_rules(Loading *loading)
{
    const Config *config = &loading->config;
    for (size_t i = 0; i < config->rule_count; i++) {
        Config laid_over = *config;
        rule_apply(&config->rules[i], &laid_over.game);
        check_ranges(loading, &laid_over, &config->rules[i]);
        check_engines(loading, &laid_over, &config->rules[i]);
    }
    for (size_t i = 0; i < config->type_count; i++) {
        Config laid_over = *config;
        rule_apply_type(&config->types[i], &laid_over.seek);
        check_ranges(loading, &laid_over, &config->types[i]);
    }
}

void config_init(Config *config)
{
    memset(config, 0, sizeof *config);
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++) {
        Error err = { 0 };
        bool ok = keys[i].standard[0] == '\0' || key_set(&keys[i], config, keys[i].standard, &err);
        assert((ok || err.code == ERR_MEMORY) && "a default is a value");
        (void)ok;
    }
}

void config_release(Config *config)
{
    user_list_release(&config->game.challenge.allow);
    user_list_release(&config->game.challenge.block);
    user_list_release(&config->mute);
    user_list_release(&config->seek.only);
    for (size_t i = 0; i < config->rule_count; i++)
        rule_release(&config->rules[i]);
    free(config->rules);
    for (size_t i = 0; i < config->type_count; i++)
        rule_release(&config->types[i]);
    free(config->types);
    config->types = NULL;
    config->type_count = 0;
    free(config->externals);
    config->externals = NULL;
    config->external_count = 0;
    config->rules = NULL;
    config->rule_count = 0;
}

static bool read_file(const char *path, Buf *out, Error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        error_set(err, ERR_IO, "cannot open: %s", strerror(errno));
        return false;
    }
    bool ok = buf_read(out, file, err);
    fclose(file);
    return ok;
}

/* `variables`: the environment; NULL: none. */
static bool parse(Loading *loading, const char *text, size_t len, char *const *variables,
                  Config *out)
{
    size_t count;
    schema_keys(&count);
    CHECK(count <= CONFIG_KEYS_MAX);
    IniCallbacks callbacks = { config_on_section, config_on_key, config_on_problem, loading };
    config_init(&loading->config);
    ini_read(text, len, &callbacks);
    end_external(loading);
    if (variables)
        environment_read(variables, &(EnvironmentCallbacks){ config_on_variable,
                                                             config_on_variable_problem, loading });
    check_engines(loading, &loading->config, NULL);
    check_ranges(loading, &loading->config, NULL);
    check_rules(loading);
    check_database(loading);
    bool ok = !loading->is_wrong || loading->is_lenient;
    if (ok)
        *out = loading->config;
    else
        config_release(&loading->config);
    return ok;
}

bool config_parse(Config *out, const char *name, const char *text, size_t len, Buf *problems)
{
    Loading loading = { .path = name, .problems = problems };
    return parse(&loading, text, len, NULL, out);
}

static bool load(Loading *loading, const char *path, Config *out)
{
    Buf text;
    Error err = { 0 };
    buf_init(&text, FILE_MAX);
    bool ok = strcmp(path, CONFIG_NO_FILE) == 0 || read_file(path, &text, &err);
    if (!ok)
        problem(loading, 0, "%s", err.text);
    ok = ok && parse(loading, buf_view(&text), text.len, environ, out);
    buf_release(&text);
    return ok;
}

bool config_load(Config *out, const char *path, Buf *problems)
{
    Loading loading = { .path = path, .problems = problems };
    return load(&loading, path, out);
}

bool config_load_lines(Config *out, const char *path, int lines[CONFIG_KEYS_MAX], Buf *problems)
{
    Loading loading = { .path = path, .problems = problems };
    bool ok = load(&loading, path, out);
    memcpy(lines, loading.lines, sizeof loading.lines);
    return ok;
}

bool config_load_lenient(Config *out, const char *path, Buf *problems)
{
    Loading loading = { .path = path, .problems = problems, .is_lenient = true };
    return load(&loading, path, out);
}

bool config_load_shareable(Config *out, const char *path, Buf *problems)
{
    const char *slash = strrchr(path, '/');
    Loading loading = { .path = slash ? slash + 1 : path,
                        .problems = problems,
                        .is_shareable = true };
    return load(&loading, path, out);
}

/* As config_text_named(), given before or not. */
static const char *text_given(const Config *config, const KeySpec *key, size_t n)
{
    if (n == 0)
        return (const char *)config + key->offset;
    for (size_t i = 0; i < config->rule_count; i++)
        for (int k = 0; k < config->rules[i].change_count; k++)
            if (config->rules[i].changes[k].key == key && --n == 0)
                return config->rules[i].changes[k].value;
    return NULL;
}

const char *config_text_named(const Config *config, const char *section, const char *name, size_t n)
{
    const KeySpec *key = schema_find(section, name);
    const char *text = text_given(config, key, n);
    for (size_t i = 0; text && i < n; i++)
        if (strcmp(text_given(config, key, i), text) == 0)
            return "";
    return text;
}

bool config_next_path(Text *rest, char path[CONFIG_TEXT_SIZE])
{
    Text word = text_next_word(rest, ":");
    CHECK(text_copy(path, CONFIG_TEXT_SIZE, word));
    return word.len > 0;
}
