/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I13, I15 and I16 of bot/README.md. */
/* Whole games between the state machine and a small server over a line that loses, doubles, delays
 * and breaks whatever it carries, in simulated time. Each seed is another storm; all must end as
 * games end, with every move sent once for each time that it was really lost. */
#include "bot/game/game.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"
#include "engine/core/uci_move.h"
#include "tests/support/unit.h"

enum {
    SEEDS = 4000,
    PLIES = 40,
    MAIL_MAX = 256,
    TEXT = 3000,
    SILENCE_MS = 15000,
    TIME_MAX_MS = 40 * 60 * 1000,
};

typedef enum {
    TO_SERVER_OPEN,
    SERVER_SUBSCRIBES,
    SERVER_SENDS_FULL,
    TO_CLIENT_LIST,
    TO_SERVER_POST,
    TO_CLIENT_LINE,
    TO_CLIENT_END,
    TO_CLIENT_REPLY,
    TO_CLIENT_THOUGHT,
    TO_CLIENT_FINISH,
    SERVER_ABORTS,
    OPPONENT_ACTS,
} MailKind;

typedef struct {
    MailKind kind;
    int64_t at_ms;
    int request; /* of two at the same time */
    int stream;
    StreamEnd end;
    Command command;
    uint64_t key; /* of the position that a posted move was made for */
    uint32_t ticket, version;
    Reply reply;
    Move move;
    char *text;
    int64_t asked_ms;
    bool is_our_turn, is_listed; /* what the account's list has */
} Mail;

typedef struct {
    Position initial, position;
    Colour bot;
    char variant[16], fen[FEN_SIZE];
    Move moves[PLIES + 2];
    char words[PLIES + 2][UCI_MOVE_SIZE];
    int count;
    GameStatus status;
    Colour winner;
    int64_t time_ms[2], turn_since_ms;
    bool draw, takeback; /* the opponent's proposals stand */
    bool is_gone;
    int stream; /* open now; 0: none */
} Server;

/* How bad it is, in per mille of chances. */
typedef struct {
    int post_lost, post_applied_but_lost, post_limited, post_slow;
    int open_fails, line_cuts, line_goes_silent, line_doubled;
    int line_dropped, line_late; /* never shown; shown after the ones that follow it */
    int full_is_old;             /* read before the stream is subscribed to the game */
    int list_fails;
    int abort_after_ms;
    int draws, takebacks;
    int finishes; /* the event stream reports the end too, at any time */
    int aborts;
    int gone;        /* the opponent leaves for a minute */
    bool we_give_up; /* we resign, and offer, accept and claim draws and victories */
} Weather;

typedef struct {
    uint64_t random;
    int64_t now;
    int request;
    Weather weather;
    Mail mail[MAIL_MAX];
    int mail_count;
    Server server;
    Game game;
    Ratelimit limit;
    int streams; /* numbered from 1 */
    int client_stream;
    uint32_t search;
    Move choice;

    /* What is counted. */
    int faults;
    int move_posts, moves_applied, illegal, not_our_turn;
    uint32_t posted_version;
    char posted[UCI_MOVE_SIZE];
    int posts_for_version;
    bool has_taken_back, is_over;
    int given_up; /* games that ended by our word */
    const char *complaint;
} World;

static int64_t between(World *world, int64_t lo, int64_t hi)
{
    return lo + (int64_t)random_below(&world->random, (uint64_t)(hi - lo + 1));
}

static bool chance(World *world, int per_mille)
{
    return between(world, 0, 999) < per_mille;
}

static bool fault(World *world, int per_mille)
{
    bool happens = chance(world, per_mille);
    world->faults += happens;
    return happens;
}

static Mail *send(World *world, MailKind kind, int64_t after_ms)
{
    assert_in_range(world->mail_count, 0, MAIL_MAX - 1);
    Mail *mail = &world->mail[world->mail_count++];
    *mail = (Mail){ .kind = kind, .at_ms = world->now + after_ms, .request = world->request++ };
    return mail;
}

/* The server. */

static int64_t latest_line_ms(const World *world, int stream)
{
    int64_t latest = world->now;
    for (int i = 0; i < world->mail_count; i++) {
        const Mail *mail = &world->mail[i];
        if (mail->stream == stream && mail->at_ms > latest &&
            (mail->kind == TO_CLIENT_LINE || mail->kind == TO_CLIENT_END))
            latest = mail->at_ms;
    }
    return latest;
}

