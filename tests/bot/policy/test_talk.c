/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/talk.h"
#include "tests/support/unit.h"

static const GameSettings game_settings = {
    .games.takebacks = 3,
    .challenge = { .accept = true,
                   .variants = 1U << VARIANT_STANDARD | 1U << VARIANT_ATOMIC | 1U << VARIANT_HORDE,
                   .speeds = 1U << SPEED_BLITZ | 1U << SPEED_RAPID,
                   .modes = 1U << MODE_CASUAL,
                   .min_base_s = 180,
                   .max_base_s = 900,
                   .max_increment_s = 10 },
    .draw = { .offer = true, .accept = true, .from_move = 35, .pieces = 14, .moves = 8 },
};

static const TalkFacts facts = { .me = "Castled-Bot",
                                 .opponent = "Alba",
                                 .engine = "castled 1.0",
                                 .program = "castled",
                                 .version = "0.1.0",
                                 .cpu = "AMD EPYC",
                                 .ram = "24 GiB",
                                 .score = "+0.35",
                                 .move = "Nf3",
                                 .reply = "Nc6",
                                 .depth = 18,
                                 .waiting = 2,
                                 .lag_ms = 45,
                                 .settings = &game_settings,
                                 .takebacks = 1,
                                 .level = "1500",
                                 .performance = "1873 in 214 games",
                                 .wish = "As you wish." };

static ChatSettings all_on(void)
{
    ChatSettings settings = { .enabled = true, .commands = (1U << CHAT_COMMAND_COUNT) - 1 };
    assert_true(value_list_read(&chat_replies_kind, &settings.replies,
                                "Rules: Play fair, {opponent}.", NULL));
    return settings;
}

/* The answer as one text, lines parted by '|'. */
static const char *answer(char out[1000], const ChatSettings *settings, bool is_player,
                          const char *user, const char *text)
{
    Talk talk = { 0 };
    TalkLines lines;
    ChatLine said = { .is_player_room = is_player,
                      .username = text_of(user),
                      .text = text_of(text) };
    talk_answer(&talk, settings, &facts, &said, "castled-bot", 1000, &lines);
    out[0] = '\0';
    size_t len = 0;
    for (int i = 0; i < lines.count; i++)
        len += (size_t)snprintf(out + len, 1000 - len, "%s%s", i ? "|" : "", lines.at[i]);
    return out;
}

TEST(each_command_has_its_answer)
{
    static const struct {
        bool is_player;
        const char *user, *said, *answer;
    } rows[] = {
        { true, "Alba", "!help",
          "I understand !help !engine !queue !ping !analysis !challenge !variants !draw !takeback "
          "!name !level !again !odds !rules" },
        { false, "Alba", "!help",
          "I understand !help !eval !pv !engine !queue !ping !challenge !variants !draw !takeback "
          "!name "
          "!rules" },
        { true, "Alba", "!help ping", "!ping: how long my moves take to the server" },
        { true, "Alba", "!Help  !PING now", "!ping: how long my moves take to the server" },
        { true, "Alba", "!help takeback", "!takeback: how many takebacks I grant" },
        { true, "Alba", "!challenge",
          "I take challenges to blitz and rapid, casual, from 180 to 900 s with 0 to 10 s a "
          "move." },
        { true, "Alba", "!variants", "I play standard, atomic and horde." },
        { true, "Alba", "!draw",
          "I offer and accept draws from move 35 on, with 14 pieces or fewer, after 8 level "
          "moves." },
        { true, "Alba", "!takeback", "Takebacks that I grant in a game: 3; so far: 1." },
        { true, "Alba", "!name", "Castled-Bot running castled (castled 0.1.0)" },
        { false, "Alba", "!eval", "+0.35 at depth 18" },
        { true, "Alba", "!eval", "" }, /* not to the opponent */
        { false, "Alba", "!pv", "Nf3, and I expect Nc6" },
        { true, "Alba", "!pv", "" },
        { true, "Alba", "!engine", "castled 1.0" },
        { true, "Alba", "!ENGINE please", "castled 1.0" },
        { true, "Alba", "!queue", "2 challenges are waiting." },
        { true, "Alba", "!ping", "Pong: my moves take 45 ms to the server." },
        { true, "Alba", "!analysis", "When the game is over I tell its turning points here." },
        { false, "Alba", "!analysis", "" }, /* only to the opponent */
        { true, "Alba", "!odds queen", "As you wish." },
        { true, "Alba", "!level 1500", "As you wish." },
        { true, "Alba", "!again", "As you wish." },
        { false, "Alba", "!again", "" }, /* only by the opponent */
        { true, "Alba", "!rules", "Play fair, Alba." },
        { true, "Alba", "hello", "" },
        { true, "Alba", "!", "" },
        { true, "Alba", "", "" },
        { true, "Alba", " !help", "" },
        { true, "Alba", "!nonsense", "" },
        { true, "Alba", "!helpaveryverylongwordthatnooneknows", "" },
        { true, "lichess", "!help", "" },     /* the server's notices */
        { true, "Castled-Bot", "!help", "" }, /* our own words come back */
        { true, "castled-bot", "!help", "" },
    };
    ChatSettings settings = all_on();
    char out[1000];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        answer(out, &settings, rows[i].is_player, rows[i].user, rows[i].said);
        if (strcmp(out, rows[i].answer) != 0)
            fail_msg("%s said \"%s\": \"%s\"", rows[i].user, rows[i].said, out);
    }
}

