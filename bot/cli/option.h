/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option.h - the words that a command takes, as one table: the parser, --help, castled(1), the
 * shells' completion and what is said of a mistake all come from its rows. */
#pragma once
#include "bot/config/key.h"

typedef struct Option Option;

/* Takes `value` (NULL: the option has none) into *at, the row's place in the command's own struct.
 * False and an Error that need not name the option. */
typedef bool OptionReader(const Option *option, void *at, const char *value, Error *err);

typedef enum {
    OPTION_MAY,  /* may be given; the last one counts */
    OPTION_MUST, /* must be given */
    OPTION_MANY, /* a word that may be given several times; each is read */
    OPTION_REST, /* the same, and it takes all words to the end, also those with dashes */
} OptionCount;

/* A table ends with a row without a name. */
struct Option {
    const char *name;   /* "--limit"; "GAME": a word by its place; "join": a word as it stands */
    const char *value;  /* "N", "A B": what follows, read word by word; "[USER]": what may follow,
                         * and has a row of its own; NULL: nothing */
    const char *help;   /* NULL: the next row's, which is shown for both */
    OptionReader *read; /* lent values stay valid for as long as the command line */
    size_t at;
    int64_t lo, hi;
    const WordList *words; /* what may stand there, or for most readers what is worth proposing */
    OptionCount count;
};

enum { OPTION_GROUPS_MAX = 3 };

bool option_flag(const Option *option, void *at, const char *value, Error *err); /* bool */
bool option_text(const Option *option, void *at, const char *value, Error *err); /* const char * */
bool option_number(const Option *option, void *at, const char *value, Error *err); /* int64_t,
                                                                                    * lo..hi */
bool option_game(const Option *option, void *at, const char *value, Error *err); /* const char * */
bool option_word(const Option *option, void *at, const char *value, Error *err); /* int: which of
                                                                                  * `words` */

/* int: takes `lo`, which is not 0. Options that set another number at the same place exclude it. */
bool option_choice(const Option *option, void *at, const char *value, Error *err);

/* To be proposed where the id of a game is taken. */
extern const WordList option_latest;

/* For a word with dashes. */
bool option_has_dashes(const Option *option);

/* How many words behind the option are its values. */
int option_value_count(const Option *option);

/* Reads `words` by the tables in `groups`, the rows of each into the target of the same index. The
 * word "--" ends the options; "--name=value" is one word. False and an Error that names the word
 * or the option, and says what was expected. */
bool options_read(const Option *const groups[OPTION_GROUPS_MAX], void *const targets[],
                  const char *const *words, int word_count, Error *err) MUST_CHECK;

/* Reads the option of `table` that words[0] is, with its values behind it. Returns how many words
 * that takes, 0: words[0] is no option of the table, -1: an Error. */
int option_try(const Option *table, void *target, const char *const *words, int word_count,
               Error *err) MUST_CHECK;
