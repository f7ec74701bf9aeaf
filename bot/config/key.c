/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/key.h"

#include "bot/config/did_you_mean.h"
#include "bot/ops/address.h"
#include "engine/base/number.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_number(const KeySpec *key, const char *value, int64_t *out, Error *err)
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

static bool set_bool(bool *out, const char *value, Error *err)
{
    bool yes = strcmp(value, "yes") == 0;
    if (!yes && strcmp(value, "no") != 0) {
        error_set(err, ERR_INVALID, "neither yes nor no");
        return false;
    }
    *out = yes;
    return true;
}

static bool set_text(char *out, const char *value, Error *err)
{
    size_t len = strlen(value);
    if (len >= CONFIG_TEXT_SIZE) {
        error_set(err, ERR_RANGE, "longer than %d bytes", CONFIG_TEXT_SIZE - 1);
        return false;
    }
    memcpy(out, value, len + 1);
    return true;
}

static bool is_loopback(const char *host, size_t len)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (len == strlen(names[i]) && memcmp(host, names[i], len) == 0)
            return true;
    return false;
}

/* scheme://host[:port], with or without a slash at the end. */
static bool set_url(char *out, const char *value, Error *err)
{
    static const char secure[] = "https://", plain[] = "http://";
    bool is_secure = strncmp(value, secure, sizeof secure - 1) == 0;
    if (!is_secure && strncmp(value, plain, sizeof plain - 1) != 0) {
        error_set(err, ERR_INVALID, "not a URL: it must begin with https://");
        return false;
    }
    const char *host = value + (is_secure ? sizeof secure : sizeof plain) - 1;
    size_t host_len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    size_t len = strlen(value);
    const char *end = value + len;
    if (len > 0 && end[-1] == '/')
        end--;
    if (host + host_len > end || host_len == 0) {
        error_set(err, ERR_INVALID, "not a URL: https://host or https://host:port");
        return false;
    }
    for (const char *c = host; c < end; c++) {
        if (!isalnum((unsigned char)*c) && !strchr(".-:[]", *c)) {
            error_set(err, ERR_INVALID, "not a URL: https://host or https://host:port, no path");
            return false;
        }
    }
    const char *port = host + host_len;
    int64_t number;
    if (port < end && (*port != ':' || !number_parse(port + 1, (size_t)(end - port - 1), 1, 65535,
                                                     &number, NULL))) {
        error_set(err, ERR_INVALID, "not a URL: its port is not within 1..65535");
        return false;
    }
    if (!is_secure && !is_loopback(host, host_len)) {
        error_set(err, ERR_INVALID, "the token travels by https:// only (http:// is for loopback)");
        return false;
    }
    if ((size_t)(end - value) >= CONFIG_TEXT_SIZE) {
        error_set(err, ERR_RANGE, "longer than %d bytes", CONFIG_TEXT_SIZE - 1);
        return false;
    }
    memcpy(out, value, (size_t)(end - value));
    out[end - value] = '\0';
    return true;
}

static bool set_address(char *out, const char *value, Error *err)
{
    Address address;
    return (strcmp(value, "off") == 0 || address_parse(&address, value, err)) &&
           set_text(out, value, err);
}

/* Cuts the next word off a list that commas or blanks separate; false at its end. */
static bool next_word(const char **list, char *word, size_t size, size_t *len)
{
    *list += strspn(*list, ", \t");
    *len = strcspn(*list, ", \t");
    if (*len == 0)
        return false;
    size_t kept = *len < size ? *len : size - 1;
    memcpy(word, *list, kept);
    word[kept] = '\0';
    *list += *len;
    return true;
}

/* The enum value of `word`, or -1 and an Error that lists the words or names the nearest. */
static int find_word(const WordList *words, const char *word, Error *err)
{
    enum { MOST = 32 };
    const char *candidates[MOST];
    size_t count = 0;
    assert(words->count <= MOST);
    for (int i = 0; i < words->count; i++) {
        const char *candidate = words->word(i);
        if (candidate && strcmp(candidate, word) == 0)
            return i;
        if (candidate)
            candidates[count++] = candidate;
    }
    char list[CONFIG_TEXT_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", candidates[i]);
        used += n > 0 ? (size_t)n : 0;
        assert(used < sizeof list);
    }
    const char *meant = did_you_mean(word, candidates, count);
    if (meant)
        error_set(err, ERR_INVALID, "\"%s\" is none of: %s; did you mean \"%s\"?", word, list,
                  meant);
    else
        error_set(err, ERR_INVALID, "\"%s\" is none of: %s", word, list);
    return -1;
}

static bool set_set(const KeySpec *key, uint32_t *out, const char *value, Error *err)
{
    uint32_t set = 0;
    char word[64];
    size_t len;
    while (next_word(&value, word, sizeof word, &len)) {
        int bit = find_word(key->words, word, err);
        if (bit < 0)
            return false;
        set |= 1u << bit;
    }
    if (set == 0) {
        error_set(err, ERR_INVALID, "an empty list");
        return false;
    }
    *out = set;
    return true;
}