TEST(only_what_is_on_is_answered)
{
    ChatSettings settings = all_on();
    char out[1000];
    settings.commands = 1U << CHAT_HELP;
    assert_string_equal(answer(out, &settings, true, "Alba", "!ping"), "");
    assert_string_equal(answer(out, &settings, true, "Alba", "!help"), "I understand !help !rules");
    settings.enabled = false;
    assert_string_equal(answer(out, &settings, true, "Alba", "!help"), "");
    assert_string_equal(answer(out, &settings, true, "Alba", "!rules"), "");
}

TEST(who_is_muted_gets_no_answer_at_all)
{
    static const char *const said[] = { "!help", "!rules", "!queue" };
    ChatSettings settings = all_on();
    TalkFacts of_muted = facts;
    of_muted.is_muted = true;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        Talk talk = { 0 };
        TalkLines lines;
        ChatLine line = { .is_player_room = true,
                          .username = text_of("Alba"),
                          .text = text_of(said[i]) };
        talk_answer(&talk, &settings, &of_muted, &line, "castled-bot", 1000, &lines);
        assert_int_equal(lines.count, 0);
        talk_answer(&talk, &settings, &facts, &line, "castled-bot", 1000, &lines);
        assert_int_equal(lines.count, 1); /* and others need not wait for it */
    }
}

TEST(an_operators_reply_goes_before_ours)
{
    ChatSettings settings = all_on();
    char out[1000];
    assert_true(value_list_read(&chat_replies_kind, &settings.replies, "ENGINE: a secret", NULL));
    assert_string_equal(answer(out, &settings, true, "Alba", "!engine"), "a secret");
}

TEST(answers_keep_their_distance_and_end)
{
    Talk talk = { 0 };
    TalkLines lines;
    ChatSettings settings = all_on();
    ChatLine said = { .is_player_room = true,
                      .username = text_of("Alba"),
                      .text = text_of("!ping") };
    talk_answer(&talk, &settings, &facts, &said, "castled-bot", 1000, &lines);
    assert_int_equal(lines.count, 1);
    talk_answer(&talk, &settings, &facts, &said, "castled-bot", 1000 + TALK_GAP_MS - 1, &lines);
    assert_int_equal(lines.count, 0);
    int64_t now = 1000;
    int answered = 1;
    for (int i = 0; i < 2 * TALK_ANSWERS_MAX; i++) {
        now += TALK_GAP_MS;
        talk_answer(&talk, &settings, &facts, &said, "castled-bot", now, &lines);
        answered += lines.count;
    }
    assert_int_equal(answered, TALK_ANSWERS_MAX);
}