static int state_text(const World *world, char *out, size_t size)
{
    const Server *server = &world->server;
    int len = snprintf(out, size, "{\"type\":\"gameState\",\"moves\":\"");
    for (int i = 0; i < server->count; i++)
        len += snprintf(out + len, size - (size_t)len, "%s%s", i ? " " : "", server->words[i]);
    int64_t times[2] = { server->time_ms[WHITE], server->time_ms[BLACK] };
    if (server->count >= 2)
        times[server->position.side_to_move] -= world->now - server->turn_since_ms;
    char them = server->bot == WHITE ? 'b' : 'w';
    len += snprintf(
        out + len, size - (size_t)len,
        "\",\"wtime\":%lld,\"btime\":%lld,\"winc\":0,\"binc\":0,\"status\":\"%s\"%s%s%s",
        (long long)times[WHITE], (long long)times[BLACK], status_name(server->status),
        server->winner == WHITE   ? ",\"winner\":\"white\""
        : server->winner == BLACK ? ",\"winner\":\"black\""
                                  : "",
        server->draw ? them == 'w' ? ",\"wdraw\":true" : ",\"bdraw\":true" : "",
        server->takeback ? them == 'w' ? ",\"wtakeback\":true" : ",\"btakeback\":true" : "");
    len += snprintf(out + len, size - (size_t)len, "}");
    assert_in_range(len, 1, size - 1);
    return len;
}

/* Lines keep their order; a stream may break before, or under, any of them. */
static void stream_line(World *world, const char *text)
{
    Server *server = &world->server;
    int stream = server->stream;
    if (!stream)
        return;
    int64_t at = latest_line_ms(world, stream) + between(world, 0, 40);
    if (fault(world, world->weather.line_dropped))
        return;
    bool cut = fault(world, world->weather.line_cuts);
    bool silent = !cut && fault(world, world->weather.line_goes_silent);
    if (cut || silent) {
        server->stream = 0;
        Mail *end = send(world, TO_CLIENT_END, at - world->now + (silent ? SILENCE_MS : 5));
        end->stream = stream;
        end->end = silent || chance(world, 500) ? STREAM_LOST : STREAM_CLOSED;
        return;
    }
    int copies = fault(world, world->weather.line_doubled) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
        Mail *line = send(world, TO_CLIENT_LINE, at - world->now);
        if (fault(world, world->weather.line_late))
            line->at_ms += between(world, 1, 3000);
        line->stream = stream;
        line->text = strdup(text);
    }
}

static void stream_state(World *world)
{
    char text[TEXT];
    state_text(world, text, sizeof text);
    stream_line(world, text);
}

/* To be freed. */
static char *full_text(const World *world)
{
    static const char *const us = "{\"id\":\"castled-bot\"}", *const them = "{\"id\":\"alba\"}";
    const Server *server = &world->server;
    char text[TEXT + 600], state[TEXT];
    state_text(world, state, sizeof state);
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"gameFull\",\"id\":\"storm001\",\"variant\":{\"key\":\"%s\"},"
                       "\"clock\":{\"initial\":600000,\"increment\":0},\"white\":%s,\"black\":%s,"
                       "\"initialFen\":\"%s\",\"state\":%s}",
                       server->variant, server->bot == WHITE ? us : them,
                       server->bot == WHITE ? them : us, server->fen, state);
    assert_in_range(len, 1, sizeof text - 1);
    return strdup(text);
}

static void end_streams(World *world)
{
    Server *server = &world->server;
    if (!server->stream)
        return;
    Mail *end = send(world, TO_CLIENT_END, latest_line_ms(world, server->stream) - world->now + 1);
    end->stream = server->stream;
    end->end = STREAM_CLOSED;
    server->stream = 0;
}

static void end_game(World *world, GameStatus status, Colour winner)
{
    world->server.status = status;
    world->server.winner = winner;
    if (chance(world, world->weather.finishes))
        send(world, TO_CLIENT_FINISH, between(world, 0, 3000));
    stream_state(world);
    end_streams(world);
}

