/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat_replies.h - what the operator lets castled answer to a word of the chat. Plain values. */
#pragma once
#include "bot/config/value_list.h"

enum { CHAT_REPLIES_MAX = 16, CHAT_WORD_SIZE = 24, CHAT_REPLY_SIZE = 190 };

typedef struct {
    char word[CHAT_WORD_SIZE]; /* lower-case letters and digits */
    char text[CHAT_REPLY_SIZE];
} ChatReply;

typedef struct {
    int count;
    ChatReply at[CHAT_REPLIES_MAX];
} ChatReplyList;

/* "WORD: TEXT", in place of an earlier one for the same word. Several are written for a reader, not
 * to be read again. */
extern const ListKind chat_replies_kind;
