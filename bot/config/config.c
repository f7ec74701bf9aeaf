/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/config.h"

#include "bot/config/external_config.h"
#include "bot/config/did_you_mean.h"
#include "bot/config/ini_reader.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"
#include "bot/config/token.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS_MAX = 256, FILE_MAX = 1 << 20 };

typedef struct {
    Config config;
    const char *path;
    Buf *problems;
    bool is_full;        /* `problems` took no more */
    bool is_wrong;       /* there was a problem */
    int lines[KEYS_MAX]; /* where each key of the schema was given; 0: not */
    bool section_is_known;
    struct Rule *rule;               /* the one whose section this is, or NULL */
    struct ExternalConfig *external; /* the same */
    int external_lines[KEYS_MAX];    /* where its keys were given; 0: not */
} Loading;

static void problem(Loading *loading, int line, const char *text)
{
    char shown[1000];
    int n = snprintf(shown, sizeof shown, "%s", text);
    token_mask(shown); /* pasted to where it does not belong */
    loading->is_wrong = true;
    if (!loading->is_full && n >= 0)
        loading->is_full =
            !buf_printf(loading->problems, "%s:%d: %s\n", loading->path, line, shown);
}

static void on_problem(void *user, int line, const char *message)
{
    problem(user, line, message);
}

/* The sections' names in `out`, without repetitions. */
static size_t list_sections(const char *out[KEYS_MAX])
{
    size_t key_count, count = 0;
    const KeySpec *keys = schema_keys(&key_count);
    for (size_t i = 0; i < key_count; i++)
        if (count == 0 || strcmp(out[count - 1], keys[i].section) != 0)
            out[count++] = keys[i].section;
    return count;
}

/* Begins what a section [rule NAME] or [matchmaking.NAME] sets, in one of the two lists. */
static void begin_rule(Loading *loading, int line, KeyScope scope, const char *section,
                       const char *name)
{
    Config *config = &loading->config;
    struct Rule **list = scope == SCOPE_GAME ? &config->rules : &config->types;
    size_t *count = scope == SCOPE_GAME ? &config->rule_count : &config->type_count;
    char text[200];
    int n = 0;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].name, name) == 0)
            n = snprintf(text, sizeof text, "[%s] is given twice; first in line %d", section,
                         (*list)[i].line);
    if (name[0] == '\0')
        n = snprintf(text, sizeof text, "%s",
                     scope == SCOPE_GAME ? "a rule needs a name: [rule NAME]"
                                         : "a type needs a name: [matchmaking.NAME]");
    else if (n == 0 && *count == RULES_MAX)
        n = snprintf(text, sizeof text, "more than %d %s", RULES_MAX,
                     scope == SCOPE_GAME ? "rules" : "types of matchmaking");
    if (n == 0) {
        Rule *rules = realloc(*list, (*count + 1) * sizeof *rules);
        if (rules) {
            *list = rules;
            loading->rule = &rules[(*count)++];
            memset(loading->rule, 0, sizeof *loading->rule);
            loading->rule->line = line;
            loading->rule->is_seek_type = scope == SCOPE_SEEK;
            memcpy(loading->rule->name, name, strlen(name) + 1);
            return;
        }
        n = snprintf(text, sizeof text, "no memory");
    }
    problem(loading, line, n > 0 ? text : "a rule too many");
}

/* The section of the engine that was read last has ended. */
static void end_external(Loading *loading)
{
    Error err = { 0 };
    if (loading->external && !external_config_check(loading->external, &err))
        problem(loading, loading->external->line, err.text);
    loading->external = NULL;
}

/* Begins the engine of a section "engine.external NAME". */
static void begin_external(Loading *loading, int line, const char *name)
{
    Config *config = &loading->config;
    ExternalConfig fresh;
    char text[200];
    int n = 0;
    external_config_init(&fresh, name, line);
    for (size_t i = 0; i < config->external_count; i++)
        if (strcmp(config->externals[i].name, fresh.name) == 0)
            n = snprintf(text, sizeof text, "engine %s is given twice; first in line %d",
                         fresh.name, config->externals[i].line);
    if (external_name_is_reserved(fresh.name))
        n = snprintf(text, sizeof text, "no engine can be called \"%s\"", fresh.name);
    else if (n == 0 && config->external_count == EXTERNALS_MAX)
        n = snprintf(text, sizeof text, "more than %d engines", EXTERNALS_MAX);
    ExternalConfig *all =
        n == 0 ? realloc(config->externals, (config->external_count + 1) * sizeof *all) : NULL;
    if (!all) {
        problem(loading, line, n > 0 ? text : "no memory");
        return;
    }
    config->externals = all;
    loading->external = &all[config->external_count++];
    *loading->external = fresh;
    memset(loading->external_lines, 0, sizeof loading->external_lines);
}