TEST(what_is_not_known_is_said)
{
    Talk talk = { 0 };
    TalkLines lines;
    ChatSettings settings = all_on();
    TalkFacts none = { .score = "-", .move = "", .reply = "" };
    ChatLine said = { .username = text_of("Alba"), .text = text_of("!eval") };
    talk_answer(&talk, &settings, &none, &said, "castled-bot", 0, &lines);
    assert_string_equal(lines.at[0], "I have not searched yet.");
    said.text = text_of("!pv");
    talk_answer(&talk, &settings, &none, &said, "castled-bot", 9000, &lines);
    assert_string_equal(lines.at[0], "I have not searched yet.");
    said.text = text_of("!queue");
    talk_answer(&talk, &settings, &none, &said, "castled-bot", 18000, &lines);
    assert_string_equal(lines.at[0], "Nobody is waiting.");
    none.waiting = 3;
    none.place = 2;
    talk_answer(&talk, &settings, &none, &said, "castled-bot", 27000, &lines);
    assert_string_equal(lines.at[0], "You are number 2 of 3 in the queue.");
}

TEST(who_waits_is_told_place_and_time)
{
    static const struct {
        int place, waiting, wait_s;
        const char *answer;
    } rows[] = {
        { 1, 1, 20, "You are number 1 of 1 in the queue. Your turn comes within a minute or so." },
        { 2, 3, 61, "You are number 2 of 3 in the queue. Your turn comes in about 2 minutes." },
        { 2, 3, 0, "You are number 2 of 3 in the queue." },
        { 0, 3, 3000, "3 challenges are waiting. The next one's turn comes in about 50 minutes." },
        { 0, 0, 120, "Nobody is waiting. The next one's turn comes in about 2 minutes." },
        { 0, 0, 0, "Nobody is waiting." },
    };
    ChatSettings settings = all_on();
    ChatLine said = { .username = text_of("Alba"), .text = text_of("!queue") };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Talk talk = { 0 };
        TalkLines lines;
        TalkFacts asked = facts;
        asked.place = rows[i].place;
        asked.waiting = rows[i].waiting;
        asked.wait_s = rows[i].wait_s;
        talk_answer(&talk, &settings, &asked, &said, "castled-bot", 0, &lines);
        assert_string_equal(lines.at[0], rows[i].answer);
    }
}

TEST(a_wait_is_guessed_from_clocks_and_slots)
{
    static const struct {
        int place, slots;
        int64_t left_ms, whole_ms, wait_s;
    } rows[] = {
        { 0, 1, 600000, 600000, 0 },                  /* no place */
        { 1, 0, 600000, 600000, 0 },                  /* no slots, ever */
        { 1, 1, 600000, 600000, 300 },                /* the game that runs */
        { 1, 1, 0, 600000, 0 },                       /* about to end */
        { 3, 1, 200000, 600000, 100 + 2 * 300 },      /* and those before */
        { 3, 4, 200000, 600000, (100 + 2 * 300) / 4 } /* where four games end one by one */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            talk_wait_s(rows[i].place, rows[i].slots, rows[i].left_ms, rows[i].whole_ms),
            rows[i].wait_s);
}

TEST(templates_are_filled_in)
{
    TalkLines lines;
    talk_fill("Hi {opponent}, I am {me} ({engine}). {unknown} {me", &facts, &lines);
    assert_int_equal(lines.count, 1);
    assert_string_equal(lines.at[0], "Hi Alba, I am Castled-Bot (castled 1.0). {unknown} {me");
    talk_fill("{cpu}, {ram}", &facts, &lines);
    assert_string_equal(lines.at[0], "AMD EPYC, 24 GiB");
    talk_fill("", &facts, &lines);
    assert_int_equal(lines.count, 0);
    talk_fill("   ", &facts, &lines);
    assert_int_equal(lines.count, 0);
}

