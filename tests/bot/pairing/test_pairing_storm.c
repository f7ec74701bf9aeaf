/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A million inputs in any order: orders, plans, the matchmaker, tournaments, answers of every kind,
 * events that are early, late, doubled or missing. After each step the fixture's checks hold, and
 * those here. */
#include "engine/base/random.h"
#include "tests/support/arena_words.h"

enum { STEPS = 1000000, WORLDS = 50, IDS = 8 };

static const char config[] = "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\n"
                             "[challenge]\nmin_account_days = 10\n";
/* Of every second world: in a tournament nothing else happens. */
static const char with_arenas[] = "[matchmaking]\nplay = yes\nidle = 1\nclocks = 3+2\n"
                                  "[tournaments]\njoin = arena000\nteams = bots, others\n"
                                  "at_once = 3\n";

typedef struct {
    PairingFixture *f;
    uint64_t random;
    char ids[IDS][GAME_ID_SIZE]; /* of challenges that the server has made, the latest ones */
    uint32_t made;
    int told;
    bool has_arenas;
    int arena_told, arenas_on;
} Storm;

static bool chance(Storm *storm, uint64_t percent)
{
    return random_below(&storm->random, 100) < percent;
}

static const char *any_id(Storm *storm)
{
    return storm->ids[random_below(&storm->random, IDS)];
}

static void say_line(Storm *storm)
{
    PairingFixture *f = storm->f;
    char text[300];
    uint32_t ticket = pairing_open(f, PAIR_ASK_CREATE);
    if (ticket == 0)
        return;
    if (chance(storm, 70)) {
        char *id = storm->ids[storm->made % IDS];
        assert_int_equal(snprintf(id, GAME_ID_SIZE, "g%07u", ++storm->made), 8);
        assert_true(snprintf(text, sizeof text,
                             "{\"id\":\"%s\",\"challenger\":{\"id\":\"castled-bot\"},"
                             "\"destUser\":{\"id\":\"alba\",\"title\":\"BOT\"},"
                             "\"variant\":{\"key\":\"standard\"},\"timeControl\":{\"type\":"
                             "\"clock\",\"limit\":180,\"increment\":2}}",
                             id) > 0);
    } else {
        assert_true(snprintf(text, sizeof text, "{\"done\":\"%s\"}",
                             chance(storm, 50) ? "accepted" : "declined") > 0);
    }
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LINE,
                                  .request = { .ticket = ticket, .line = text_of(text) } });
}

static void happen(Storm *storm)
{
    PairingFixture *f = storm->f;
    const char *id = any_id(storm);
    Challenge challenge = { .decline_reason = DECLINE_GENERIC };
    GameInfo info = { .id = "" };
    memcpy(challenge.id, id, GAME_ID_SIZE);
    memcpy(info.id, id, GAME_ID_SIZE);
    if (id[0] == '\0')
        return;
    if (chance(storm, 40)) {
        slots_game_started(&f->slots, id, SLOTS_REALTIME, slots_player(text_of("alba"), KIND_BOT));
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, true } });
    } else if (chance(storm, 40)) {
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_DECLINED, .challenge = &challenge });
    } else if (chance(storm, 40)) {
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_CANCELED, .challenge = &challenge });
    }
}

static void end_games(Storm *storm)
{
    Slots *slots = &storm->f->slots;
    while (slots->games.count > 0) {
        char id[GAME_ID_SIZE];
        memcpy(id, slots->games.entries[0].id, sizeof id);
        slots_game_over(slots, id);
    }
    pairing_feed(storm->f, &(PairInput){ .kind = PAIR_ON_SLOT_FREED });
}

/* Somebody wants to play with us, or not any more, or does. */
static void meet(Storm *storm)
{
    char who = (char)('a' + random_below(&storm->random, 12));
    char which = (char)('1' + random_below(&storm->random, 9));
    switch (random_below(&storm->random, 8)) {
    case 0:
        pairing_leave(storm->f, who, which);
        break;
    case 1:
        pairing_start(storm->f, who, which);
        break;
    case 2:
        if (pairing_open(storm->f, PAIR_ASK_CHALLENGES))
            pairing_see(storm->f, who, which);
        break;
    default:
        pairing_challenge(storm->f, who, which);
    }
}

