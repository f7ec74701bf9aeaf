/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A week of matchmaking among 512 bots, seven of ten of which run a well-known engine under another
 * name. A third of those say so in their biographies, the others when they are asked during a game.
 * The server lets us play a number of games against bots in any 24 hours, and answers 429 beyond.
 */
#include "engine/base/random.h"
#include "tests/support/pairing_fixture.h"

enum {
    BOTS = 512,
    DAYS = 7,
    GAME_MS = 7 * 60 * 1000,
    MINUTE_MS = 60 * 1000,
    DAY_MS = 24 * 60 * MINUTE_MS,
    GAMES_MAX = DAYS * 128,
};

typedef struct {
    bool is_clone, says_so; /* in the biography */
    int games;
} Bot;

typedef struct {
    PairingFixture *f;
    uint64_t random;
    Bot bots[BOTS];
    int64_t games_ms[GAMES_MAX]; /* when each began */
    int games, cap, refusals, known_clones;
    int playing;      /* the bot that we play with; -1: none */
    int64_t over_ms;  /* when that game is over */
    int64_t begin_ms; /* of the week */
} Week;

static bool chance(Week *week, uint64_t percent)
{
    return random_below(&week->random, 100) < percent;
}

static ApiAnswer answer_of(const Buf *body)
{
    return (ApiAnswer){ .outcome = API_OK, .status = 200, .body = { buf_view(body), body->len } };
}

static void list_bots(Week *week)
{
    Buf body;
    buf_init(&body, 1 << 20);
    for (int i = 0; i < BOTS; i++)
        assert_true(buf_printf(
            &body,
            "{\"id\":\"bot%03d\",\"profile\":{\"bio\":\"%s\"},\"perfs\":{\"blitz\":"
            "{\"rating\":%d}}}\n",
            i, week->bots[i].says_so ? "Runs Stockfish 17" : "Plays chess", 1500 + i % 900));
    pairing_answer(week->f, PAIR_ASK_ONLINE_BOTS, answer_of(&body));
    buf_release(&body);
}

/* Of those asked about, four of five are there and free. */
static void tell_status(Week *week)
{
    const SeekPlan *plan = &week->f->pairing.matchmaker.plan;
    Buf body;
    buf_init(&body, 1 << 16);
    assert_true(buf_put_text(&body, "["));
    for (int i = 0; i < plan->candidate_count; i++)
        assert_true(buf_printf(&body, "%s{\"id\":\"%s\",\"online\":%s}", i ? "," : "",
                               plan->candidates[i], chance(week, 80) ? "true" : "false"));
    assert_true(buf_put_text(&body, "]"));
    pairing_answer(week->f, PAIR_ASK_STATUS, answer_of(&body));
    buf_release(&body);
}

static int games_in_a_day(const Week *week)
{
    int count = 0;
    for (int i = 0; i < week->games; i++)
        count += week->f->now.ms - week->games_ms[i] < DAY_MS;
    return count;
}

static void say(Week *week, const char *text)
{
    pairing_feed(week->f,
                 &(PairInput){ .kind = PAIR_ON_LINE,
                               .request = { .ticket = pairing_open(week->f, PAIR_ASK_CREATE),
                                            .line = text_of(text) } });
}

static void start_game(Week *week, int bot, const char *id)
{
    PairingFixture *f = week->f;
    GameInfo info = { .id = "" };
    snprintf(info.id, sizeof info.id, "%s", id);
    snprintf(info.opponent.id, sizeof info.opponent.id, "bot%03d", bot);
    memcpy(info.opponent.title, "BOT", 4);
    slots_game_started(&f->slots, id, SLOTS_REALTIME,
                       slots_player(text_of(info.opponent.id), KIND_BOT));
    char key[FACT_KEY_SIZE];
    assert_true(fact_key_write(key, FACT_RUNS, text_of(info.opponent.id)));
    week->known_clones +=
        week->bots[bot].is_clone && facts_get(&f->facts, key, f->now.unix_ms) != NULL;
    week->bots[bot].games++;
    week->games_ms[week->games++] = f->now.ms;
    week->playing = bot;
    week->over_ms = f->now.ms + GAME_MS;
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, true } });
    if (week->bots[bot].is_clone) /* what it answers to !name */
        assert_true(
            facts_put(&f->facts, key, "stockfish 17", f->now.unix_ms + 30LL * DAY_MS, NULL));
}

