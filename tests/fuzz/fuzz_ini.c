/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configuration file: it is read, or there is a problem for each line that is not; what was read
 * is written and read again as the same. */
#include "bot/config/config.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* What a rule sets is a value like any other. */
static void check_rule(const Rule *rule)
{
    for (int i = 0; i < rule->change_count; i++) {
        Buf value;
        buf_init(&value, 1 << 20);
        must(rule->changes[i].key->scope == (rule->is_seek_type ? SCOPE_SEEK : SCOPE_GAME));
        must(key_write(rule->changes[i].key, rule->changes[i].value, &value));
        buf_release(&value);
    }
    for (int i = 0; i < WHEN_COUNT; i++) {
        Buf value, again;
        RuleWhen copy = { 0 };
        buf_init(&value, 1 << 20);
        buf_init(&again, 1 << 20);
        const KeySpec *key = rule_condition((Condition)i);
        if (config_set_has(rule->when.given, i)) {
            must(key_write(key, key_at(key, &rule->when), &value));
            must(value.len == 0 || key_set(key, &copy, buf_view(&value), NULL));
            must(value.len == 0 || key_write(key, key_at(key, &copy), &again));
            must(strcmp(buf_view(&value), buf_view(&again)) == 0);
        }
        user_list_release(&copy.opponents);
        buf_release(&value);
        buf_release(&again);
    }
}

static void check_values(const Config *config)
{
    for (size_t i = 0; i < config->rule_count; i++)
        check_rule(&config->rules[i]);
    for (size_t i = 0; i < config->type_count; i++)
        check_rule(&config->types[i]);
    must(config->seek.clocks.count > 0);
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    Config copy;
    Buf value, again;
    config_init(&copy);
    buf_init(&value, 1 << 20);
    buf_init(&again, 1 << 20);
    for (size_t i = 0; i < count; i++) {
        buf_reset(&value);
        buf_reset(&again);
        must(key_write(&keys[i], key_at(&keys[i], config), &value));
        if (value.len == 0 || keys[i].kind == KEY_REPLIES || keys[i].kind == KEY_TOURNAMENTS)
            continue; /* several are written as one line, arenas without their passwords */
        must(key_set(&keys[i], &copy, buf_view(&value), NULL));
        must(key_write(&keys[i], key_at(&keys[i], &copy), &again));
        must(strcmp(buf_view(&value), buf_view(&again)) == 0);
    }
    buf_release(&value);
    buf_release(&again);
    config_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (config_parse(&config, "f", (const char *)data, size, &problems)) {
        must(problems.len == 0);
        check_values(&config);
        config_release(&config);
    } else {
        must(problems.len > 0 && problems.text[problems.len - 1] == '\n');
    }
    buf_release(&problems);
    return 0;
}
