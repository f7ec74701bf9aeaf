/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/arena_words.h"

static const char arena[] = "arena111", game[] = "playing1";

void arena_order(PairingFixture *f, PairInputKind kind, const char *id)
{
    ArenaSpec spec = { .password = "sesame" };
    assert_true(text_copy(spec.id, sizeof spec.id, text_of(id)));
    pairing_feed(f,
                 &(PairInput){ .kind = kind, .order = { .arena = &spec, .number = ++f->orders } });
}

void arena_game_starts(PairingFixture *f, const char *id, const char *tournament)
{
    GameInfo info = { .tournament_id = text_of(tournament), .our_colour = WHITE };
    assert_true(text_copy(info.id, sizeof info.id, text_of(id)));
    slots_game_started(&f->slots, id, SLOTS_REALTIME, slots_player(text_of("bo"), KIND_HUMAN));
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, true } });
}

void arena_game_ends(PairingFixture *f, const char *id, GameStatus status, Colour winner)
{
    GameInfo info = { .status = status, .winner = winner, .our_colour = WHITE };
    assert_true(text_copy(info.id, sizeof info.id, text_of(id)));
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_FINISHED, .game = { .info = &info } });
    slots_game_over(&f->slots, id);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_SLOT_FREED });
}

void arena_listed(PairingFixture *f, const char *id, int64_t starts_in_ms, int64_t lasts_ms)
{
    char text[300];
    uint32_t ticket = pairing_open(f, PAIR_ASK_TEAM_ARENAS);
    assert_int_not_equal(ticket, 0);
    int64_t starts = f->now.unix_ms + starts_in_ms;
    int len = snprintf(text, sizeof text,
                       "{\"id\":\"%s\",\"startsAt\":%lld,\"finishesAt\":%lld,\"minutes\":%lld,"
                       "\"clock\":{\"limit\":180,\"increment\":2},\"rated\":true,"
                       "\"variant\":{\"key\":\"standard\"}}",
                       id, (long long)starts, (long long)(starts + lasts_ms),
                       (long long)(lasts_ms / 60000));
    assert_in_range(len, 1, sizeof text - 1);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LINE,
                                  .request = { .ticket = ticket, .line = text_of(text) } });
}

static void join(PairingFixture *f)
{
    arena_order(f, PAIR_ON_JOIN_ORDER, arena);
}

static void leave(PairingFixture *f)
{
    arena_order(f, PAIR_ON_LEAVE_ORDER, arena);
}

static void game_starts(PairingFixture *f)
{
    arena_game_starts(f, game, arena);
}

static void game_won(PairingFixture *f)
{
    arena_game_ends(f, game, STATUS_MATE, WHITE);
}

static void game_too_late(PairingFixture *f)
{
    arena_game_ends(f, game, STATUS_NO_START, BLACK);
}

static void game_not_begun(PairingFixture *f)
{
    arena_game_ends(f, game, STATUS_NO_START, WHITE);
}

static void team_arena(PairingFixture *f)
{
    arena_listed(f, arena, 60000, 3600000);
}

static void team_earlier(PairingFixture *f)
{
    arena_listed(f, "arena222", 30000, 3600000);
}

static void team_later(PairingFixture *f)
{
    arena_listed(f, "arena333", 3700000, 3600000);
}

static const struct {
    const char *word;
    void (*play)(PairingFixture *f);
} words[] = {
    { "join", join },
    { "leave", leave },
    { "arena-game", game_starts },
    { "arena-game-won", game_won },
    { "arena-game-late", game_too_late },
    { "arena-game-not-begun", game_not_begun },
    { "team-arena", team_arena },
    { "team-earlier", team_earlier },
    { "team-later", team_later },
};

#define BODY(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
#define SOON "\"fullName\":\"Cup\",\"botsAllowed\":true,\"secondsToStart\":600,\"minutes\":60"
#define RUNNING "\"fullName\":\"Cup\",\"botsAllowed\":true,\"secondsToFinish\":3600"

static const struct {
    const char *word;
    PairAsk ask;
    ApiAnswer answer;
} answers[] = {
    { "soon", PAIR_ASK_ARENA, { .body = BODY("{" SOON "}") } },
    { "soon-in", PAIR_ASK_ARENA, { .body = BODY("{" SOON ",\"me\":{}}") } },
    { "running", PAIR_ASK_ARENA, { .body = BODY("{" RUNNING "}") } },
    { "running-in", PAIR_ASK_ARENA, { .body = BODY("{" RUNNING ",\"me\":{}}") } },
    { "withdrawn-from",
      PAIR_ASK_ARENA,
      { .body = BODY("{" RUNNING ",\"me\":{\"withdraw\":true}}") } },
    { "no-bots", PAIR_ASK_ARENA, { .body = BODY("{\"botsAllowed\":false}") } },
    { "finished", PAIR_ASK_ARENA, { .body = BODY("{\"isFinished\":true}") } },
    { "unreadable", PAIR_ASK_ARENA, { .body = BODY("[") } },
    { "missing", PAIR_ASK_ARENA, { .outcome = API_REFUSED, .status = 404 } },
    { "look-broken", PAIR_ASK_ARENA, { .outcome = API_SERVER_ERROR, .status = 502 } },
    { "joined", PAIR_ASK_JOIN, { .outcome = API_OK } },
    { "join-no",
      PAIR_ASK_JOIN,
      { .outcome = API_REFUSED, .status = 400, .reason = "Wrong entry code" } },
    { "join-later",
      PAIR_ASK_JOIN,
      { .outcome = API_REFUSED, .status = 400, .reason = "Your pause is not over yet" } },
    { "join-condition",
      PAIR_ASK_JOIN,
      { .outcome = API_REFUSED, .status = 400, .reason = "Tournament restrictions" } },
    { "join-scope",
      PAIR_ASK_JOIN,
      { .outcome = API_FORBIDDEN, .status = 403, .reason = "Missing scope: tournament:write" } },
    { "join-token", PAIR_ASK_JOIN, { .outcome = API_UNAUTHORIZED, .status = 401 } },
    { "join-lost", PAIR_ASK_JOIN, { .outcome = API_LOST } },
    { "left", PAIR_ASK_WITHDRAW, { .outcome = API_OK } },
    { "leave-no", PAIR_ASK_WITHDRAW, { .outcome = API_REFUSED, .status = 404, .reason = "no" } },
    { "leave-broken", PAIR_ASK_WITHDRAW, { .outcome = API_SERVER_ERROR, .status = 502 } },
    { "team-read", PAIR_ASK_TEAM_ARENAS, { .outcome = API_OK } },
    { "team-lost", PAIR_ASK_TEAM_ARENAS, { .outcome = API_LOST } },
};

bool arena_word_play(PairingFixture *f, Text word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!text_is(word, words[i].word))
            continue;
        words[i].play(f);
        return true;
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (!text_is(word, answers[i].word))
            continue;
        pairing_answer(f, answers[i].ask, answers[i].answer);
        return true;
    }
    return false;
}