TEST(long_texts_are_split_between_words)
{
    TalkLines lines;
    char text[TALK_TEXT_MAX + 500], word[] = "abcdefghi ";
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = word[i % 10];
    text[sizeof text - 1] = '\0';
    text[300] = '\0';
    talk_fill(text, &facts, &lines);
    assert_int_equal(lines.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_in_range(strlen(lines.at[i]), 1, 140);
        assert_int_equal(lines.at[i][0], 'a');
    }
    text[300] = 'x';
    talk_fill(text, &facts, &lines); /* too long altogether: the rest is left out */
    assert_int_equal(lines.count, TALK_LINES_MAX);
}

TEST(a_word_without_end_is_cut_between_characters)
{
    TalkLines lines;
    char text[401];
    for (size_t i = 0; i < 400; i += 2)
        memcpy(text + i, "\xc3\xa4", 2); /* two bytes each */
    text[400] = '\0';
    memmove(text + 1, text, 399);
    text[0] = 'a'; /* so that a cut at 140 would go through a character */
    text[399] = '\0';
    talk_fill(text, &facts, &lines);
    for (int i = 0; i < lines.count; i++) {
        size_t len = strlen(lines.at[i]);
        assert_in_range(len, 1, 140);
        assert_int_not_equal((unsigned char)lines.at[i][0] & 0xc0, 0x80);
        assert_int_equal((len - (i == 0)) % 2, 0);
    }
}

TEST(replies_are_words_and_texts)
{
    static const char *const wrong[] = { ":",      "word",     "word:", ": text", "two words: x",
                                         "w-x: y", "word text" };
    ChatReplyList list = { .count = 0 };
    char word[20];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (value_list_read(&chat_replies_kind, &list, wrong[i], NULL))
            fail_msg("\"%s\" was taken", wrong[i]);
    assert_int_equal(list.count, 0);
    assert_true(value_list_read(&chat_replies_kind, &list, "Hi: there: you", NULL));
    assert_string_equal(list.at[0].word, "hi");
    assert_string_equal(list.at[0].text, "there: you");
    assert_true(value_list_read(&chat_replies_kind, &list, "HI:again", NULL));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.at[0].text, "again");
    for (int i = 1; i < CHAT_REPLIES_MAX; i++) {
        assert_true(snprintf(word, sizeof word, "w%d: x", i) > 0);
        assert_true(value_list_read(&chat_replies_kind, &list, word, NULL));
    }
    assert_false(value_list_read(&chat_replies_kind, &list, "more: x", NULL));
    assert_int_equal(list.count, CHAT_REPLIES_MAX);
}