static void take_challenge(Week *week)
{
    PairingFixture *f = week->f;
    char text[400], id[GAME_ID_SIZE];
    int bot = atoi(f->pairing.outgoing.entries[0].request.opponent + strlen("bot"));
    assert_in_range(week->games, 0, GAMES_MAX - 1);
    if (games_in_a_day(week) >= week->cap) {
        week->refusals++;
        ratelimit_note(&f->limit, FAMILY_CHALLENGE, 3600, true, f->now.ms);
        pairing_answer(f, PAIR_ASK_CREATE, (ApiAnswer){ .outcome = API_LIMITED, .status = 429 });
        return;
    }
    assert_int_equal(snprintf(id, sizeof id, "g%07d", week->games), 8);
    snprintf(text, sizeof text,
             "{\"id\":\"%s\",\"challenger\":{\"id\":\"castled-bot\"},\"destUser\":{\"id\":"
             "\"bot%03d\",\"title\":\"BOT\"},\"variant\":{\"key\":\"standard\"},\"timeControl\":"
             "{\"type\":\"clock\",\"limit\":180,\"increment\":2}}",
             id, bot);
    say(week, text);
    if (chance(week, 70)) {
        say(week, "{\"done\":\"accepted\"}");
        start_game(week, bot, id);
    } else {
        Challenge challenge = { .decline_reason = DECLINE_LATER };
        memcpy(challenge.id, id, sizeof id);
        pairing_feed(f, &(PairInput){ .kind = PAIR_ON_DECLINED, .challenge = &challenge });
    }
    if (pairing_open(f, PAIR_ASK_CREATE))
        pairing_answer(f, PAIR_ASK_CREATE, (ApiAnswer){ .outcome = API_OK, .status = 200 });
}

static void answer_all(Week *week)
{
    static const char us[] = "{\"id\":\"castled-bot\",\"perfs\":{\"blitz\":{\"rating\":2000}}}";
    PairingFixture *f = week->f;
    while (f->open_count > 0) {
        int before = f->open_count;
        if (pairing_open(f, PAIR_ASK_ACCOUNT))
            pairing_answer(f, PAIR_ASK_ACCOUNT,
                           (ApiAnswer){ .outcome = API_OK, .status = 200, .body = text_of(us) });
        else if (pairing_open(f, PAIR_ASK_ONLINE_BOTS))
            list_bots(week);
        else if (pairing_open(f, PAIR_ASK_STATUS))
            tell_status(week);
        else if (pairing_open(f, PAIR_ASK_CREATE))
            take_challenge(week);
        else if (before == f->open_count)
            break;
    }
}

static void end_game(Week *week)
{
    char id[GAME_ID_SIZE];
    if (week->playing < 0 || week->f->now.ms < week->over_ms)
        return;
    snprintf(id, sizeof id, "g%07d", week->games - 1);
    slots_game_over(&week->f->slots, id);
    week->playing = -1;
    pairing_feed(week->f, &(PairInput){ .kind = PAIR_ON_SLOT_FREED });
}

static Week *begin_week(int cap)
{
    char config[400];
    Week *week = calloc(1, sizeof *week);
    assert_non_null(week);
    snprintf(config, sizeof config,
             "[matchmaking]\nplay = yes\nidle = 30\nclocks = 3+2\navoid_engines = stockfish*\n"
             "prefer = unplayed\ngames_per_day = %d\n",
             cap);
    *week = (Week){ .f = pairing_fixture_new(config), .random = 7, .cap = cap, .playing = -1 };
    week->begin_ms = week->f->now.ms;
    for (int i = 0; i < BOTS; i++) {
        week->bots[i].is_clone = chance(week, 70);
        week->bots[i].says_so = week->bots[i].is_clone && chance(week, 33);
    }
    return week;
}

static void live(Week *week)
{
    PairingFixture *f = week->f;
    while (f->now.ms < week->begin_ms + DAYS * (int64_t)DAY_MS) {
        bool is_reading = f->pairing.matchmaker.seeking == SEEKING_READ;
        pairing_pass_ms(f, is_reading ? 1 : 1000);
        answer_all(week);
        end_game(week);
    }
}

TEST(a_week_is_played_with_bots_that_are_worth_it)
{
    static const int caps[] = { 100, 64 };
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        Week *week = begin_week(caps[i]);
        int met = 0, clones = 0, twice = 0;
        live(week);
        for (int bot = 0; bot < BOTS; bot++) {
            met += week->bots[bot].games > 0;
            clones += week->bots[bot].is_clone && week->bots[bot].games > 0;
            twice += week->bots[bot].is_clone && week->bots[bot].games > 1;
        }
        print_message("at most %d games a day: %d games in a week with %d bots, %d of them clones, "
                      "%d refusals\n",
                      week->cap, week->games, met, clones, week->refusals);
        assert_int_equal(week->known_clones, 0);
        assert_int_equal(twice, 0);
        assert_true(week->games >= DAYS * week->cap * 95 / 100);
        assert_true(week->refusals <= 1);
        assert_true(met >= 40);
        pairing_fixture_free(week->f);
        free(week);
    }
}
