/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stranger's line in the chat, and the server's list of what was said: each answer is made of
 * lines that Lichess takes. */
#include "bot/policy/talk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const TalkLines *lines)
{
    if (lines->count < 0 || lines->count > TALK_LINES_MAX)
        abort();
    for (int i = 0; i < lines->count; i++)
        if (strlen(lines->at[i]) == 0 || strlen(lines->at[i]) >= TALK_LINE_SIZE)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ChatSettings settings = { .enabled = true, .commands = (1U << CHAT_COMMAND_COUNT) - 1 };
    char text[4096] = "";
    size_t len = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, len);
    static const GameSettings config;
    TalkFacts facts = { .me = "me",
                        .opponent = text,
                        .engine = "e",
                        .program = "p",
                        .version = "v",
                        .cpu = "c",
                        .ram = "r",
                        .score = "",
                        .move = "",
                        .reply = "",
                        .level = "1500",
                        .performance = "not known yet",
                        .wish = "",
                        .settings = &config };
    ChatLine said = { .is_player_room = size % 2,
                      .username = text_of("alba"),
                      .text = { text, len } };
    Talk talk = { 0 };
    TalkLines lines;
    bool has_spoken;
    (void)value_list_read(&chat_replies_kind, &settings.replies, text, NULL);
    talk_answer(&talk, &settings, &facts, &said, "castled-bot", 0, &lines);
    check(&lines);
    talk_fill(text, &facts, &lines);
    check(&lines);
    (void)talk_asks_for_analysis(&said, "alba");
    (void)chat_has_line_by((Text){ text, len }, "castled-bot", &has_spoken);
    return 0;
}
