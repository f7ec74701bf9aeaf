/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/example.h"

#include "bot/config/external_config.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"

#include <string.h>

static bool write_rules(Buf *out)
{
    if (!buf_put_text(out, "\n# Types of games, drawn by weight. Each begins with the keys of "
                           "[matchmaking] from weight on, and\n"
                           "# sets what differs.\n# [matchmaking.NAME]\n"))
        return false;
    if (!buf_put_text(out, "\n# Rules are tried in order. If all conditions of a rule hold for a "
                           "challenge or a game, the rule\n# sets keys of other sections for it. A "
                           "later rule overrides an earlier one.\n#\n# [rule NAME]\n"))
        return false;
    for (int i = 0; i < WHEN_COUNT; i++) {
        const KeySpec *key = rule_condition((Condition)i);
        if (!buf_printf(out, "# %s.%s = … ; %s", key->section, key->name, key->help) ||
            !key_write_choices(key, out) || !buf_put_char(out, '\n'))
            return false;
    }
    return buf_put_text(out, "# engine.nodes = 1000 ; SECTION.KEY = VALUE\n");
}

static bool write_externals(Buf *out)
{
    size_t count;
    const KeySpec *keys = external_config_keys(&count);
    if (!buf_put_text(out, "\n# External UCI engines, one section each. If one fails, castled's "
                           "engine plays on.\n#\n# [engine.external NAME]\n"))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool has_value = keys[i].standard[0] != '\0';
        if (!buf_printf(out, "# %s = %s ; %s", keys[i].name, has_value ? keys[i].standard : "…",
                        keys[i].help) ||
            !key_write_choices(&keys[i], out) || !buf_put_char(out, '\n'))
            return false;
    }
    return buf_put_text(out, "# option.NAME = VALUE ; An option of the engine; any number of "
                             "them.\n");
}

bool example_write(Buf *out)
{
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    if (!buf_put_text(out, "# castled.conf: every key with its default. Remove the # from what you "
                           "change.\n# A text after \" ;\" is a comment.\n"))
        return false;
    const char *section = "";
    for (size_t i = 0; i < count; i++) {
        const KeySpec *key = &keys[i];
        if (strcmp(section, key->section) != 0 && !buf_printf(out, "\n[%s]\n", key->section))
            return false;
        section = key->section;
        bool has_value = key->standard[0] != '\0';
        if (!buf_printf(out, "# %s", key->help) || !key_write_choices(key, out) ||
            !buf_printf(out, "\n#%s =%s%s\n", key->name, has_value ? " " : "", key->standard))
            return false;
    }
    return write_externals(out) && write_rules(out);
}