static void make(World *world, Move move)
{
    Server *server = &world->server;
    Undo undo;
    Colour mover = server->position.side_to_move;
    if (server->count >= 2)
        server->time_ms[mover] -= world->now - server->turn_since_ms;
    server->turn_since_ms = world->now;
    server->moves[server->count] = move;
    /* The notation of castling changes as it did over the years. */
    bool is_960 = strcmp(server->variant, "chess960") == 0;
    uci_move_write(&server->position, move,
                   is_960 || chance(world, 500) ? CASTLING_KING_TAKES_ROOK
                                                : CASTLING_KING_TO_TARGET,
                   server->words[server->count++]);
    position_make(&server->position, move, &undo);
    if (mover == server->bot)
        server->draw = false;
    stream_state(world);
    if (mover == server->bot && server->takeback) { /* the move has declined it */
        server->takeback = false;
        stream_state(world);
    }
    if (server->time_ms[mover] < 0)
        end_game(world, STATUS_OUTOFTIME, colour_other(mover));
    else if (movegen_count(&server->position) == 0 && position_in_check(&server->position))
        end_game(world, STATUS_MATE, mover);
    else if (movegen_count(&server->position) == 0)
        end_game(world, STATUS_STALEMATE, COLOUR_NONE);
    else if (server->count >= PLIES)
        end_game(world, STATUS_RESIGN, server->bot);
    else if (server->position.side_to_move != server->bot)
        send(world, OPPONENT_ACTS, between(world, 1, 3000));
}

static void take_back(World *world, int plies)
{
    Server *server = &world->server;
    Undo undo;
    server->count -= plies;
    server->position = server->initial;
    for (int i = 0; i < server->count; i++)
        position_make(&server->position, server->moves[i], &undo);
    server->turn_since_ms = world->now;
    server->takeback = server->draw = false;
    world->has_taken_back = true;
    stream_state(world);
    if (server->position.side_to_move != server->bot)
        send(world, OPPONENT_ACTS, between(world, 1, 3000));
}

/* A request that the line held back may come for a list that is no more, where its move may even be
 * legal: no client can help that, but it must cope. */
static bool serve_move(World *world, const char *uci, uint64_t for_key)
{
    Server *server = &world->server;
    Move move;
    bool is_timely = for_key == server->position.key;
    if (server->status != STATUS_STARTED)
        return false;
    if (server->position.side_to_move != server->bot) {
        world->not_our_turn++;
        return false;
    }
    if (!uci_move_match(&server->position, uci, strlen(uci), &move, NULL)) {
        world->illegal += is_timely;
        return false;
    }
    world->moves_applied++;
    make(world, move);
    return true;
}

static bool serve(World *world, const Command *command, uint64_t for_key)
{
    Server *server = &world->server;
    switch (command->kind) {
    case COMMAND_MOVE:
        if (!serve_move(world, command->uci, for_key))
            return false;
        if (command->offers_draw && server->status == STATUS_STARTED && chance(world, 300))
            end_game(world, STATUS_DRAW, COLOUR_NONE);
        return true;
    case COMMAND_CLAIM:
        if (!server->is_gone || server->position.side_to_move == server->bot ||
            server->status != STATUS_STARTED)
            return false;
        world->given_up++;
        end_game(world, STATUS_TIMEOUT, command->claims_victory ? server->bot : COLOUR_NONE);
        return true;
    case COMMAND_RESIGN:
        if (server->status != STATUS_STARTED)
            return false;
        world->given_up++;
        end_game(world, STATUS_RESIGN, colour_other(server->bot));
        return true;
    case COMMAND_ABORT:
        if (server->count >= 2 || server->status != STATUS_STARTED)
            return false;
        world->complaint = "aborted a game in which everybody moves in time";
        return true;
    case COMMAND_TAKEBACK:
        if (command->accepts && !server->takeback && world->weather.post_slow == 0)
            world->complaint = "proposed a takeback";
        if (server->takeback && command->accepts && server->status == STATUS_STARTED &&
            server->count >= 2)
            take_back(world, server->position.side_to_move == server->bot ? 1 : 2);
        server->takeback = false;
        return true;
    case COMMAND_DRAW:
        if (command->accepts && server->draw && server->status == STATUS_STARTED) {
            world->given_up++;
            end_game(world, STATUS_DRAW, COLOUR_NONE);
        }
        server->draw = false;
        return true;
    }
    return false;
}

