/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/talk.h"

#include "bot/config/schema.h"
#include "engine/base/text_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

typedef struct {
    char text[TALK_TEXT_MAX];
    size_t len;
} Draft;

/* What does not fit is left out. */
static void add_bytes(Draft *draft, const char *text, size_t len)
{
    size_t room = sizeof draft->text - 1 - draft->len;
    size_t taken = len < room ? len : room;
    memcpy(draft->text + draft->len, text, taken);
    draft->len += taken;
    draft->text[draft->len] = '\0';
}

static void add_text(Draft *draft, const char *text)
{
    add_bytes(draft, text, strlen(text));
}

static void add_format(Draft *draft, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_format(Draft *draft, const char *format, ...)
{
    char text[TALK_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    size_t len = text_format_cut_v(text, sizeof text, format, arguments);
    va_end(arguments);
    add_bytes(draft, text, len);
}

/* How many bytes of `text` go into one line: up to a blank if need be, never through a character.
 */
static size_t line_len(const char *text, size_t len)
{
    size_t most = TALK_LINE_SIZE - 1;
    if (len <= most)
        return len;
    size_t end = most;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end > 0)
        return end;
    for (end = most; end > 1 && ((unsigned char)text[end] & 0xc0) == 0x80; end--)
        ;
    return end;
}

static void split(const char *text, TalkLines *out)
{
    out->count = 0;
    size_t len = strlen(text);
    while (len > 0 && out->count < TALK_LINES_MAX) {
        size_t blanks = strspn(text, " ");
        text += blanks;
        len -= blanks;
        size_t taken = line_len(text, len);
        if (taken == 0)
            return;
        memcpy(out->at[out->count], text, taken);
        out->at[out->count++][taken] = '\0';
        text += taken;
        len -= taken;
    }
}

int64_t talk_wait_s(int place, int slots, int64_t left_ms, int64_t whole_ms)
{
    if (place <= 0 || slots <= 0)
        return 0;
    return (left_ms + (place - 1) * whole_ms) / 2 / slots / 1000;
}

void talk_level(int elo, char out[TALK_LEVEL_SIZE])
{
    if (elo > 0)
        text_format(out, TALK_LEVEL_SIZE, "%d", elo);
    else
        text_format(out, TALK_LEVEL_SIZE, "full strength");
}

void talk_performance(int rating, int64_t games, char out[TALK_PERFORMANCE_SIZE])
{
    if (rating == 0 || games == 0)
        text_format(out, TALK_PERFORMANCE_SIZE, "not known yet");
    else
        text_format(out, TALK_PERFORMANCE_SIZE, "%d in %" PRId64 " game%s", rating, games,
                    games == 1 ? "" : "s");
}

void talk_fill(const char *template, const TalkFacts *facts, TalkLines *out)
{
    const struct {
        const char *name, *value;
    } holes[] = { { "{me}", facts->me },
                  { "{opponent}", facts->opponent },
                  { "{engine}", facts->engine },
                  { "{level}", facts->level },
                  { "{performance}", facts->performance },
                  { "{cpu}", facts->cpu },
                  { "{ram}", facts->ram } };
    Draft draft = { .len = 0 };
    while (*template) {
        bool is_filled = false;
        for (size_t i = 0; i < sizeof holes / sizeof *holes && !is_filled; i++) {
            size_t len = strlen(holes[i].name);
            is_filled = strncmp(template, holes[i].name, len) == 0;
            if (is_filled) {
                add_text(&draft, holes[i].value);
                template += len;
            }
        }
        if (!is_filled)
            add_bytes(&draft, template ++, 1);
    }
    split(draft.text, out);
}

/* The built-in commands. */

static void say_eval(const TalkFacts *facts, Draft *draft)
{
    char depth[32];
    if (facts->depth == 0) {
        add_text(draft, "I have not searched yet.");
        return;
    }
    size_t len = text_format(depth, sizeof depth, " at depth %d", facts->depth);
    add_text(draft, facts->score);
    add_bytes(draft, depth, len);
}

static void say_pv(const TalkFacts *facts, Draft *draft)
{
    if (facts->move[0] == '\0') {
        add_text(draft, "I have not searched yet.");
        return;
    }
    add_text(draft, facts->move);
    if (facts->reply[0] != '\0') {
        add_text(draft, ", and I expect ");
        add_text(draft, facts->reply);
    }
}

static void say_wait(int64_t wait_s, const char *whose, Draft *draft)
{
    char text[80];
    int64_t minutes = (wait_s + 59) / 60;
    size_t len =
        minutes <= 1
            ? text_format(text, sizeof text, " %s turn comes within a minute or so.", whose)
            : text_format(text, sizeof text, " %s turn comes in about %" PRId64 " minutes.", whose,
                          minutes);
    add_bytes(draft, text, wait_s > 0 ? len : 0);
}

static void say_queue(const TalkFacts *facts, Draft *draft)
{
    char text[64];
    size_t len = facts->place > 0
                     ? text_format(text, sizeof text, "You are number %d of %d in the queue.",
                                   facts->place, facts->waiting)
                 : facts->waiting == 0 ? text_format(text, sizeof text, "Nobody is waiting.")
                 : facts->waiting == 1
                     ? text_format(text, sizeof text, "One challenge is waiting.")
                     : text_format(text, sizeof text, "%d challenges are waiting.", facts->waiting);
    add_bytes(draft, text, len);
    say_wait(facts->wait_s, facts->place > 0 ? "Your" : "The next one's", draft);
}

static void say_ping(const TalkFacts *facts, Draft *draft)
{
    char text[64];
    size_t len = text_format(text, sizeof text, "Pong: my moves take %" PRId64 " ms to the server.",
                             facts->lag_ms);
    add_bytes(draft, text, len);
}

/* Of an enum: "blitz, rapid and classical"; "nothing" for an empty set. */
static void add_set(Draft *draft, const WordList *words, uint32_t set)
{
    int left = 0;
    for (int i = 0; i < words->count; i++)
        left += config_set_has(set, i);
    if (left == 0)
        add_text(draft, "nothing");
    for (int i = 0; i < words->count; i++) {
        if (!config_set_has(set, i))
            continue;
        add_text(draft, words->words[i]);
        left--;
        add_text(draft, left > 1 ? ", " : left == 1 ? " and " : "");
    }
}

static void say_challenge(const GameSettings *settings, Draft *draft)
{
    if (!settings->challenge.accept) {
        add_text(draft, "I take no challenges.");
        return;
    }
    add_text(draft, "I take challenges to ");
    add_set(draft, &schema_speed_words, settings->challenge.speeds);
    add_text(draft, ", ");
    add_set(draft, &schema_mode_words, settings->challenge.modes);
    add_format(draft, ", from %d to %d s with %d to %d s a move.", settings->challenge.min_base_s,
               settings->challenge.max_base_s, settings->challenge.min_increment_s,
               settings->challenge.max_increment_s);
}

static void say_variants(const GameSettings *settings, Draft *draft)
{
    add_text(draft, "I play ");
    add_set(draft, &schema_variant_words,
            settings->challenge.accept ? settings->challenge.variants : 0);
    add_text(draft, ".");
}

static void say_draw(const DrawSettings *settings, Draft *draft)
{
    if (!settings->offer && !settings->accept) {
        add_text(draft, "I neither offer nor accept draws.");
        return;
    }
    add_text(draft, settings->offer && settings->accept ? "I offer and accept draws"
                    : settings->offer                   ? "I offer draws, but accept none,"
                                                        : "I accept draws, but offer none,");
    add_format(draft, " from move %d on, with %d pieces or fewer, after %d level moves.",
               settings->from_move, settings->pieces, settings->moves);
}

static void say_takeback(const TalkFacts *facts, Draft *draft)
{
    int most = facts->settings->games.takebacks;
    if (most == 0) {
        add_text(draft, "I grant no takebacks.");
        return;
    }
    add_format(draft, "Takebacks that I grant in a game: %d; so far: %d.", most, facts->takebacks);
}

/* As other bots say it, so that lists of bots can be made by one pattern. */
static void say_name(const TalkFacts *facts, Draft *draft)
{
    add_format(draft, "%s running %s (castled %s)", facts->me, facts->program, facts->version);
}

/* In the order of ChatCommand; their names are the configuration's. */
static const struct {
    bool in_room[ROOM_COUNT];
    const char *says; /* for !help WORD */
} commands[CHAT_COMMAND_COUNT] = {
    [CHAT_HELP] = { { true, true }, "what I understand; with a word, what that does" },
    [CHAT_EVAL] = { { false, true }, "what I think of the position, for spectators" },
    [CHAT_PV] = { { false, true }, "my move and the reply that I expect, for spectators" },
    [CHAT_ENGINE] = { { true, true }, "what finds my moves" },
    [CHAT_QUEUE] = { { true, true }, "how many challenges wait, and how long" },
    [CHAT_PING] = { { true, true }, "how long my moves take to the server" },
    [CHAT_ANALYSIS] = { { true, false }, "the game's turning points, when it is over" },
    [CHAT_CHALLENGE] = { { true, true }, "which challenges I take" },
    [CHAT_VARIANTS] = { { true, true }, "which variants I play" },
    [CHAT_DRAW] = { { true, true }, "when I offer and accept draws" },
    [CHAT_TAKEBACK] = { { true, true }, "how many takebacks I grant" },
    [CHAT_NAME] = { { true, true }, "who I am, and by which engine and program" },
    [CHAT_LEVEL] = { { true, false }, "with a rating: I play at it in our casual games" },
    [CHAT_AGAIN] = { { true, false }, "I challenge you again when this game is over" },
    [CHAT_ODDS] = { { true, false },
                    "with queen, rook, knight or pawn: a game in which I have so much less" },
};

static const char *name_of(ChatCommand command)
{
    return schema_command_words.words[command];
}

static bool is_on(const ChatSettings *settings, ChatCommand command, ChatRoom room)
{
    return config_set_has(settings->commands, (int)command) && commands[command].in_room[room];
}

/* `about`: the word after !help; without a command of that name all of them are listed. */
static void say_help(const ChatSettings *settings, ChatRoom room, const char *about, Draft *draft)
{
    for (int i = 0; i < CHAT_COMMAND_COUNT; i++) {
        if (is_on(settings, (ChatCommand)i, room) && strcmp(name_of((ChatCommand)i), about) == 0) {
            add_format(draft, "!%s: %s", about, commands[i].says);
            return;
        }
    }
    add_text(draft, "I understand");
    for (int i = 0; i < CHAT_COMMAND_COUNT; i++) {
        if (is_on(settings, (ChatCommand)i, room)) {
            add_text(draft, " !");
            add_text(draft, name_of((ChatCommand)i));
        }
    }
    for (int i = 0; i < settings->replies.count; i++) {
        add_text(draft, " !");
        add_text(draft, settings->replies.at[i].word);
    }
}

/* `about`: what follows the command. */
static void say(ChatCommand command, const ChatSettings *settings, ChatRoom room, const char *about,
                const TalkFacts *facts, Draft *draft)
{
    switch (command) {
    case CHAT_HELP:
        say_help(settings, room, about, draft);
        break;
    case CHAT_EVAL:
        say_eval(facts, draft);
        break;
    case CHAT_PV:
        say_pv(facts, draft);
        break;
    case CHAT_ENGINE:
        add_text(draft, facts->engine);
        break;
    case CHAT_QUEUE:
        say_queue(facts, draft);
        break;
    case CHAT_PING:
        say_ping(facts, draft);
        break;
    case CHAT_ANALYSIS:
        add_text(draft, "When the game is over I tell its turning points here.");
        break;
    case CHAT_CHALLENGE:
        say_challenge(facts->settings, draft);
        break;
    case CHAT_VARIANTS:
        say_variants(facts->settings, draft);
        break;
    case CHAT_DRAW:
        say_draw(&facts->settings->draw, draft);
        break;
    case CHAT_TAKEBACK:
        say_takeback(facts, draft);
        break;
    case CHAT_NAME:
        say_name(facts, draft);
        break;
    case CHAT_LEVEL:
    case CHAT_AGAIN:
    case CHAT_ODDS:
        add_text(draft, facts->wish);
        break;
    case CHAT_COMMAND_COUNT:
        break;
    }
}

/* The letters and digits that `text` begins with, small; "" for none and for too many. */
static size_t read_word(Text text, char word[CHAT_WORD_SIZE])
{
    size_t len = 0;
    word[0] = '\0';
    while (len < text.len && isalnum((unsigned char)text.at[len])) {
        if (len == CHAT_WORD_SIZE - 1) {
            word[0] = '\0';
            return len;
        }
        word[len] = (char)tolower((unsigned char)text.at[len]);
        len++;
    }
    word[len] = '\0';
    return len;
}

/* The word after the '!' and the next one, which may have a '!' too, whatever their case. */
static void read_command(Text text, char word[CHAT_WORD_SIZE], char about[CHAT_WORD_SIZE])
{
    word[0] = about[0] = '\0';
    if (text.len < 2 || text.at[0] != '!')
        return;
    size_t len = 1 + read_word((Text){ text.at + 1, text.len - 1 }, word);
    while (len < text.len && (text.at[len] == ' ' || text.at[len] == '!'))
        len++;
    read_word((Text){ text.at + len, text.len - len }, about);
}

/* Whatever the case of its letters; `lower` has small ones. */
static bool is_same(Text text, const char *lower)
{
    size_t len = strlen(lower);
    if (text.len != len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i])
            return false;
    return true;
}