TEST(the_opponent_may_ask_for_speed)
{
    static const struct {
        const char *username, *text, *opponent_id;
        bool is_player_room, asks;
    } rows[] = {
        { "Alba", "go", "alba", true, true },
        { "alba", "FAST", "alba", true, true },
        { "Alba", " !fast ", "alba", true, true },
        { "Alba", "Go!!", "alba", true, true },
        { "Alba", "go", "alba", false, false },
        { "Berta", "go", "alba", true, false },
        { "", "go", "", true, false },
        { "Alba", "go on, please", "alba", true, false },
        { "Alba", "faster", "alba", true, false },
        { "Alba", "!", "alba", true, false },
        { "Alba", "", "alba", true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ChatLine said = { .username = text_of(rows[i].username),
                                .text = text_of(rows[i].text),
                                .is_player_room = rows[i].is_player_room };
        if (talk_asks_to_hurry(&said, rows[i].opponent_id) != rows[i].asks)
            fail_msg("%s: \"%s\"", rows[i].username, rows[i].text);
    }
}

TEST(the_opponent_may_ask_for_an_analysis)
{
    static const struct {
        bool is_player_room;
        const char *username, *text, *opponent_id;
        bool asks;
    } rows[] = {
        { true, "Alba", "!analysis", "alba", true },
        { true, "alba", "!ANALYSIS please", "alba", true },
        { false, "Alba", "!analysis", "alba", false },
        { true, "Berta", "!analysis", "alba", false },
        { true, "Alba", "analysis", "alba", false },
        { true, "Alba", "!analyse", "alba", false },
        { true, "Alba", "", "alba", false },
        { true, "", "!analysis", "", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ChatLine said = { .username = text_of(rows[i].username),
                                .text = text_of(rows[i].text),
                                .is_player_room = rows[i].is_player_room };
        if (talk_asks_for_analysis(&said, rows[i].opponent_id) != rows[i].asks)
            fail_msg("%s: \"%s\"", rows[i].username, rows[i].text);
    }
}

TEST(what_is_off_is_said_to_be_off)
{
    static const struct {
        const char *said, *answer;
    } rows[] = {
        { "!challenge", "I take no challenges." },
        { "!variants", "I play nothing." },
        { "!draw", "I neither offer nor accept draws." },
        { "!takeback", "I grant no takebacks." },
    };
    static const GameSettings none;
    ChatSettings settings = all_on();
    TalkFacts of_none = facts;
    of_none.settings = &none;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Talk talk = { 0 };
        TalkLines lines;
        ChatLine line = { .is_player_room = true,
                          .username = text_of("Alba"),
                          .text = text_of(rows[i].said) };
        talk_answer(&talk, &settings, &of_none, &line, "castled-bot", 1000, &lines);
        assert_int_equal(lines.count, 1);
        assert_string_equal(lines.at[0], rows[i].answer);
    }
}

TEST(a_wish_is_the_opponents_by_a_command_that_is_on)
{
    static const struct {
        uint32_t commands;
        bool is_player_room;
        const char *user, *said;
        Wish wish; /* WISH_NONE: it is none */
    } rows[] = {
        { 1U << CHAT_LEVEL, true, "Alba", "!level 1500", { .kind = WISH_LEVEL, .level = 1500 } },
        { 1U << CHAT_LEVEL, true, "ALBA", "!LEVEL off", { .kind = WISH_LEVEL } },
        { 1U << CHAT_ODDS,
          true,
          "Alba",
          "!odds !Queen",
          { .kind = WISH_ODDS, .odds = ODDS_QUEEN } },
        { 1U << CHAT_AGAIN, true, "Alba", "!again", { .kind = WISH_AGAIN } },
        { 1U << CHAT_LEVEL, true, "Alba", "!again", { 0 } },
        { 1U << CHAT_AGAIN, false, "Alba", "!again", { 0 } },
        { 1U << CHAT_AGAIN, true, "Berta", "!again", { 0 } },
        { 1U << CHAT_AGAIN, true, "Alba", "again", { 0 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ChatSettings settings = { .enabled = true, .commands = rows[i].commands };
        const ChatSettings off = { .commands = rows[i].commands };
        const ChatLine said = { .is_player_room = rows[i].is_player_room,
                                .username = text_of(rows[i].user),
                                .text = text_of(rows[i].said) };
        Wish wish = { 0 };
        bool is_one = talk_wish(&settings, &said, "alba", &wish);
        if (is_one != (rows[i].wish.kind != WISH_NONE) || wish.kind != rows[i].wish.kind ||
            wish.level != rows[i].wish.level || wish.odds != rows[i].wish.odds)
            fail_msg("%s: %s", rows[i].user, rows[i].said);
        assert_false(talk_wish(&off, &said, "alba", &wish));
    }
}

TEST(level_and_performance_are_told_in_words)
{
    char level[TALK_LEVEL_SIZE], performance[TALK_PERFORMANCE_SIZE];
    TalkLines lines;
    talk_level(1500, level);
    assert_string_equal(level, "1500");
    talk_level(0, level);
    assert_string_equal(level, "full strength");
    talk_performance(1873, 214, performance);
    assert_string_equal(performance, "1873 in 214 games");
    talk_performance(1200, 1, performance);
    assert_string_equal(performance, "1200 in 1 game");
    talk_performance(0, 3, performance);
    assert_string_equal(performance, "not known yet");
    talk_fill("I play at {level}. Against people: {performance}.", &facts, &lines);
    assert_int_equal(lines.count, 1);
    assert_string_equal(lines.at[0], "I play at 1500. Against people: 1873 in 214 games.");
}