static void opponent_acts(World *world)
{
    Server *server = &world->server;
    MoveList list;
    if (server->status != STATUS_STARTED)
        return;
    bool proposed = false;
    if (server->count >= 2 && !server->takeback && chance(world, world->weather.takebacks))
        server->takeback = proposed = true;
    if (server->count >= 2 && !server->draw && chance(world, world->weather.draws))
        server->draw = proposed = true;
    if (proposed)
        stream_state(world);
    if (server->position.side_to_move == server->bot)
        return;
    server->is_gone = !server->is_gone && chance(world, world->weather.gone);
    if (server->is_gone) {
        stream_line(world, "{\"type\":\"opponentGone\",\"gone\":true,\"claimWinInSeconds\":2}");
        send(world, OPPONENT_ACTS, 60000);
        return;
    }
    movegen_legal(&server->position, &list);
    make(world, list.moves[between(world, 0, list.count - 1)]);
}

/* The line. */

static void carry_post(World *world, const Post *post)
{
    const Weather *weather = &world->weather;
    int64_t way = between(world, 1, 60);
    Mail *mail;
    if (fault(world, weather->post_limited)) {
        mail = send(world, TO_CLIENT_REPLY, way);
        mail->reply = REPLY_LIMITED;
    } else if (fault(world, weather->post_lost)) {
        mail = send(world, TO_CLIENT_REPLY, chance(world, 500) ? post->timeout_ms : way);
        mail->reply = REPLY_LOST;
    } else {
        bool is_slow = fault(world, weather->post_slow);
        way = is_slow ? between(world, 100, 2 * post->timeout_ms) : way;
        bool is_lost = fault(world, weather->post_applied_but_lost);
        mail = send(world, TO_SERVER_POST, way);
        mail->command = post->command;
        mail->key = world->game.sheet.position.key;
        mail->reply = is_lost || way > post->timeout_ms ? REPLY_LOST : REPLY_RECEIVED;
        mail->ticket = post->ticket;
        if (way <= post->timeout_ms)
            return; /* the server answers */
        mail = send(world, TO_CLIENT_REPLY, post->timeout_ms);
        mail->reply = REPLY_LOST;
    }
    mail->ticket = post->ticket;
}

/* The client. */

static void check_post(World *world, const Post *post)
{
    const Position *pos = &world->game.sheet.position;
    Move move;
    if (post->command.kind != COMMAND_MOVE)
        return;
    world->move_posts++;
    if (pos->side_to_move != world->server.bot)
        world->complaint = "posted a move out of turn";
    if (!uci_move_match(pos, post->command.uci, strlen(post->command.uci), &move, NULL))
        world->complaint = "posted a move that is not legal in its own position";
    if (world->posted_version == world->game.sheet.version) {
        world->posts_for_version++;
        if (strcmp(world->posted, post->command.uci) != 0)
            world->complaint = "posted two moves for one list";
        if (world->posts_for_version > 30)
            world->complaint = "posted one move again and again";
    } else {
        world->posts_for_version = 1;
    }
    world->posted_version = world->game.sheet.version;
    memcpy(world->posted, post->command.uci, sizeof world->posted);
}

static void start_thinking(World *world, uint32_t version)
{
    MoveList list;
    movegen_legal(&world->game.sheet.position, &list);
    Mail *mail = send(world, TO_CLIENT_THOUGHT, between(world, 0, 2500));
    mail->version = version;
    mail->move = list.moves[between(world, 0, list.count - 1)];
    world->search = version;
}

static void carry_out(World *world, const Effect *effect)
{
    Mail *mail;
    switch (effect->kind) {
    case EFFECT_OPEN_STREAM:
        assert_int_equal(world->client_stream, 0);
        world->client_stream = ++world->streams;
        mail = send(world, TO_SERVER_OPEN, between(world, 1, 50));
        mail->stream = world->client_stream;
        break;
    case EFFECT_CLOSE_STREAM:
        assert_int_not_equal(world->client_stream, 0);
        world->client_stream = 0;
        break;
    case EFFECT_POST:
        check_post(world, &effect->post);
        carry_post(world, &effect->post);
        break;
    case EFFECT_ASK_LIST:
        if (fault(world, world->weather.list_fails))
            break;
        mail = send(world, TO_CLIENT_LIST, between(world, 1, 100));
        mail->is_listed = world->server.status == STATUS_STARTED;
        mail->is_our_turn = world->server.position.side_to_move == world->server.bot;
        mail->asked_ms = world->now;
        break;
    case EFFECT_SEARCH:
        start_thinking(world, effect->version);
        break;
    case EFFECT_STOP_SEARCH:
        break; /* what was ordered comes all the same, late */
    case EFFECT_FINISH:
        world->is_over = true;
        break;
    case EFFECT_NOTE:
        break;
    }
}