static bool is_opponents(const ChatLine *said, const char *opponent_id)
{
    return said->is_player_room && opponent_id[0] != '\0' && is_same(said->username, opponent_id);
}

bool talk_asks_to_hurry(const ChatLine *said, const char *opponent_id)
{
    Text text = text_trimmed(said->text, " !.");
    return is_opponents(said, opponent_id) && (is_same(text, "go") || is_same(text, "fast"));
}

bool talk_asks_for_analysis(const ChatLine *said, const char *opponent_id)
{
    char word[CHAT_WORD_SIZE], about[CHAT_WORD_SIZE];
    read_command(said->text, word, about);
    return is_opponents(said, opponent_id) && strcmp(word, name_of(CHAT_ANALYSIS)) == 0;
}

bool talk_wish(const ChatSettings *settings, const ChatLine *said, const char *opponent_id,
               Wish *out)
{
    static const struct {
        ChatCommand command;
        WishKind kind;
    } wishes[] = { { CHAT_LEVEL, WISH_LEVEL },
                   { CHAT_AGAIN, WISH_AGAIN },
                   { CHAT_ODDS, WISH_ODDS } };
    char word[CHAT_WORD_SIZE], about[CHAT_WORD_SIZE];
    read_command(said->text, word, about);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        if (settings->enabled && is_on(settings, wishes[i].command, ROOM_PLAYER) &&
            is_opponents(said, opponent_id) && strcmp(word, name_of(wishes[i].command)) == 0) {
            *out = wish_of(wishes[i].kind, about);
            return true;
        }
    }
    return false;
}

