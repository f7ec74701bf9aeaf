/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/engine_share.h"

#include "bot/config/external_config.h"
#include "engine/base/buf.h"
#include "engine/base/minmax.h"

#include <string.h>

enum { LOTS = 100 };

/* FNV-1a, and a step that lets all bytes reach the upper bits. */
static uint64_t hash_of(Text text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ hash >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

int engine_share_lot(Text text)
{
    return (int)(hash_of(text) % LOTS);
}

static bool may_play(const ExternalConfig *engine, const char *words, Variant variant)
{
    return engine->variants >> variant & 1 && external_is_named(words, engine->name);
}

static int sum_of_shares(const Config *config, const char *words, Variant variant, int *count)
{
    int sum = 0;
    *count = 0;
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalConfig *engine = &config->externals[i];
        if (!may_play(engine, words, variant) || engine->share == CONFIG_AUTO)
            continue;
        sum += engine->share;
        ++*count;
    }
    return sum;
}

static bool name_the_rest(const Config *config, const char *words, Variant variant, Buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalConfig *engine = &config->externals[i];
        if (may_play(engine, words, variant) && engine->share == CONFIG_AUTO)
            ok = ok && buf_printf(out, "%s%s", out->len > 0 ? " " : "", engine->name);
    }
    return ok && (out->len > 0 || buf_put_text(out, EXTERNAL_NONE));
}

/* The engine with a share that the lot falls to; NULL: none. */
static const ExternalConfig *find_by_lot(const Config *config, const char *words, Variant variant,
                                         int lot)
{
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalConfig *engine = &config->externals[i];
        if (!may_play(engine, words, variant) || engine->share == CONFIG_AUTO)
            continue;
        if (lot < engine->share)
            return engine;
        lot -= engine->share;
    }
    return NULL;
}

bool engine_share_draw(const Config *config, const char *words, Variant variant, Text text,
                       char out[CONFIG_TEXT_SIZE])
{
    int count;
    int sum = sum_of_shares(config, words, variant, &count);
    int lot = engine_share_lot(text) * int_max(sum, LOTS) / LOTS;
    const ExternalConfig *drawn = find_by_lot(config, words, variant, lot);
    Buf names;
    buf_init(&names, CONFIG_TEXT_SIZE);
    bool ok = count > 0 && (drawn ? buf_put_text(&names, drawn->name)
                                  : name_the_rest(config, words, variant, &names));
    (void)text_copy(out, CONFIG_TEXT_SIZE, text_of(ok ? buf_view(&names) : words));
    buf_release(&names);
    return ok;
}

bool engine_share_use(const Config *config, const char *words, Variant variant, const char *name)
{
    bool asks_any = false, has_it = false;
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalConfig *engine = &config->externals[i];
        asks_any |= may_play(engine, words, variant);
        has_it |= may_play(engine, name, variant);
    }
    return asks_any && has_it;
}