static void step(World *world, const GameInput *input)
{
    Effects todo;
    game_step(&world->game, input, world->now, &todo);
    for (int i = 0; i < todo.count; i++)
        carry_out(world, &todo.list[i]);
    if (world->game.phase == GAME_DESYNCED || world->game.phase == GAME_UNPLAYABLE)
        world->complaint = "lost its way";
}

static void client_line(World *world, const char *text)
{
    Event event;
    assert_true(event_parse(&event, text, strlen(text), NULL));
    step(world, &(GameInput){ .kind = INPUT_LINE, .event = &event });
    event_release(&event);
}

static void note_limit(World *world, Reply reply)
{
    if (reply == REPLY_LIMITED)
        ratelimit_note(&world->limit, FAMILY_MOVE, between(world, 1, 15), true, world->now);
    else if (reply != REPLY_LOST)
        ratelimit_note_passed(&world->limit, FAMILY_MOVE);
}

/* The server reads the game, subscribes the stream to it, and sends what it has read. */
static void open_stream(World *world, int stream)
{
    bool is_old = fault(world, world->weather.full_is_old);
    char *text = full_text(world);
    if (is_old) {
        int64_t subscribed_ms = between(world, 1, 3000);
        send(world, SERVER_SUBSCRIBES, subscribed_ms)->stream = stream;
        Mail *full = send(world, SERVER_SENDS_FULL, subscribed_ms + between(world, 0, 1000));
        full->stream = stream;
        full->text = text;
        return;
    }
    world->server.stream = stream;
    stream_line(world, text);
    free(text);
    if (world->server.status != STATUS_STARTED)
        end_streams(world);
}

static void deliver(World *world, Mail *mail)
{
    GameInput input;
    switch (mail->kind) {
    case TO_SERVER_OPEN:
        if (mail->stream != world->client_stream)
            break;
        if (fault(world, world->weather.open_fails)) {
            Mail *end = send(world, TO_CLIENT_END, 5);
            end->stream = mail->stream;
            end->end = STREAM_LOST;
            break;
        }
        open_stream(world, mail->stream);
        break;
    case SERVER_SUBSCRIBES:
        if (mail->stream == world->client_stream && world->server.status == STATUS_STARTED)
            world->server.stream = mail->stream;
        break;
    case SERVER_SENDS_FULL:
        if (mail->stream == world->client_stream)
            client_line(world, mail->text);
        break;
    case TO_CLIENT_LIST:
        input = (GameInput){ .kind = mail->is_listed ? INPUT_LISTED : INPUT_UNLISTED };
        input.listed.is_our_turn = mail->is_our_turn;
        input.listed.asked_ms = mail->asked_ms;
        step(world, &input);
        break;
    case TO_SERVER_POST: {
        bool ok = serve(world, &mail->command, mail->key);
        Mail *reply = send(world, TO_CLIENT_REPLY, between(world, 1, 60));
        reply->ticket = mail->ticket;
        reply->reply = mail->reply == REPLY_LOST ? REPLY_LOST : ok ? REPLY_RECEIVED : REPLY_REFUSED;
        break;
    }
    case TO_CLIENT_LINE:
        if (mail->stream == world->client_stream)
            client_line(world, mail->text);
        break;
    case TO_CLIENT_END:
        if (mail->stream != world->client_stream)
            break;
        world->client_stream = 0;
        step(world, &(GameInput){ .kind = INPUT_STREAM_END, .end = mail->end });
        break;
    case TO_CLIENT_REPLY:
        note_limit(world, mail->reply);
        input = (GameInput){ .kind = INPUT_REPLY };
        input.reply.ticket = mail->ticket;
        input.reply.reply = mail->reply;
        step(world, &input);
        break;
    case TO_CLIENT_THOUGHT:
        input = (GameInput){ .kind = INPUT_MOVE_FOUND };
        input.choice = (MoveChoice){ .version = mail->version, .move = mail->move };
        if (world->weather.we_give_up) {
            static const int scores[] = { 0, 0, 400, -2000 };
            input.choice.depth = 9;
            input.choice.score = scores[between(world, 0, 3)];
        }
        step(world, &input);
        break;
    case TO_CLIENT_FINISH:
        input = (GameInput){ .kind = INPUT_FINISH };
        input.finish.status = world->server.status;
        input.finish.winner = world->server.winner;
        step(world, &input);
        break;
    case SERVER_ABORTS:
        if (world->server.count < 2 && world->server.status == STATUS_STARTED)
            end_game(world, STATUS_ABORTED, COLOUR_NONE);
        break;
    case OPPONENT_ACTS:
        opponent_acts(world);
        break;
    }
}

