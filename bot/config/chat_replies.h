/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat_replies.h - what the operator lets castled answer to a word of the chat. Plain values. */
#pragma once
#include "engine/base/buf.h"

enum { CHAT_REPLIES_MAX = 16, CHAT_WORD_SIZE = 24, CHAT_REPLY_SIZE = 190 };

typedef struct {
    char word[CHAT_WORD_SIZE]; /* lower-case letters and digits */
    char text[CHAT_REPLY_SIZE];
} ChatReply;

typedef struct {
    int count;
    ChatReply at[CHAT_REPLIES_MAX];
} ChatReplyList;

/* Adds "WORD: TEXT", in place of an earlier one for the same word; nothing for
 * "". False, an Error and the list
 * untouched when it is none. */
bool chat_replies_read(ChatReplyList *list, const char *value, Error *err) MUST_CHECK;

/* One line, or several with " | " between them: for a reader, not to be read again. */
bool chat_replies_write(const ChatReplyList *list, Buf *out) MUST_CHECK;