static const char *any_arena(Storm *storm, char id[GAME_ID_SIZE])
{
    int len =
        snprintf(id, GAME_ID_SIZE, "arena%03d", (int)random_below(&storm->random, ARENAS_MAX + 3));
    assert_int_equal(len, 8);
    return id;
}

/* A tournament is wanted, or not any more, or tells something. */
static void compete(Storm *storm)
{
    PairingFixture *f = storm->f;
    char id[GAME_ID_SIZE], game[GAME_ID_SIZE] = "arenagm0";
    game[7] = (char)('0' + random_below(&storm->random, 10));
    switch (random_below(&storm->random, 8)) {
    case 0:
    case 1:
        arena_order(f, PAIR_ON_JOIN_ORDER, any_arena(storm, id));
        break;
    case 2:
        arena_order(f, PAIR_ON_LEAVE_ORDER, any_arena(storm, id));
        break;
    case 3:
        pairing_play(f, "settings");
        break;
    case 4:
        arena_game_starts(f, game, any_arena(storm, id));
        break;
    case 5:
        arena_game_ends(f, game, chance(storm, 90) ? STATUS_MATE : STATUS_NO_START,
                        chance(storm, 50) ? WHITE : BLACK);
        break;
    default:
        if (pairing_open(f, PAIR_ASK_TEAM_ARENAS))
            arena_listed(f, any_arena(storm, id),
                         (int64_t)random_below(&storm->random, 40) * 60000 - 600000,
                         (int64_t)random_below(&storm->random, 60) * 60000 + 60000);
    }
}

static const char *good_look(Storm *storm)
{
    static const char *const looks[] = {
        "soon",    "running", "running", "running-in", "running-in", "withdrawn-from",
        "no-bots", "soon",    "soon-in", "finished",   "unreadable",
    };
    return looks[random_below(&storm->random, sizeof looks / sizeof *looks)];
}

static void answer(Storm *storm)
{
    static const ApiOutcome outcomes[] = { API_OK,           API_OK,   API_OK,     API_REFUSED,
                                           API_UNAUTHORIZED, API_LOST, API_LIMITED };
    static const char *const good_answers[] = {
        [PAIR_ASK_ACCOUNT] = "rated",
        [PAIR_ASK_ONLINE_BOTS] = "listed",
        [PAIR_ASK_STATUS] = "somebody",
        [PAIR_ASK_ACCEPT] = "granted",
        [PAIR_ASK_CHALLENGES] = "sees-nobody",
        [PAIR_ASK_PROFILE] = "known",
        [PAIR_ASK_JOIN] = "joined",
        [PAIR_ASK_WITHDRAW] = "left",
        [PAIR_ASK_TEAM_ARENAS] = "team-read",
    };
    PairingFixture *f = storm->f;
    if (f->open_count == 0)
        return;
    PairAsk ask = f->open[random_below(&storm->random, (uint64_t)f->open_count)].ask;
    size_t at = random_below(&storm->random, sizeof outcomes / sizeof *outcomes);
    ApiAnswer with = { .outcome = outcomes[at], .wait_s = chance(storm, 50) ? 3 : 0 };
    if (with.outcome == API_OK && ask == PAIR_ASK_ARENA)
        pairing_play(f, good_look(storm));
    else if (with.outcome == API_OK && good_answers[ask])
        pairing_play(f, good_answers[ask]);
    else
        pairing_answer(f, ask, with);
}

static void play(Storm *storm)
{
    static const char *const words[] = {
        "order",  "plan",   "drop",   "offline", "online", "drain",
        "resume", "resume", "online", "busy",    "free",   "opened"
    };
    PairingFixture *f = storm->f;
    if (storm->has_arenas && chance(storm, 30)) {
        if (chance(storm, 50))
            compete(storm);
        else
            answer(storm);
        return;
    }
    switch (random_below(&storm->random, 10)) {
    case 0:
        pairing_play(f, words[random_below(&storm->random, sizeof words / sizeof *words)]);
        break;
    case 1:
        answer(storm);
        break;
    case 2:
    case 3:
        say_line(storm);
        break;
    case 4:
        happen(storm);
        break;
    case 5:
        end_games(storm);
        break;
    case 6:
    case 7:
        meet(storm);
        break;
    case 8:
        pairing_pass_ms(f, (int64_t)random_below(&storm->random, 70000));
        break;
    default:
        pairing_pass_until_due(f);
    }
}