/* The NAME of a section "PREFIX NAME" or "PREFIX", else NULL. */
static const char *name_after(const char *section, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(section, prefix, len) != 0 || (section[len] != ' ' && section[len] != '\0'))
        return NULL;
    return section + len + strspn(section + len, " ");
}

static const char type_prefix[] = "matchmaking.";

static void on_section(void *user, int line, const char *section)
{
    Loading *loading = user;
    const char *rule = name_after(section, "rule");
    const char *external = name_after(section, EXTERNAL_SECTION);
    loading->rule = NULL;
    end_external(loading);
    loading->section_is_known = false;
    if (rule)
        begin_rule(loading, line, SCOPE_GAME, section, rule);
    if (external)
        begin_external(loading, line, external);
    if (rule || external)
        return;
    if (strncmp(section, type_prefix, sizeof type_prefix - 1) == 0) {
        begin_rule(loading, line, SCOPE_SEEK, section, section + sizeof type_prefix - 1);
        return;
    }
    const char *sections[KEYS_MAX];
    size_t count = list_sections(sections);
    for (size_t i = 0; i < count; i++)
        if (strcmp(sections[i], section) == 0)
            loading->section_is_known = true;
    if (loading->section_is_known)
        return;
    const char *meant = did_you_mean(section, sections, count);
    char text[200];
    int n = meant ? snprintf(text, sizeof text, "unknown section [%s]; did you mean [%s]?", section,
                             meant)
                  : snprintf(text, sizeof text, "unknown section [%s]", section);
    problem(loading, line, n > 0 ? text : "unknown section");
}

static void unknown_key(Loading *loading, int line, const char *section, const char *name)
{
    size_t key_count, count = 0;
    const KeySpec *keys = schema_keys(&key_count);
    const char *names[KEYS_MAX];
    const char *elsewhere = NULL;
    for (size_t i = 0; i < key_count; i++) {
        if (strcmp(keys[i].section, section) == 0)
            names[count++] = keys[i].name;
        else if (strcmp(keys[i].name, name) == 0)
            elsewhere = keys[i].section;
    }
    const char *meant = did_you_mean(name, names, count);
    const char *now = schema_renamed(section, name);
    char text[500];
    int n = now ? snprintf(text, sizeof text, "\"%s\" in [%s] was renamed to \"%s\"", name, section,
                           now)
            : elsewhere
                ? snprintf(text, sizeof text, "unknown key \"%s\" in [%s]; it belongs into [%s]",
                           name, section, elsewhere)
            : meant
                ? snprintf(text, sizeof text, "unknown key \"%s\" in [%s]; did you mean \"%s\"?",
                           name, section, meant)
                : snprintf(text, sizeof text, "unknown key \"%s\" in [%s]", name, section);
    problem(loading, line, n > 0 ? text : "unknown key");
}

static void set_in_type(Loading *loading, int line, const char *name, const char *value)
{
    char key[100];
    Error err = { 0 };
    int n = snprintf(key, sizeof key, "%s%s", type_prefix, name);
    if (n < 0 || (size_t)n >= sizeof key || !schema_find("matchmaking", name))
        unknown_key(loading, line, "matchmaking", name);
    else if (!rule_set(loading->rule, line, key, value, &err))
        problem(loading, line, err.text);
}

static void on_key(void *user, int line, const char *section, const char *name, const char *value)
{
    Loading *loading = user;
    char text[800];
    if (token_is_in(value)) {
        problem(loading, line,
                "a token stands here: move it into a file of its own (chmod 600) "
                "and name that file in token_file");
        return;
    }
    if (section[0] == '\0') {
        problem(loading, line, "a key before the first [section]");
        return;
    }
    Error err = { 0 };
    if (loading->rule && loading->rule->is_seek_type) {
        set_in_type(loading, line, name, value);
        return;
    }
    if (loading->rule) {
        if (!rule_set(loading->rule, line, name, value, &err))
            problem(loading, line, err.text);
        return;
    }
    if (loading->external) {
        if (!external_config_set(loading->external, line, name, value, loading->external_lines,
                                 &err))
            problem(loading, line, err.text);
        return;
    }
    if (!loading->section_is_known || strcmp(section, INI_SECTION_BROKEN) == 0)
        return; /* the section's line was the problem */
    const KeySpec *key = schema_find(section, name);
    if (!key) {
        unknown_key(loading, line, section, name);
        return;
    }
    size_t count;
    int *first_line = &loading->lines[key - schema_keys(&count)];
    int n = 0;
    if (*first_line != 0 && !key_traits(key)->adds_up)
        n = snprintf(text, sizeof text, "%s is given twice; first in line %d", name, *first_line);
    else if (!key_set(key, &loading->config, value, &err))
        n = snprintf(text, sizeof text, "%s = %s: %s", name,
                     key_traits(key)->may_hold_secret ? "…" : value, err.text);
    if (n != 0)
        problem(loading, line, n > 0 ? text : "not a value for this key");
    *first_line = line;
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
        if (least <= most || low_line + high_line == 0)
            continue;
        char text[200];
        int n = snprintf(text, sizeof text, "%s = %d is more than %s = %d", low->name, least,
                         high->name, most);
        problem(loading, low_line > high_line ? low_line : high_line, n > 0 ? text : "empty range");
    }
}

