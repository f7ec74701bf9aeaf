/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/environment.h"

#include "bot/config/did_you_mean.h"
#include "bot/config/ini_reader.h"
#include "bot/config/schema.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <ctype.h>
#include <string.h>

enum { KEYS_MAX = 256 };

static const char prefix[] = "CASTLED_";
static const char token[] = "CASTLED_TOKEN";

void environment_name(const KeySpec *key, char out[ENVIRONMENT_NAME_SIZE])
{
    CHECK(text_format_fits(out, ENVIRONMENT_NAME_SIZE, "%s%s_%s", prefix, key->section, key->name));
    for (char *at = out; *at; at++)
        *at = (char)toupper((unsigned char)*at);
}

static const KeySpec *find_key(const char *variable)
{
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    char name[ENVIRONMENT_NAME_SIZE];
    for (size_t i = 0; i < count; i++) {
        environment_name(&keys[i], name);
        if (strcmp(name, variable) == 0)
            return &keys[i];
    }
    return NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* CASTLED_SERVICE_HOST, CASTLED_PORT=tcp://10.0.0.1:80, CASTLED_WEB_PORT_80_TCP: of services. */
static bool is_of_kubernetes(const char *variable, const char *value)
{
    const char *port = strstr(variable, "_PORT");
    if (strstr(variable, "_SERVICE_HOST") || strstr(variable, "_SERVICE_PORT"))
        return true;
    if (!port)
        return false;
    port += strlen("_PORT");
    return *port == '\0' ? strstr(value, "://") != NULL
                         : port[0] == '_' && isdigit((unsigned char)port[1]);
}

static void tell_unknown(const EnvironmentCallbacks *to, const char *variable)
{
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    char names[KEYS_MAX][ENVIRONMENT_NAME_SIZE], why[200];
    const char *candidates[KEYS_MAX + 1];
    CHECK(count <= KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        environment_name(&keys[i], names[i]);
        candidates[i] = names[i];
    }
    candidates[count] = token;
    const char *meant = did_you_mean(variable, candidates, count + 1);
    bool is_named = begins(variable, "CASTLED_RULE_") ||
                    begins(variable, "CASTLED_ENGINE_EXTERNAL_") ||
                    (!meant && begins(variable, "CASTLED_MATCHMAKING_"));
    if (is_named)
        text_format(why, sizeof why,
                    "sections that have a name of their own stand in the file only");
    else
        text_format(why, sizeof why, "no such setting%s%s%s", meant ? "; did you mean " : "",
                    meant ? meant : "", meant ? "?" : "");
    to->on_problem(to->user, variable, why);
}

/* As in the file: what is quoted reaches a terminal. */
static const char *fault_of(const char *value)
{
    if (strlen(value) > INI_LINE_LONGEST)
        return "longer than 4000 bytes";
    for (const char *at = value; *at; at++)
        if (iscntrl((unsigned char)*at))
            return "a control character in the value";
    return NULL;
}

static void read_one(const EnvironmentCallbacks *to, const char *variable, const char *value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const KeySpec *key = find_key(variable);
    const char *fault = key ? fault_of(value) : NULL;
    if (fault)
        to->on_problem(to->user, variable, fault);
    else if (key)
        to->on_key(to->user, variable, key, value);
    else if (variable[strspn(variable, letters)] != '\0')
        to->on_problem(to->user, "CASTLED_…", "a variable with other characters than A-Z, 0-9, _");
    else if (!is_of_kubernetes(variable, value))
        tell_unknown(to, variable);
}

void environment_read(char *const *variables, const EnvironmentCallbacks *to)
{
    char name[2 * ENVIRONMENT_NAME_SIZE];
    for (; *variables; variables++) {
        const char *variable = *variables, *value = strchr(variable, '=');
        if (!value || !begins(variable, prefix))
            continue;
        size_t len = (size_t)(value - variable);
        if (len >= sizeof name) {
            to->on_problem(to->user, "CASTLED_…", "a variable with too long a name");
            continue;
        }
        memcpy(name, variable, len);
        name[len] = '\0';
        if (strcmp(name, token) != 0)
            read_one(to, name, value + 1);
    }
}

static void note_key(void *user, const char *variable, const KeySpec *key, const char *value)
{
    (void)variable;
    (void)key;
    (void)value;
    *(bool *)user = true;
}

/* One that was meant as a setting: the mistake is told instead of the missing file. */
static void note_problem(void *user, const char *variable, const char *why)
{
    (void)variable;
    (void)why;
    *(bool *)user = true;
}

bool environment_suffices(char *const *variables)
{
    bool found = false;
    const EnvironmentCallbacks to = { note_key, note_problem, &found };
    environment_read(variables, &to);
    for (; *variables && !found; variables++)
        found = begins(*variables, "CASTLED_TOKEN=");
    return found;
}
