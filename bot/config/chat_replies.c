/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/chat_replies.h"

#include <ctype.h>
#include <string.h>

bool chat_replies_read(ChatReplyList *list, const char *value, Error *err)
{
    ChatReply reply = { .word = "" };
    if (value[0] == '\0')
        return true;
    size_t len = strcspn(value, ":");
    const char *text = value + len + (value[len] == ':');
    text += strspn(text, " \t");
    size_t text_len = strlen(text);
    bool is_word = len > 0 && len < sizeof reply.word && value[len] == ':';
    for (size_t i = 0; i < len && is_word; i++) {
        is_word = isalnum((unsigned char)value[i]);
        reply.word[i] = (char)tolower((unsigned char)value[i]);
    }
    if (!is_word || text_len == 0 || text_len >= sizeof reply.text) {
        error_set(err, ERR_INVALID, "not WORD: TEXT, a word of letters and digits and what to say");
        return false;
    }
    memcpy(reply.text, text, text_len + 1);
    int at = 0;
    while (at < list->count && strcmp(list->at[at].word, reply.word) != 0)
        at++;
    if (at == CHAT_REPLIES_MAX) {
        error_set(err, ERR_RANGE, "more than %d replies", CHAT_REPLIES_MAX);
        return false;
    }
    list->at[at] = reply;
    list->count += at == list->count;
    return true;
}

bool chat_replies_write(const ChatReplyList *list, Buf *out)
{
    for (int i = 0; i < list->count; i++)
        if (!buf_printf(out, "%s%s: %s", i ? " | " : "", list->at[i].word, list->at[i].text))
            return false;
    return true;
}