/* Of `config`, as in check_ranges(): does it name engines that there are? */
static void check_engines(Loading *loading, const Config *config, const Rule *rule)
{
    Error err = { 0 };
    const KeySpec *key = schema_find("engine", "external");
    int line = line_of(loading, rule, key);
    if (line != 0 && !config_knows_externals(config, config->engine.external, &err))
        problem(loading, line, err.text);
}

static void check_rules(Loading *loading)
{
    const Config *config = &loading->config;
    for (size_t i = 0; i < config->rule_count + config->type_count; i++) {
        const Rule *rule =
            i < config->rule_count ? &config->rules[i] : &config->types[i - config->rule_count];
        Config laid_over = *config;
        rule_apply(rule, &laid_over);
        check_ranges(loading, &laid_over, rule);
        check_engines(loading, &laid_over, rule);
    }
}

bool config_knows_externals(const Config *config, const char *words, Error *err)
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

uint32_t config_playable_variants(const Config *config)
{
    uint32_t set = VARIANTS_OF_CHESS;
    for (size_t i = 0; i < config->external_count; i++) {
        if (external_is_named(config->engine.external, config->externals[i].name))
            set |= config->externals[i].variants;
    }
    return set;
}

void config_init(Config *config)
{
    memset(config, 0, sizeof *config);
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++) {
        bool ok = keys[i].standard[0] == '\0' || key_set(&keys[i], config, keys[i].standard, NULL);
        assert(ok && "a default is a value");
        (void)ok;
    }
}

void config_release(Config *config)
{
    user_list_release(&config->challenge.allow);
    user_list_release(&config->challenge.block);
    user_list_release(&config->mute);
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

bool config_parse(Config *out, const char *name, const char *text, size_t len, Buf *problems)
{
    size_t count;
    schema_keys(&count);
    assert(count <= KEYS_MAX);
    Loading loading = { .path = name, .problems = problems };
    IniCallbacks callbacks = { on_section, on_key, on_problem, &loading };
    config_init(&loading.config);
    ini_read(text, len, &callbacks);
    end_external(&loading);
    check_engines(&loading, &loading.config, NULL);
    check_ranges(&loading, &loading.config, NULL);
    check_rules(&loading);
    if (loading.is_wrong)
        config_release(&loading.config);
    else
        *out = loading.config;
    return !loading.is_wrong;
}

bool config_load(Config *out, const char *path, Buf *problems)
{
    Buf text;
    Error err = { 0 };
    bool ok = false;
    buf_init(&text, FILE_MAX);
    if (read_file(path, &text, &err)) {
        ok = config_parse(out, path, buf_view(&text), text.len, problems);
    } else {
        Loading failed = { .path = path, .problems = problems };
        problem(&failed, 0, err.text);
    }
    buf_release(&text);
    return ok;
}

/* Puts directory + rest into `out` and says whether such a file is there. */
static bool is_there(char *out, size_t out_size, const char *directory, const char *rest)
{
    int n = snprintf(out, out_size, "%s%s", directory, rest);
    return n > 0 && (size_t)n < out_size && access(out, F_OK) == 0;
}

bool config_find(const char *asked, char *out, size_t out_size, Error *err)
{
    if (asked) {
        int n = snprintf(out, out_size, "%s", asked);
        if (n > 0 && (size_t)n < out_size)
            return true;
        error_set(err, ERR_RANGE, "the configuration's path is too long");
        return false;
    }
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0] == '/') { /* the specification: anything else is to be ignored */
        if (is_there(out, out_size, xdg, "/castled/castled.conf"))
            return true;
    } else if (home && is_there(out, out_size, home, "/.config/castled/castled.conf")) {
        return true;
    }
    if (is_there(out, out_size, "", "/etc/castled/castled.conf"))
        return true;
    error_set(err, ERR_IO,
              "no configuration: neither ~/.config/castled/castled.conf nor "
              "/etc/castled/castled.conf is there (an empty file will do), and no --config FILE");
    return false;
}
