/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_config.h - one [engine.external] or [engine.external NAME] of the configuration. */
#pragma once
#include "bot/config/ini_reader.h"
#include "bot/config/key.h"

/* The section; a name may follow, after a blank. */
#define EXTERNAL_SECTION "engine.external"

enum {
    EXTERNALS_MAX = 16,
    EXTERNAL_KEYS_MAX = 16, /* of the table of rows */
    EXTERNAL_SETTINGS_MAX = 32,
    EXTERNAL_SETTING_NAME_SIZE = 64,
};

typedef enum { EXTERNAL_ERRORS_LOG, EXTERNAL_ERRORS_NONE, EXTERNAL_ERRORS_COUNT } ExternalErrors;

/* "option.NAME = VALUE": sent to the engine as it is. */
typedef struct {
    char name[EXTERNAL_SETTING_NAME_SIZE];
    char value[CONFIG_TEXT_SIZE];
    int line;
} ExternalSetting;

typedef struct ExternalConfig {
    char name[INI_SECTION_LONGEST + 1]; /* "external" where the section has none */
    int line;                           /* of its section, */
    int key_lines[EXTERNAL_KEYS_MAX];   /* and of each row's key; 0: not given */
    char command[CONFIG_TEXT_SIZE];     /* as in bot/child/child_command.h */
    char previous[CONFIG_TEXT_SIZE];  /* another command, that comes back after faults; "": none */
    int share;                        /* percent of the games; or CONFIG_AUTO: those left */
    char directory[CONFIG_TEXT_SIZE]; /* that it runs in; "": castled's own */
    uint32_t variants;                /* bit n stands for Variant n */
    int64_t nodes;                    /* per move; 0: no limit, as in the next two */
    int depth_plies, movetime_ms;
    bool ponder;
    bool sandbox;        /* whether our secrets are kept from it */
    int transcript_days; /* that a game's traffic is kept; 0: not at all */
    int errors;          /* ExternalErrors: what becomes of what it writes to standard error */
    ExternalSetting settings[EXTERNAL_SETTINGS_MAX];
    size_t setting_count;
} ExternalConfig;

/* The rows of its keys that have a name known beforehand; their values lie in an ExternalConfig. */
const KeySpec *external_config_keys(size_t *count);

/* The defaults under a name; "": the section has none. */
void external_config_init(ExternalConfig *config, const char *name, int line);

/* Takes one line "key = value". False and an Error when that is wrong. */
bool external_config_set(ExternalConfig *config, int line, const char *key, const char *value,
                         Error *err) MUST_CHECK;

/* When all of the section has been read: is it whole? */
bool external_config_check(const ExternalConfig *config, Error *err) MUST_CHECK;

/* The words of [engine] external: "all", "none", or names that commas or blanks separate. */
#define EXTERNAL_ALL "all"
#define EXTERNAL_NONE "none"
bool external_name_is_reserved(const char *name);

/* Is the engine of this name meant by them? */
bool external_is_named(const char *words, const char *name);

/* The first of them that is neither reserved nor one of `names`: copied into `out`; false: there is
 * none. */
bool external_find_unknown(const char *words, const char *const *names, size_t count,
                           char out[CONFIG_TEXT_SIZE]);

/* Do both say the same, in whichever lines? */
bool external_config_equals(const ExternalConfig *a, const ExternalConfig *b);
