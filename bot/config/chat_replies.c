/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/chat_replies.h"

#include <ctype.h>
#include <string.h>

static size_t parse_reply(void *item, const char *value, Error *err)
{
    ChatReply *reply = item;
    size_t len = strcspn(value, ":");
    const char *text = value + len + (value[len] == ':');
    text += strspn(text, " \t");
    size_t text_len = strlen(text);
    bool is_word = len > 0 && len < sizeof reply->word && value[len] == ':';
    for (size_t i = 0; i < len && is_word; i++) {
        is_word = isalnum((unsigned char)value[i]);
        reply->word[i] = (char)tolower((unsigned char)value[i]);
    }
    if (!is_word || text_len == 0 || text_len >= sizeof reply->text) {
        error_set(err, ERR_INVALID, "not WORD: TEXT, a word of letters and digits and what to say");
        return 0;
    }
    memcpy(reply->text, text, text_len + 1);
    return strlen(value);
}

static bool write_reply(const void *item, Buf *out)
{
    const ChatReply *reply = item;
    return buf_printf(out, "%s: %s", reply->word, reply->text);
}

static bool is_same_word(const void *a, const void *b)
{
    const ChatReply *one = a, *other = b;
    return strcmp(one->word, other->word) == 0;
}

const ListKind chat_replies_kind = { LIST_OF(ChatReplyList),
                                     "replies",
                                     " | ",
                                     LIST_MAY_BE_EMPTY,
                                     parse_reply,
                                     write_reply,
                                     is_same_word };
