/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/key.h"

#include "bot/config/did_you_mean.h"
#include "bot/model/ids.h"
#include "bot/ops/address.h"
#include "bot/ops/url.h"
#include "engine/base/number.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const KeySpec *key, const char *value, int64_t *out, Error *err)
{
    Error why = { 0 };
    if (number_parse(value, strlen(value), key->lo, key->hi, out, &why))
        return true;
    if (why.code == ERR_RANGE)
        error_set(err, ERR_RANGE, "not within %" PRId64 "..%" PRId64, key->lo, key->hi);
    else
        error_set(err, ERR_INVALID, "not a whole number%s",
                  key->kind == KEY_INT_AUTO ? ", nor \"auto\"" : "");
    return false;
}

static bool read_int(const KeySpec *key, void *out, const char *value, Error *err)
{
    int64_t number;
    if (!parse_number(key, value, &number, err))
        return false;
    *(int *)out = (int)number;
    return true;
}

static bool read_int_auto(const KeySpec *key, void *out, const char *value, Error *err)
{
    if (strcmp(value, "auto") != 0)
        return read_int(key, out, value, err);
    *(int *)out = CONFIG_AUTO;
    return true;
}

/* "opponent", "opponent+100", "opponent-50", or a number. */
static bool read_elo(const KeySpec *key, void *out, const char *value, Error *err)
{
    static const char word[] = "opponent";
    enum { WORD_LEN = sizeof word - 1 };
    int64_t apart = 0;
    if (strncmp(value, word, WORD_LEN) != 0)
        return read_int(key, out, value, err);
    const char *rest = value + WORD_LEN;
    if (*rest != '\0') {
        const char *digits = rest + 1;
        bool has_sign = *rest == '+' || *rest == '-';
        if (!has_sign || !number_parse(digits, strlen(digits), 0, ELO_APART_MAX, &apart, NULL)) {
            error_set(err, ERR_INVALID, "neither a rating nor opponent, opponent+N or opponent-N");
            return false;
        }
        apart = *rest == '-' ? -apart : apart;
    }
    *(int *)out = ELO_OPPONENT + (int)apart;
    return true;
}

static bool read_count(const KeySpec *key, void *out, const char *value, Error *err)
{
    return parse_number(key, value, out, err);
}

static bool read_bool(const KeySpec *key, void *out, const char *value, Error *err)
{
    (void)key;
    bool yes = strcmp(value, "yes") == 0;
    if (!yes && strcmp(value, "no") != 0) {
        error_set(err, ERR_INVALID, "neither yes nor no");
        return false;
    }
    *(bool *)out = yes;
    return true;
}

static bool read_text(const KeySpec *key, void *out, const char *value, Error *err)
{
    (void)key;
    size_t len = strlen(value);
    if (len >= CONFIG_TEXT_SIZE) {
        error_set(err, ERR_RANGE, "longer than %d bytes", CONFIG_TEXT_SIZE - 1);
        return false;
    }
    memcpy(out, value, len + 1);
    return true;
}

/* An origin as libcurl would write it, with or without a slash at the end. */
static bool read_url(const KeySpec *key, void *out, const char *value, Error *err)
{
    (void)key;
    char origin[CONFIG_TEXT_SIZE];
    if (!url_origin(origin, sizeof origin, value, err))
        return false;
    size_t len = strlen(origin);
    const char *rest = value + len;
    if (strncmp(value, origin, len) != 0 || (strcmp(rest, "") != 0 && strcmp(rest, "/") != 0)) {
        error_set(err, ERR_INVALID, "not a URL: https://host or https://host:port, no path");
        return false;
    }
    memcpy(out, origin, len + 1);
    return true;
}

static bool read_address(const KeySpec *key, void *out, const char *value, Error *err)
{
    Address address;
    return (strcmp(value, "off") == 0 || address_parse(&address, value, err)) &&
           read_text(key, out, value, err);
}

/* Cuts the next word off a list that commas or blanks separate; false at its end. */
static bool next_word(Text *list, char *word, size_t size)
{
    Text cut = text_next_word(list, ", \t");
    size_t kept = cut.len < size ? cut.len : size - 1;
    if (kept > 0)
        memcpy(word, cut.at, kept);
    word[kept] = '\0';
    return kept > 0;
}

/* NULL: that value cannot be configured. */
static const char *word_at(const WordList *words, int value)
{
    return words->without >> value & 1 ? NULL : words->words[value];
}