/* The next thing that happens: mail, or the client's own wish. */
static void tick(World *world)
{
    int first = -1;
    for (int i = 0; i < world->mail_count; i++) {
        const Mail *mail = &world->mail[i];
        if (first < 0 || mail->at_ms < world->mail[first].at_ms ||
            (mail->at_ms == world->mail[first].at_ms && mail->request < world->mail[first].request))
            first = i;
    }
    int64_t wish = game_next_at_ms(&world->game);
    if (first < 0 || wish < world->mail[first].at_ms) {
        if (wish == INT64_MAX) {
            world->complaint = "waits for nothing";
            return;
        }
        world->now = wish > world->now ? wish : world->now;
        step(world, &(GameInput){ .kind = INPUT_TIME });
        return;
    }
    Mail mail = world->mail[first];
    world->mail[first] = world->mail[--world->mail_count];
    world->now = mail.at_ms;
    deliver(world, &mail);
    free(mail.text);
}

static void set_up(World *world, uint64_t seed, const Weather *weather)
{
    static const struct {
        const char *variant, *fen;
    } starts[] = {
        { "standard", "startpos" },
        { "chess960", "bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w ECec - 0 1" },
        { "fromPosition", "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 0 1" },
    };
    memset(world, 0, sizeof *world);
    world->random = seed;
    world->now = 1000000;
    world->weather = *weather;
    Server *server = &world->server;
    size_t which = (size_t)between(world, 0, 2);
    memcpy(server->variant, starts[which].variant, strlen(starts[which].variant) + 1);
    memcpy(server->fen, starts[which].fen, strlen(starts[which].fen) + 1);
    assert_true(
        fen_read(&server->initial, which ? server->fen : FEN_START, FEN_STRICT, NULL, NULL));
    server->initial.rules.chess960 = which == 1;
    server->position = server->initial;
    server->bot = (Colour)between(world, WHITE, BLACK);
    server->status = STATUS_STARTED;
    server->winner = COLOUR_NONE;
    server->time_ms[WHITE] = server->time_ms[BLACK] = 600000;
    ratelimit_init(&world->limit);
    GameOptions options = { .overhead_ms = OVERHEAD_AUTO,
                            .abort_after_ms =
                                weather->abort_after_ms ? weather->abort_after_ms : 120000,
                            .takebacks = 3 };
    if (weather->we_give_up) {
        uint32_t all = 1U << KIND_HUMAN | 1U << KIND_BOT;
        options.claim = CLAIM_VICTORY;
        options.draw = (DrawSettings){ .offer = true,
                                       .accept = true,
                                       .score_cp = 10,
                                       .moves = 2,
                                       .pieces = 32,
                                       .opponents = all };
        options.resign =
            (ResignSettings){ .enabled = true, .score_cp = 1000, .moves = 2, .opponents = all };
    }
    GameAccount account = { .our_id = "castled-bot", .limit = &world->limit };
    game_init(&world->game, "storm001", &account, &options, seed, world->now);
    if (server->position.side_to_move != server->bot)
        send(world, OPPONENT_ACTS, between(world, 1, 3000));
    if (chance(world, weather->aborts))
        send(world, SERVER_ABORTS, between(world, 0, 4000));
    step(world, &(GameInput){ .kind = INPUT_TIME });
}

static void play(World *world, uint64_t seed, const Weather *weather)
{
    set_up(world, seed, weather);
    while (!world->is_over && !world->complaint && world->now < TIME_MAX_MS)
        tick(world);
    for (int i = 0; i < world->mail_count; i++)
        free(world->mail[i].text);
    const Server *server = &world->server;
    if (!world->complaint && !world->is_over)
        world->complaint = "did not come to an end";
    if (!world->complaint && server->status == STATUS_STARTED)
        world->complaint = "left a running game";
    if (!world->complaint && server->status == STATUS_OUTOFTIME && server->winner != server->bot)
        world->complaint = "lost on time";
    if (!world->complaint && world->game.status != server->status)
        world->complaint = "has another result than the server";
    if (!world->complaint && world->illegal > 0)
        world->complaint = "sent an illegal move";
    if (world->complaint)
        fail_msg("seed %llu: %s (ply %d, %d faults, %d requests, t=%lld)", (unsigned long long)seed,
                 world->complaint, server->count, world->faults, world->move_posts,
                 (long long)world->now - 1000000);
}