/* Challenges under way for this owner. */
static int count_of(const PairingFixture *f, OutgoingOwnerKind kind, uint32_t number)
{
    int count = 0;
    for (int i = 0; i < OUTGOING_MAX; i++) {
        const OutgoingEntry *entry = &f->pairing.outgoing.entries[i];
        count += entry->state != OUTGOING_FREE && entry->owner.kind == kind &&
                 entry->owner.number == number;
    }
    return count;
}

/* A slot is held for a challenge under way, or for a game that is to begin within its time. */
static void check_slots(const PairingFixture *f)
{
    const SlotsList *held = &f->slots.accepted;
    for (int i = 0; i < held->count; i++) {
        bool is_ours = false;
        for (int j = 0; j < OUTGOING_MAX; j++) {
            const OutgoingEntry *entry = &f->pairing.outgoing.entries[j];
            is_ours |= entry->state != OUTGOING_FREE && strcmp(entry->id, held->entries[i].id) == 0;
        }
        assert_true(is_ours || held->entries[i].until_ms == INT64_MAX ||
                    held->entries[i].until_ms < f->now.ms + 60000);
    }
}

static void check_owners(const PairingFixture *f)
{
    assert_int_equal(count_of(f, OWNER_MATCHMAKER, 0),
                     f->pairing.matchmaker.seeking == SEEKING_CHALLENGE);
    for (uint32_t number = 1; number <= SCHEDULE_MAX; number++)
        assert_int_equal(count_of(f, OWNER_SCHEDULE, number),
                         f->pairing.schedule.entries[number - 1].is_asking);
}

static int words_in(const char *text)
{
    int count = text[0] != '\0';
    for (; *text; text++)
        count += *text == ' ';
    return count;
}

static int orders_under_way(const PairingFixture *f)
{
    int count = 0;
    for (int i = 0; i < OUTGOING_MAX; i++)
        count += f->pairing.outgoing.entries[i].state != OUTGOING_FREE &&
                 f->pairing.outgoing.entries[i].owner.kind == OWNER_OPERATOR;
    return count;
}

static int arena_orders_under_way(const PairingFixture *f)
{
    int count = 0;
    for (int i = 0; i < ARENAS_MAX; i++)
        count += f->pairing.arenas.entries[i].is_used && f->pairing.arenas.entries[i].order != 0;
    return count;
}

typedef struct {
    int given, under_way;
} Orders;

static Orders count_orders(const PairingFixture *f)
{
    return (Orders){ (int)f->orders, orders_under_way(f) + arena_orders_under_way(f) };
}

/* Whatever was ordered is under way, was refused, or its end was told, once. */
static void check_orders(Storm *storm, Orders before)
{
    PairingFixture *f = storm->f;
    int told = words_in(f->told), arena_told = words_in(f->arena_told);
    Orders after = count_orders(f);
    int accepted = after.given > before.given && !error_is_set(&f->todo.refusal);
    assert_int_equal(after.under_way, before.under_way + accepted - told - arena_told);
    storm->told += told;
    storm->arena_told += arena_told;
    storm->arenas_on += arenas_are_on(&f->pairing.arenas);
    f->told[0] = f->asked[0] = f->arena_told[0] = f->left[0] = '\0';
}

TEST(no_order_of_inputs_leaks_a_slot_or_forgets_an_owner)
{
    int told = 0, arena_told = 0, arenas_on = 0;
    for (int world = 0; world < WORLDS; world++) {
        Storm storm = { .random = (uint64_t)world, .has_arenas = world % 2 != 0 };
        storm.f = pairing_fixture_new(storm.has_arenas ? with_arenas : config);
        slots_resize(&storm.f->slots, (SlotLimits){ .of_kind = { 3, 1 } });
        for (int i = 0; i < STEPS / WORLDS; i++) {
            Orders before = count_orders(storm.f);
            play(&storm);
            check_slots(storm.f);
            check_owners(storm.f);
            check_orders(&storm, before);
        }
        told += storm.told;
        arena_told += storm.arena_told;
        arenas_on += storm.arenas_on;
        pairing_fixture_free(storm.f);
    }
    assert_true(told > STEPS / 1000);
    assert_true(arena_told > STEPS / 1000);
    assert_true(arenas_on > STEPS / 20 && arenas_on < STEPS / 2);
}