/* The enum value of `word`, or -1 and an Error that lists the words or names the nearest. */
static int find_word(const WordList *words, const char *word, Error *err)
{
    enum { MOST = 32 };
    const char *candidates[MOST];
    size_t count = 0;
    CHECK(words->count <= MOST);
    for (int i = 0; i < words->count; i++) {
        const char *candidate = word_at(words, i);
        if (candidate && strcmp(candidate, word) == 0)
            return i;
        if (candidate)
            candidates[count++] = candidate;
    }
    char list[CONFIG_TEXT_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        used += text_format(list + used, sizeof list - used, "%s%s", i ? ", " : "", candidates[i]);
    }
    const char *meant = did_you_mean(word, candidates, count);
    if (meant)
        error_set(err, ERR_INVALID, "\"%s\" is none of: %s; did you mean \"%s\"?", word, list,
                  meant);
    else
        error_set(err, ERR_INVALID, "\"%s\" is none of: %s", word, list);
    return -1;
}

static bool read_set(const KeySpec *key, void *out, const char *value, Error *err)
{
    uint32_t set = 0;
    char word[64];
    for (Text rest = text_of(value); next_word(&rest, word, sizeof word);) {
        int bit = find_word(key->words, word, err);
        if (bit < 0)
            return false;
        set |= 1u << bit;
    }
    if (set == 0) {
        error_set(err, ERR_INVALID, "an empty list");
        return false;
    }
    *(uint32_t *)out = set;
    return true;
}

static bool read_choice(const KeySpec *key, void *out, const char *value, Error *err)
{
    int found = find_word(key->words, value, err);
    if (found >= 0)
        *(int *)out = found;
    return found >= 0;
}

static bool read_sequence(const KeySpec *key, void *out, const char *value, Error *err)
{
    Sequence sequence = { 0 };
    char word[64];
    CHECK(key->words->count <= SEQUENCE_MAX);
    for (Text rest = text_of(value); next_word(&rest, word, sizeof word);) {
        int found = find_word(key->words, word, err);
        if (found < 0)
            return false;
        for (int i = 0; i < sequence.count; i++) {
            if (sequence.at[i] == found) {
                error_set(err, ERR_INVALID, "\"%s\" stands there twice", word);
                return false;
            }
        }
        sequence.at[sequence.count++] = found;
    }
    *(Sequence *)out = sequence;
    return true;
}

static bool read_users(const KeySpec *key, void *out, const char *value, Error *err)
{
    (void)key;
    UserList *list = out;
    char word[CONFIG_TEXT_SIZE];
    for (Text rest = text_of(value); next_word(&rest, word, sizeof word);) {
        if (!user_name_is_valid(text_of(word))) {
            error_set(err, ERR_INVALID, "\"%s\" is no user name", word);
            return false;
        }
    }
    bool ok = true;
    for (Text rest = text_of(value); ok && next_word(&rest, word, sizeof word);)
        ok = user_list_add(list, text_of(word), err);
    user_list_sort(list);
    return ok;
}

/* The address stands in logs and in the status, so no password may stand in it. */
static bool read_database(const KeySpec *key, void *out, const char *value, Error *err)
{
    static const char start[] = "postgresql://";
    size_t start_len = sizeof start - 1;
    if (value[0] == '\0')
        return read_text(key, out, value, err);
    if (strncmp(value, start, start_len) != 0) {
        error_set(err, ERR_INVALID, "not an address that begins with %s", start);
        return false;
    }
    Text authority = { value + start_len, strcspn(value + start_len, "/?") };
    const char *colon = memchr(authority.at, ':', authority.len);
    bool has_password = colon && memchr(colon, '@', (size_t)(authority.at + authority.len - colon));
    if (has_password || strcasestr(value, "password")) {
        error_set(err, ERR_INVALID,
                  "no password may stand here: it belongs into ~/.pgpass, or with systemd into the "
                  "credential archive-password");
        return false;
    }
#ifdef CASTLED_WITHOUT_POSTGRES
    error_set(err, ERR_INVALID,
              "this castled was built without PostgreSQL: take the Debian package, or build it "
              "with -DCASTLED_POSTGRES=ON");
    return false;
#endif
    return read_text(key, out, value, err);
}

static bool read_webhook(const KeySpec *key, void *out, const char *value, Error *err)
{
    char origin[CONFIG_TEXT_SIZE];
    return (value[0] == '\0' || url_origin(origin, sizeof origin, value, err)) &&
           read_text(key, out, value, err);
}

static bool read_clocks(const KeySpec *key, void *out, const char *value, Error *err)
{
    ClockList clocks = { 0 };
    if (!value_list_read(&clocks_kind, &clocks, value, err) ||
        (key->lo > 0 && !clocks_exist(&clocks, err)))
        return false;
    *(ClockList *)out = clocks;
    return true;
}