void talk_answer(Talk *talk, const ChatSettings *settings, const TalkFacts *facts,
                 const ChatLine *said, const char *our_id, int64_t now_ms, TalkLines *out)
{
    char word[CHAT_WORD_SIZE], about[CHAT_WORD_SIZE];
    ChatRoom room = said->is_player_room ? ROOM_PLAYER : ROOM_SPECTATOR;
    Draft draft = { .len = 0 };
    out->count = 0;
    read_command(said->text, word, about);
    if (!settings->enabled || facts->is_muted || word[0] == '\0' ||
        is_same(said->username, our_id) || is_same(said->username, "lichess"))
        return;
    if (now_ms < talk->next_at_ms || talk->answers >= TALK_ANSWERS_MAX)
        return;
    for (int i = 0; i < settings->replies.count; i++)
        if (strcmp(settings->replies.at[i].word, word) == 0)
            talk_fill(settings->replies.at[i].text, facts, out);
    for (int i = 0; i < CHAT_COMMAND_COUNT && out->count == 0; i++) {
        if (strcmp(name_of((ChatCommand)i), word) == 0 && is_on(settings, (ChatCommand)i, room)) {
            say((ChatCommand)i, settings, room, about, facts, &draft);
            split(draft.text, out);
        }
    }
    if (out->count == 0)
        return;
    talk->next_at_ms = now_ms + TALK_GAP_MS;
    talk->answers++;
}