static bool set_choice(const KeySpec *key, int *out, const char *value, Error *err)
{
    int found = find_word(key->words, value, err);
    if (found >= 0)
        *out = found;
    return found >= 0;
}

static bool set_sequence(const KeySpec *key, Sequence *out, const char *value, Error *err)
{
    Sequence sequence = { 0 };
    char word[64];
    size_t len;
    assert(key->words->count <= SEQUENCE_MAX);
    while (next_word(&value, word, sizeof word, &len)) {
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
    *out = sequence;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool user_list_add(UserList *list, const char *id, Error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->ids[i], id) == 0)
            return true;
    if (list->count >= CONFIG_USERS_MAX) {
        error_set(err, ERR_RANGE, "more than %d users", CONFIG_USERS_MAX);
        return false;
    }
    char **ids = realloc(list->ids, (list->count + 1) * sizeof *ids);
    char *copy = strdup(id);
    if (ids)
        list->ids = ids;
    if (!ids || !copy) {
        free(copy);
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    list->ids[list->count++] = copy;
    qsort(list->ids, list->count, sizeof *list->ids, compare_ids);
    return true;
}

/* Lichess's names: letters, digits, '-' and '_'. */
static bool user_name_is_valid(const char *name, size_t len)
{
    if (len < 2 || len > 30)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
            return false;
    return true;
}

static bool set_users(UserList *list, const char *value, Error *err)
{
    char word[CONFIG_TEXT_SIZE];
    size_t len;
    for (const char *rest = value; next_word(&rest, word, sizeof word, &len);) {
        if (!user_name_is_valid(word, len)) {
            error_set(err, ERR_INVALID, "\"%s\" is no user name", word);
            return false;
        }
    }
    while (next_word(&value, word, sizeof word, &len)) {
        for (char *c = word; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (!user_list_add(list, word, err))
            return false;
    }
    return true;
}

bool key_set(const KeySpec *key, void *object, const char *value, Error *err)
{
    char *at = (char *)object + key->offset;
    int64_t number;
    switch (key->kind) {
    case KEY_INT_AUTO:
        if (strcmp(value, "auto") == 0) {
            *(int *)(void *)at = CONFIG_AUTO;
            return true;
        }
        /* fallthrough */
    case KEY_INT:
        if (!set_number(key, value, &number, err))
            return false;
        *(int *)(void *)at = (int)number;
        return true;
    case KEY_COUNT:
        return set_number(key, value, (int64_t *)(void *)at, err);
    case KEY_BOOL:
        return set_bool((bool *)(void *)at, value, err);
    case KEY_TEXT:
        return set_text(at, value, err);
    case KEY_ADDRESS:
        return set_address(at, value, err);
    case KEY_URL:
        return set_url(at, value, err);
    case KEY_SET:
        return set_set(key, (uint32_t *)(void *)at, value, err);
    case KEY_CHOICE:
        return set_choice(key, (int *)(void *)at, value, err);
    case KEY_SEQUENCE:
        return set_sequence(key, (Sequence *)(void *)at, value, err);
    case KEY_USERS:
        return set_users((UserList *)(void *)at, value, err);
    case KEY_POSITIONS:
        return positions_read((PositionList *)(void *)at, value, err);
    case KEY_REPLIES:
        return chat_replies_read((ChatReplyList *)(void *)at, value, err);
    case KEY_ARENAS:
        return tournament_specs_read((TournamentSpecList *)(void *)at, value, err);
    case KEY_LINKS:
        return url_list_read((UrlList *)(void *)at, value, err);
    case KEY_CLOCKS:
        return clocks_read((ClockList *)(void *)at, value, err);
    case KEY_RANGE:
        return range_read((IntRange *)(void *)at, value, (int)key->lo, (int)key->hi, err);
    }
    return false;
}

static bool write_set(const KeySpec *key, uint32_t set, Buf *out)
{
    bool first = true;
    for (int i = 0; i < key->words->count; i++) {
        if (!config_set_has(set, i))
            continue;
        if (!buf_printf(out, "%s%s", first ? "" : ", ", key->words->word(i)))
            return false;
        first = false;
    }
    return true;
}

static bool write_sequence(const KeySpec *key, const Sequence *sequence, Buf *out)
{
    for (int i = 0; i < sequence->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", key->words->word(sequence->at[i])))
            return false;
    return true;
}

static bool write_users(const UserList *list, Buf *out)
{
    for (size_t i = 0; i < list->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", list->ids[i]))
            return false;
    return true;
}

bool key_write(const KeySpec *key, const void *object, Buf *out)
{
    const char *at = (const char *)object + key->offset;
    switch (key->kind) {
    case KEY_INT_AUTO:
        if (*(const int *)(const void *)at == CONFIG_AUTO)
            return buf_put_text(out, "auto");
        /* fallthrough */
    case KEY_INT:
        return buf_printf(out, "%d", *(const int *)(const void *)at);
    case KEY_COUNT:
        return buf_printf(out, "%" PRId64, *(const int64_t *)(const void *)at);
    case KEY_BOOL:
        return buf_put_text(out, *(const bool *)(const void *)at ? "yes" : "no");
    case KEY_TEXT:
    case KEY_ADDRESS:
    case KEY_URL:
        return buf_put_text(out, at);
    case KEY_SET:
        return write_set(key, *(const uint32_t *)(const void *)at, out);
    case KEY_CHOICE:
        return buf_put_text(out, key->words->word(*(const int *)(const void *)at));
    case KEY_SEQUENCE:
        return write_sequence(key, (const Sequence *)(const void *)at, out);
    case KEY_USERS:
        return write_users((const UserList *)(const void *)at, out);
    case KEY_POSITIONS:
        return positions_write((const PositionList *)(const void *)at, out);
    case KEY_REPLIES:
        return chat_replies_write((const ChatReplyList *)(const void *)at, out);
    case KEY_ARENAS:
        return tournament_specs_write((const TournamentSpecList *)(const void *)at, out);
    case KEY_LINKS:
        return url_list_write((const UrlList *)(const void *)at, out);
    case KEY_CLOCKS:
        return clocks_write((const ClockList *)(const void *)at, out);
    case KEY_RANGE:
        return buf_printf(out, "%d..%d", ((const IntRange *)(const void *)at)->lo,
                          ((const IntRange *)(const void *)at)->hi);
    }
    return false;
}

bool key_adds_up(const KeySpec *key)
{
    return key->kind == KEY_USERS || key->kind == KEY_POSITIONS || key->kind == KEY_REPLIES ||
           key->kind == KEY_ARENAS || key->kind == KEY_LINKS;
}

static size_t value_size(KeyKind kind)
{
    switch (kind) {
    case KEY_INT:
    case KEY_INT_AUTO:
    case KEY_CHOICE:
        return sizeof(int);
    case KEY_COUNT:
        return sizeof(int64_t);
    case KEY_BOOL:
        return sizeof(bool);
    case KEY_TEXT:
    case KEY_ADDRESS:
    case KEY_URL:
        return CONFIG_TEXT_SIZE;
    case KEY_SET:
        return sizeof(uint32_t);
    case KEY_SEQUENCE:
        return sizeof(Sequence);
    case KEY_USERS:
        return sizeof(UserList);
    case KEY_POSITIONS:
        return sizeof(PositionList);
    case KEY_REPLIES:
        return sizeof(ChatReplyList);
    case KEY_ARENAS:
        return sizeof(TournamentSpecList);
    case KEY_LINKS:
        return sizeof(UrlList);
    case KEY_CLOCKS:
        return sizeof(ClockList);
    case KEY_RANGE:
        return sizeof(IntRange);
    }
    return 0;
}

void key_copy(const KeySpec *key, void *to, const void *from)
{
    memcpy((char *)to + key->offset, (const char *)from + key->offset, value_size(key->kind));
}

static bool write_words(const WordList *words, Buf *out)
{
    bool first = true;
    for (int i = 0; i < words->count; i++) {
        const char *word = words->word(i);
        if (word && !buf_printf(out, "%s%s", first ? "" : ", ", word))
            return false;
        first = first && !word;
    }
    return true;
}

bool key_write_choices(const KeySpec *key, Buf *out)
{
    switch (key->kind) {
    case KEY_INT:
    case KEY_INT_AUTO:
    case KEY_COUNT:
    case KEY_RANGE:
        return buf_printf(out, " (%s%" PRId64 "..%" PRId64 ")",
                          key->kind == KEY_INT_AUTO ? "auto or " : "", key->lo, key->hi);
    case KEY_BOOL:
        return buf_put_text(out, " (yes, no)");
    case KEY_SET:
    case KEY_SEQUENCE:
        return buf_put_text(out, " (some of: ") && write_words(key->words, out) &&
               buf_put_char(out, ')');
    case KEY_CHOICE:
        return buf_put_text(out, " (one of: ") && write_words(key->words, out) &&
               buf_put_char(out, ')');
    case KEY_TEXT:
    case KEY_ADDRESS:
    case KEY_URL:
    case KEY_USERS:
    case KEY_POSITIONS:
    case KEY_LINKS:
    case KEY_CLOCKS:
        return true;
    case KEY_REPLIES:
        return buf_put_text(out, " (WORD: TEXT)");
    case KEY_ARENAS:
        return buf_put_text(out, " (ID or address, password=WORD, team=ID)");
    }
    return false;
}