static bool read_range(const KeySpec *key, void *out, const char *value, Error *err)
{
    return range_read(out, value, (int)key->lo, (int)key->hi, err);
}

static bool write_int(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    return buf_printf(out, "%d", *(const int *)value);
}

static bool write_int_auto(const KeySpec *key, const void *value, Buf *out)
{
    return *(const int *)value == CONFIG_AUTO ? buf_put_text(out, "auto")
                                              : write_int(key, value, out);
}

static bool write_elo(const KeySpec *key, const void *value, Buf *out)
{
    int elo = *(const int *)value;
    if (!elo_follows_opponent(elo))
        return write_int(key, value, out);
    return buf_put_text(out, "opponent") &&
           (elo == ELO_OPPONENT || buf_printf(out, "%+d", elo - ELO_OPPONENT));
}

static bool write_count(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    return buf_printf(out, "%" PRId64, *(const int64_t *)value);
}

static bool write_bool(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    return buf_put_text(out, *(const bool *)value ? "yes" : "no");
}

/* Chat services put a secret into the path. */
static bool write_webhook(const KeySpec *key, const void *value, Buf *out)
{
    char origin[CONFIG_TEXT_SIZE];
    (void)key;
    return ((const char *)value)[0] == '\0' ||
           (url_origin(origin, sizeof origin, value, NULL) && buf_printf(out, "%s/…", origin));
}

static bool write_text(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    return buf_put_text(out, value);
}

static bool write_set(const KeySpec *key, const void *value, Buf *out)
{
    bool first = true;
    for (int i = 0; i < key->words->count; i++) {
        if (!config_set_has(*(const uint32_t *)value, i))
            continue;
        if (!buf_printf(out, "%s%s", first ? "" : ", ", word_at(key->words, i)))
            return false;
        first = false;
    }
    return true;
}

static bool write_choice(const KeySpec *key, const void *value, Buf *out)
{
    return buf_put_text(out, word_at(key->words, *(const int *)value));
}

