/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/show_config.h"

#include "bot/admin/control_place.h"
#include "bot/archive/state_dir.h"
#include "bot/config/external_config.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"
#include "bot/ops/printable.h"
#include "bot/config/config_place.h"
#include "engine/base/text_format.h"

#include <limits.h>
#include <string.h>

enum { VALUE_MAX = 1 << 20, ORIGIN_COLUMN = 40 };

static void print_padded(FILE *out, int printed)
{
    fprintf(out, "%*s ; ", printed < ORIGIN_COLUMN ? ORIGIN_COLUMN - printed : 0, "");
}

/* "name = value", or "#name =" where it is empty, as in the example. Returns its width. */
static int print_text(FILE *out, const char *prefix, const char *name, Text value)
{
    int printed = fprintf(out, "%s%s%s =%s", value.len > 0 ? "" : "#", prefix, name,
                          value.len > 0 ? " " : "");
    printable_print(out, value);
    return printed + (int)value.len;
}

static void print_value(FILE *out, const char *prefix, const KeySpec *key, const void *value)
{
    Buf text;
    buf_init(&text, VALUE_MAX);
    bool is_known = key_write(key, value, &text);
    print_padded(out, print_text(out, prefix, key->name,
                                 text_of(is_known ? buf_view(&text) : "(too long to show)")));
    buf_release(&text);
}

static void print_origin(FILE *out, const ConfigView *view, int line)
{
    if (line == CONFIG_FROM_ENVIRONMENT)
        fputs("the environment", out);
    else if (line > 0)
        fprintf(out, "%s:%d", view->path, line);
    else
        fputs("default", out);
}

/* The rules, or types of matchmaking, that set the key for some games. */
static void print_changers(FILE *out, const Rule *rules, size_t count, const KeySpec *key)
{
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < rules[i].change_count; j++)
            if (rules[i].changes[j].key == key)
                fprintf(out, "; changed by [%s%s]",
                        rules[i].is_seek_type ? "matchmaking." : "rule ", rules[i].name);
}

/* What an empty or relative value comes to by the environment. */
static void print_place(FILE *out, const Config *config, const KeySpec *key)
{
    char path[PATH_MAX], socket[CONTROL_PLACE_SIZE];
    if (key_at(key, config) == config->archive.file && strcmp(config->archive.file, "off") != 0 &&
        state_dir_path(path, sizeof path, config->archive.file, NULL))
        fprintf(out, "; here %s", path);
    if (key_at(key, config) != config->status.socket || config->status.socket[0] != '\0')
        return;
    for (int i = 0; i < CONTROL_PLACES - 1; i++)
        if (control_place_try(config, i, socket)) {
            fprintf(out, "; here %s", socket);
            return;
        }
}

static void show_keys(FILE *out, const ConfigView *view)
{
    const Config *config = view->config;
    const char *section = "";
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(section, keys[i].section) != 0)
            fprintf(out, "\n[%s]\n", keys[i].section);
        section = keys[i].section;
        print_value(out, "", &keys[i], key_at(&keys[i], config));
        print_origin(out, view, view->lines[i]);
        print_changers(out, config->rules, config->rule_count, &keys[i]);
        print_changers(out, config->types, config->type_count, &keys[i]);
        print_place(out, config, &keys[i]);
        fputc('\n', out);
    }
}

static void show_external(FILE *out, const ConfigView *view, const ExternalConfig *external)
{
    size_t count;
    const KeySpec *keys = external_config_keys(&count);
    fprintf(out, "\n[%s %s]\n", EXTERNAL_SECTION, external->name);
    for (size_t i = 0; i < count; i++) {
        print_value(out, "", &keys[i], key_at(&keys[i], external));
        print_origin(out, view, external->key_lines[i]);
        fputc('\n', out);
    }
    for (size_t i = 0; i < external->setting_count; i++) {
        const ExternalSetting *setting = &external->settings[i];
        print_padded(out, print_text(out, "option.", setting->name, text_of(setting->value)));
        print_origin(out, view, setting->line);
        fputc('\n', out);
    }
}

static void show_rule(FILE *out, const ConfigView *view, const Rule *rule)
{
    fprintf(out, "\n[%s%s]\n", rule->is_seek_type ? "matchmaking." : "rule ", rule->name);
    for (int i = 0; i < WHEN_COUNT; i++) {
        const KeySpec *key = rule_condition((Condition)i);
        if (!(rule->when.given >> i & 1))
            continue;
        print_value(out, "when.", key, key_at(key, &rule->when));
        print_origin(out, view, rule->when_lines[i]);
        fputc('\n', out);
    }
    for (int i = 0; i < rule->change_count; i++) {
        const KeySpec *key = rule->changes[i].key;
        char section[INI_SECTION_LONGEST + 1];
        text_format(section, sizeof section, "%s.", key->section);
        print_value(out, rule->is_seek_type ? "" : section, key, rule->changes[i].value);
        print_origin(out, view, rule->changes[i].line);
        fputc('\n', out);
    }
}

void show_config(FILE *out, const ConfigView *view)
{
    const Config *config = view->config;
    fprintf(out,
            "# %s, and where each value comes from\n# The token: ", config_place_text(view->path));
    printable_print(out, text_of(view->token));
    fputc('\n', out);
    show_keys(out, view);
    for (size_t i = 0; i < config->external_count; i++)
        show_external(out, view, &config->externals[i]);
    for (size_t i = 0; i < config->type_count; i++)
        show_rule(out, view, &config->types[i]);
    for (size_t i = 0; i < config->rule_count; i++)
        show_rule(out, view, &config->rules[i]);
}