static const Weather calm = { 0 };

TEST(in_calm_weather_each_move_is_sent_once)
{
    World *world = malloc(sizeof *world);
    for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
        play(world, seed, &calm);
        /* The last one may cross the end of the game. */
        assert_in_range(world->move_posts, world->moves_applied, world->moves_applied + 1);
        assert_int_equal(world->not_our_turn, 0);
        assert_int_equal(world->streams, 1);
    }
    free(world);
}

TEST(with_takebacks_and_draw_offers_too)
{
    Weather weather = { .takebacks = 100, .draws = 100, .finishes = 500, .aborts = 200 };
    World *world = malloc(sizeof *world);
    int taken_back = 0;
    for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
        play(world, seed, &weather);
        taken_back += world->has_taken_back;
        assert_int_equal(world->streams, 1);
    }
    assert_true(taken_back > SEEDS / 20);
    free(world);
}

/* A request is repeated only after one was lost or a line was cut: so there are never more than
 * moves and faults together. */
static void storm(const Weather *weather, uint64_t first_seed)
{
    World *world = malloc(sizeof *world);
    int faults = 0;
    for (uint64_t seed = first_seed; seed < first_seed + SEEDS; seed++) {
        play(world, seed, weather);
        faults += world->faults;
        if (world->move_posts > world->moves_applied + 2 * world->faults + 1)
            fail_msg("seed %llu: %d requests for %d moves and %d faults", (unsigned long long)seed,
                     world->move_posts, world->moves_applied, world->faults);
    }
    assert_true(faults > SEEDS);
    free(world);
}

TEST(lost_requests_lose_no_game)
{
    storm(&(Weather){ .post_lost = 200, .post_applied_but_lost = 200, .post_slow = 50 }, 1000000);
}

TEST(broken_streams_lose_no_game)
{
    storm(
        &(Weather){
            .open_fails = 200, .line_cuts = 60, .line_goes_silent = 20, .line_doubled = 100 },
        2000000);
}

TEST(moves_that_no_stream_shows_lose_no_game)
{
    const Weather dropped = { .line_dropped = 30, .abort_after_ms = 20000 };
    const Weather late = { .line_late = 50, .line_doubled = 50, .abort_after_ms = 20000 };
    const Weather old = { .full_is_old = 500, .line_cuts = 50, .abort_after_ms = 20000 };
    storm(&dropped, 6000000);
    storm(&late, 7000000);
    storm(&old, 8000000);
    storm(&(Weather){ .line_dropped = 20,
                      .line_late = 20,
                      .full_is_old = 300,
                      .list_fails = 100,
                      .open_fails = 100,
                      .line_cuts = 20,
                      .takebacks = 50,
                      .post_lost = 20,
                      .abort_after_ms = 60000 },
          9000000);
}

TEST(everything_at_once_loses_no_game)
{
    storm(&(Weather){ .post_lost = 60,
                      .post_applied_but_lost = 60,
                      .post_limited = 20,
                      .post_slow = 30,
                      .open_fails = 100,
                      .line_cuts = 30,
                      .line_goes_silent = 10,
                      .line_doubled = 100,
                      .draws = 50,
                      .takebacks = 50,
                      .finishes = 500,
                      .aborts = 100 },
          3000000);
}

TEST(what_ends_games_by_our_word_disturbs_none)
{
    Weather weather = { .draws = 100, .gone = 50, .finishes = 500, .we_give_up = true };
    World *world = malloc(sizeof *world);
    int given_up = 0;
    for (uint64_t seed = 4000000; seed < 4000000 + SEEDS / 4; seed++) {
        play(world, seed, &weather);
        given_up += world->given_up;
    }
    assert_true(given_up > SEEDS / 20);
    weather.post_lost = weather.post_applied_but_lost = 100;
    weather.line_cuts = 30;
    weather.line_doubled = 100;
    weather.takebacks = 50;
    for (uint64_t seed = 5000000; seed < 5000000 + SEEDS / 4; seed++)
        play(world, seed, &weather);
    free(world);
}