static bool write_sequence(const KeySpec *key, const void *value, Buf *out)
{
    const Sequence *sequence = value;
    for (int i = 0; i < sequence->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", word_at(key->words, sequence->at[i])))
            return false;
    return true;
}

static bool write_users(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    const UserList *list = value;
    for (size_t i = 0; i < list->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", list->ids[i]))
            return false;
    return true;
}

static bool write_range(const KeySpec *key, const void *value, Buf *out)
{
    (void)key;
    const IntRange *range = value;
    return buf_printf(out, "%d..%d", range->lo, range->hi);
}

static bool write_limits(const KeySpec *key, Buf *out)
{
    return buf_printf(out, " (%" PRId64 "..%" PRId64 ")", key->lo, key->hi);
}

static bool write_limits_elo(const KeySpec *key, Buf *out)
{
    return buf_printf(out, " (%" PRId64 "..%" PRId64 " or opponent, opponent+100, opponent-100)",
                      key->lo, key->hi);
}

static bool write_limits_auto(const KeySpec *key, Buf *out)
{
    return buf_printf(out, " (auto or %" PRId64 "..%" PRId64 ")", key->lo, key->hi);
}

static bool write_yes_no(const KeySpec *key, Buf *out)
{
    (void)key;
    return buf_put_text(out, " (yes, no)");
}

static bool write_words(const WordList *words, const char *how_many, Buf *out)
{
    bool first = true;
    if (!buf_printf(out, " (%s of: ", how_many))
        return false;
    for (int i = 0; i < words->count; i++) {
        const char *word = word_at(words, i);
        if (word && !buf_printf(out, "%s%s", first ? "" : ", ", word))
            return false;
        first = first && !word;
    }
    return buf_put_char(out, ')');
}

static bool write_some_of(const KeySpec *key, Buf *out)
{
    return write_words(key->words, "some", out);
}

static bool write_one_of(const KeySpec *key, Buf *out)
{
    return write_words(key->words, "one", out);
}

static bool write_reply_form(const KeySpec *key, Buf *out)
{
    (void)key;
    return buf_put_text(out, " (WORD: TEXT)");
}

static bool write_tournament_form(const KeySpec *key, Buf *out)
{
    (void)key;
    return buf_put_text(out, " (ID or address, password=WORD, team=ID)");
}

static void release_users(void *value)
{
    user_list_release(value);
}

typedef struct {
    KeyTraits traits;
    bool (*read)(const KeySpec *key, void *value, const char *text, Error *err);
    bool (*write)(const KeySpec *key, const void *value, Buf *out);
    bool (*write_choices)(const KeySpec *key, Buf *out); /* NULL: any text may stand there */
    void (*release)(void *value);                        /* NULL: a plain value */
    const ListKind *list; /* how it is read and written where there are no functions of its own */
} KeyType;

// clang-format off
static const KeyType types[] = {
    [KEY_INT] = { .traits = { .size = sizeof(int) }, .read = read_int, .write = write_int, .write_choices = write_limits },
    [KEY_INT_AUTO] = { .traits = { .size = sizeof(int) }, .read = read_int_auto, .write = write_int_auto, .write_choices = write_limits_auto },
    [KEY_ELO] = { .traits = { .size = sizeof(int) }, .read = read_elo, .write = write_elo, .write_choices = write_limits_elo },
    [KEY_COUNT] = { .traits = { .size = sizeof(int64_t) }, .read = read_count, .write = write_count, .write_choices = write_limits },
    [KEY_BOOL] = { .traits = { .size = sizeof(bool) }, .read = read_bool, .write = write_bool, .write_choices = write_yes_no },
    [KEY_TEXT] = { .traits = { .size = CONFIG_TEXT_SIZE, .is_private = true }, .read = read_text, .write = write_text },
    [KEY_ADDRESS] = { .traits = { .size = CONFIG_TEXT_SIZE }, .read = read_address, .write = write_text },
    [KEY_URL] = { .traits = { .size = CONFIG_TEXT_SIZE }, .read = read_url, .write = write_text },
    [KEY_WEBHOOK] = { .traits = { .size = CONFIG_TEXT_SIZE, .is_private = true, .may_hold_secret = true },
        .read = read_webhook, .write = write_webhook },
    [KEY_DATABASE] = { .traits = { .size = CONFIG_TEXT_SIZE, .is_private = true, .may_hold_secret = true },
        .read = read_database, .write = write_text },
    [KEY_SET] = { .traits = { .size = sizeof(uint32_t) }, .read = read_set, .write = write_set, .write_choices = write_some_of },
    [KEY_CHOICE] = { .traits = { .size = sizeof(int) }, .read = read_choice, .write = write_choice, .write_choices = write_one_of },
    [KEY_SEQUENCE] = { .traits = { .size = sizeof(Sequence) }, .read = read_sequence, .write = write_sequence, .write_choices = write_some_of },
    [KEY_USERS] = { .traits = { .size = sizeof(UserList), .adds_up = true, .is_private = true },
        .read = read_users, .write = write_users, .release = release_users },
    [KEY_POSITIONS] = { .traits = { .size = sizeof(PositionList), .adds_up = true },
        .list = &positions_kind },
    [KEY_REPLIES] = { .traits = { .size = sizeof(ChatReplyList), .adds_up = true, .is_private = true },
        .write_choices = write_reply_form, .list = &chat_replies_kind },
    [KEY_TOURNAMENTS] = { .traits = { .size = sizeof(ArenaSpecList), .adds_up = true, .is_private = true,
          .may_hold_secret = true },
        .write_choices = write_tournament_form, .list = &arena_specs_kind },
    [KEY_TEAMS] = { .traits = { .size = sizeof(TeamList), .adds_up = true, .is_private = true },
        .list = &team_list_kind },
    [KEY_URLS] = { .traits = { .size = sizeof(UrlList), .adds_up = true, .is_private = true },
        .list = &url_list_kind },
    [KEY_CLOCKS] = { .traits = { .size = sizeof(ClockList) }, .read = read_clocks, .list = &clocks_kind },
    [KEY_RANGE] = { .traits = { .size = sizeof(IntRange) }, .read = read_range, .write = write_range, .write_choices = write_limits },
};
// clang-format on

const KeyTraits *key_traits(const KeySpec *key)
{
    return &types[key->kind].traits;
}

bool key_read(const KeySpec *key, void *value, const char *text, Error *err)
{
    const KeyType *type = &types[key->kind];
    return type->read ? type->read(key, value, text, err)
                      : value_list_read(type->list, value, text, err);
}

bool key_write(const KeySpec *key, const void *value, Buf *out)
{
    const KeyType *type = &types[key->kind];
    return type->write ? type->write(key, value, out) : value_list_write(type->list, value, out);
}

void key_release(const KeySpec *key, void *value)
{
    if (types[key->kind].release)
        types[key->kind].release(value);
}

void key_lend(const KeySpec *key, void *to, const void *value)
{
    memcpy(to, value, types[key->kind].traits.size);
}

bool key_set(const KeySpec *key, void *object, const char *text, Error *err)
{
    return key_read(key, (char *)object + key->offset, text, err);
}

bool key_write_choices(const KeySpec *key, Buf *out)
{
    return !types[key->kind].write_choices || types[key->kind].write_choices(key, out);
}
