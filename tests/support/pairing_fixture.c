/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/pairing_fixture.h"

#include "bot/config/config.h"
#include "bot/lichess/challenge_list.h"
#include "engine/base/duration.h"
#include "engine/base/number.h"
#include "tests/support/arena_words.h"

static const char ours[] = "ours1111", other[] = "busy1111";

static const char *const ask_names[] = {
    [PAIR_ASK_CREATE] = "create",    [PAIR_ASK_CANCEL] = "cancel",
    [PAIR_ASK_ACCOUNT] = "account",  [PAIR_ASK_ONLINE_BOTS] = "online",
    [PAIR_ASK_STATUS] = "status",    [PAIR_ASK_ACCEPT] = "accept",
    [PAIR_ASK_DECLINE] = "decline",  [PAIR_ASK_CHALLENGES] = "challenges",
    [PAIR_ASK_PROFILE] = "profile",  [PAIR_ASK_ARENA] = "look",
    [PAIR_ASK_JOIN] = "join",        [PAIR_ASK_WITHDRAW] = "withdraw",
    [PAIR_ASK_TEAM_ARENAS] = "team",
};

static const char *const end_names[] = {
    [OUTGOING_ACCEPTED] = "accepted",     [OUTGOING_DECLINED] = "declined",
    [OUTGOING_UNANSWERED] = "unanswered", [OUTGOING_REFUSED] = "refused",
    [OUTGOING_LIMITED] = "limited",       [OUTGOING_LOST] = "lost",
};

#define BODY(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
#define OUR_ACCOUNT "{\"id\":\"castled-bot\",\"perfs\":{\"blitz\":{\"games\":9,\"rating\":2000}}}"
#define ALBA_ONLINE                                                                                \
    "{\"id\":\"alba\",\"title\":\"BOT\",\"perfs\":{\"blitz\":{\"games\":9,\"rating\":2000}}}\n"
#define OLD_ACCOUNT                                                                                \
    "{\"id\":\"user-a\",\"username\":\"U\",\"createdAt\":1500000000000,\"count\":{\"all\":9}}"
#define YOUNG_ACCOUNT                                                                              \
    "{\"id\":\"user-a\",\"username\":\"U\",\"createdAt\":1704067100000,\"count\":{\"all\":9}}"
#define CLONE_ACCOUNT                                                                              \
    "{\"id\":\"user-x\",\"username\":\"U\",\"createdAt\":1500000000000,\"count\":{\"all\":9},"     \
    "\"profile\":{\"bio\":\"I run Stockfish 17\"}}"
#define ALBA_FREE "[{\"id\":\"alba\",\"online\":true}]"

static bool is_blocked(void *user, Text id)
{
    (void)user;
    return text_is(id, "blocked");
}

static EngineNames engine_names;

static bool is_only(void *user, Text id)
{
    (void)user;
    return text_is(id, "listed");
}

PairingFixture *pairing_fixture_new(const char *config)
{
    PairingFixture *f = calloc(1, sizeof *f);
    Buf problems;
    assert_non_null(f);
    buf_init(&problems, 10000);
    const char *text = config ? config : "";
    if (!config_parse(&f->config, "test", text, strlen(text), &problems))
        fail_msg("%s", buf_view(&problems));
    buf_release(&problems);
    assert_true(engine_names_parse(&engine_names, engine_names_asset("engines.txt"), NULL));
    slots_init(&f->slots, (SlotLimits){ .of_kind = { 2, 1 } });
    ratelimit_init(&f->limit);
    facts_init(&f->facts);
    recent_games_init(&f->recent_games);
    f->now = (PairTime){ .ms = 1000000, .unix_ms = PAIRING_BEGIN_UNIX_MS };
    f->view = (PairView){ .config = &f->config,
                          .limit = &f->limit,
                          .facts = &f->facts,
                          .our_id = "castled-bot",
                          .ends_ms = INT64_MAX,
                          .open_since_ms = f->now.ms - 60000,
                          .recent_games = &f->recent_games,
                          .is_allowed = is_blocked,
                          .is_blocked = is_blocked,
                          .is_only = is_only,
                          .engine_names = &engine_names,
                          .cores = 2,
                          .user = f };
    pairing_init(&f->pairing, &f->slots, &f->view, 1, f->now);
    return f;
}

void pairing_fixture_free(PairingFixture *f)
{
    pairing_release(&f->pairing);
    facts_release(&f->facts);
    config_release(&f->config);
    free(f);
}

/* Appends a word; once it is full, what comes later is not kept. */
static void note_word(char *log, const char *word)
{
    size_t len = strlen(log);
    if (len + strlen(word) + 2 < PAIRING_LOG_SIZE)
        snprintf(log + len, PAIRING_LOG_SIZE - len, "%s%s", len ? " " : "", word);
}

/* What was accepted before a drain may be sent again. */
static bool is_tried_again(const Incoming *incoming, const PairRequest *request)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        if (incoming->acceptances[i].ticket == request->ticket)
            return incoming->acceptances[i].tries > 1;
    return false;
}

/* "create", "accept:a1". */
static void note_request(PairingFixture *f, const PairRequest *request)
{
    char word[40];
    bool is_answer = request->ask == PAIR_ASK_ACCEPT || request->ask == PAIR_ASK_DECLINE;
    int len =
        snprintf(word, sizeof word, "%s%s%.1s%.1s", ask_names[request->ask], is_answer ? ":" : "",
                 is_answer ? request->id : "", is_answer ? request->id + 4 : "");
    assert_in_range(len, 1, sizeof word - 1);
    note_word(f->asked, word);
    if (request->ask == PAIR_ASK_ACCEPT && f->view.is_draining)
        assert_true(is_tried_again(&f->pairing.incoming, request));
}

static void open_request(PairingFixture *f, const PairRequest *request)
{
    assert_true(f->open_count < PAIRING_OPEN_MAX);
    for (int i = 0; i < f->open_count; i++) {
        assert_int_not_equal(f->open[i].ticket, request->ticket);
        if (request->ask == PAIR_ASK_ACCEPT && f->open[i].ask == PAIR_ASK_ACCEPT)
            assert_string_not_equal(f->open[i].id, request->id);
    }
    if (request->ask == PAIR_ASK_CREATE)
        assert_false(f->view.is_draining || arenas_are_on(&f->pairing.arenas));
    f->open[f->open_count++] = (OpenRequest){ .ask = request->ask, .ticket = request->ticket };
    memcpy(f->open[f->open_count - 1].id, request->id, GAME_ID_SIZE);
    note_request(f, request);
}

static void close_request(PairingFixture *f, uint32_t ticket, char id[GAME_ID_SIZE])
{
    for (int i = 0; i < f->open_count; i++) {
        if (f->open[i].ticket != ticket)
            continue;
        memcpy(id, f->open[i].id, GAME_ID_SIZE);
        f->open[i] = f->open[--f->open_count];
        return;
    }
    fail_msg("no request of ticket %u is open", ticket);
}

/* One word: "no:Wrong_entry_code". */
static void note_sentence(char *log, const char *prefix, const char *text)
{
    char word[PAIR_WHY_SIZE + 8];
    int len = snprintf(word, sizeof word, "%s%s", prefix, text);
    assert_in_range(len, 0, sizeof word - 1);
    for (char *at = word; *at; at++)
        if (*at == ' ')
            *at = '_';
    note_word(log, word);
}

static void carry_out(PairingFixture *f, const PairEffect *effect)
{
    char key[FACT_KEY_SIZE], id[GAME_ID_SIZE];
    switch (effect->kind) {
    case PAIR_DO_REQUEST:
        open_request(f, &effect->request);
        break;
    case PAIR_DO_HANG_UP:
        close_request(f, effect->ticket, id);
        break;
    case PAIR_DO_REMEMBER:
        assert_true(fact_key_write(key, effect->fact.kind, text_of(effect->fact.id)));
        assert_true(
            facts_put(&f->facts, key, effect->fact.value, effect->fact.expires_unix_ms, NULL));
        f->remembered++;
        break;
    case PAIR_DO_TELL:
        note_word(f->told, end_names[effect->result.end]);
        break;
    case PAIR_DO_TELL_ARENA:
        note_sentence(f->arena_told, effect->arena.is_done ? "done:" : "no:", effect->arena.text);
        break;
    case PAIR_DO_REPORT_DENIAL:
        f->denials++;
        break;
    case PAIR_DO_LOOK_FOR_GAMES:
        f->looks++;
        break;
    case PAIR_DO_NOTE:
        if (effect->note.kind == PAIR_NOTE_ARENA_LEFT)
            note_sentence(f->left, "", effect->note.why);
        break;
    }
}

static bool is_being_accepted(const PairingFixture *f, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        if (strcmp(f->pairing.incoming.acceptances[i].id, id) == 0)
            return true;
    return false;
}

/* A slot without an end is held for an acceptance under way; one under way ends by itself. */
static void check_acceptances(const PairingFixture *f)
{
    const SlotsList *held = &f->slots.accepted;
    for (int i = 0; i < held->count; i++)
        assert_true(held->entries[i].until_ms != INT64_MAX ||
                    is_being_accepted(f, held->entries[i].id));
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        const Acceptance *acceptance = &f->pairing.incoming.acceptances[i];
        if (acceptance->id[0] != '\0')
            assert_true(acceptance->ticket != 0 || acceptance->due_ms != INT64_MAX);
    }
}

/* Nobody who could be accepted is forgotten: an answer about them is awaited, or the state asks
 * for a time at which their turn comes. */
static void check_waiting(const PairingFixture *f)
{
    const Incoming *incoming = &f->pairing.incoming;
    const SlotsEntry *next = slots_peek(&f->slots);
    int64_t now = f->now.ms;
    if (f->view.is_draining || arenas_are_on(&f->pairing.arenas) || !next)
        return;
    int64_t next_at = pairing_next_at_ms(&f->pairing, &f->view, f->now);
    bool is_kept =
        now < incoming->pause_until_ms || ratelimit_wait_ms(&f->limit, FAMILY_CHALLENGE, now) > 0;
    if (is_kept)
        assert_true(next_at <= now + 60000);
    else
        assert_true(next_at <= now || incoming->look != 0 || incoming->line_ms != INT64_MAX);
}

/* A tournament's request is awaited, or one is due, or a game of it or draining goes on. One that
 * is over for us is let go at once. */
static void check_arenas(const PairingFixture *f)
{
    const Arenas *arenas = &f->pairing.arenas;
    for (int i = 0; i < ARENAS_MAX; i++) {
        const ArenaEntry *entry = &arenas->entries[i];
        if (!entry->is_used)
            continue;
        assert_int_not_equal(entry->arena.phase, ARENA_OUT);
        assert_true(entry->ticket != 0 || arenas->look_ms != INT64_MAX || f->view.is_draining ||
                    slots_plays(&f->slots, entry->game_id));
    }
}

/* What holds after every step, whatever the inputs. */
static void check(const PairingFixture *f)
{
    const Slots *slots = &f->slots;
    assert_true(slots_count(&slots->accepted, SLOTS_REALTIME) <=
                slots->limits.of_kind[SLOTS_REALTIME]);
    check_acceptances(f);
    check_waiting(f);
    check_arenas(f);
    for (int i = 0; i < OUTGOING_MAX; i++) {
        const OutgoingEntry *entry = &f->pairing.outgoing.entries[i];
        bool is_free = entry->state == OUTGOING_FREE;
        assert_int_equal(entry->cancel != 0, entry->state == OUTGOING_CANCELLING);
        if (is_free)
            assert_int_equal(entry->stream, 0);
        if (entry->state == OUTGOING_CREATING || entry->state == OUTGOING_WITHDRAWN)
            assert_int_not_equal(entry->stream, 0);
        if (entry->state == OUTGOING_OPEN || entry->state == OUTGOING_ANSWERED)
            assert_true(entry->due_ms != INT64_MAX);
    }
}

void pairing_restart(PairingFixture *f)
{
    pairing_release(&f->pairing);
    f->open_count = 0;
    memset(&f->slots.accepted, 0, sizeof f->slots.accepted);
    pairing_init(&f->pairing, &f->slots, &f->view, 1, f->now);
}

void pairing_feed(PairingFixture *f, const PairInput *input)
{
    pairing_step(&f->pairing, input, &f->view, f->now, &f->todo);
    for (int i = 0; i < f->todo.count; i++)
        carry_out(f, &f->todo.list[i]);
    check(f);
}

void pairing_pass_ms(PairingFixture *f, int64_t ms)
{
    f->now.ms += ms;
    f->now.unix_ms += ms;
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_TIME });
}

void pairing_pass_until_due(PairingFixture *f)
{
    int64_t at = pairing_next_at_ms(&f->pairing, &f->view, f->now);
    assert_true(at != INT64_MAX);
    pairing_pass_ms(f, duration_until(at, f->now.ms));
}

uint32_t pairing_open(const PairingFixture *f, PairAsk ask)
{
    for (int i = 0; i < f->open_count; i++)
        if (f->open[i].ask == ask)
            return f->open[i].ticket;
    return 0;
}

static void on_listed(void *user, const Event *event)
{
    pairing_feed(user, &(PairInput){ .kind = PAIR_ON_FOUND, .event = event });
}

void pairing_answer(PairingFixture *f, PairAsk ask, ApiAnswer answer)
{
    uint32_t ticket = pairing_open(f, ask);
    if (ticket == 0)
        fail_msg("no %s is asked", ask_names[ask]);
    char id[GAME_ID_SIZE];
    if (!answer.reason)
        answer.reason = "";
    close_request(f, ticket, id);
    pairing_feed(f, &(PairInput){
                        .kind = PAIR_ON_ANSWER,
                        .request = { .ticket = ticket, .ask = ask, .id = id, .answer = &answer } });
    if (ask == PAIR_ASK_CHALLENGES && answer.outcome == API_OK)
        challenge_list_each(answer.body.at, answer.body.len, on_listed, f);
}

/* A script's words. */

static void line(PairingFixture *f, const char *text)
{
    uint32_t ticket = pairing_open(f, PAIR_ASK_CREATE);
    assert_int_not_equal(ticket, 0);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LINE,
                                  .request = { .ticket = ticket, .line = text_of(text) } });
}

static const ChallengeRequest *request(void)
{
    static const ChallengeRequest alba = { .opponent = "alba",
                                           .base_s = 180,
                                           .increment_s = 2,
                                           .variant = VARIANT_STANDARD,
                                           .colour = COLOUR_NONE };
    return &alba;
}

static void order(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_CHALLENGE_ORDER,
                                  .order = { .challenge = request(), .number = ++f->orders } });
}

static void plan(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_SCHEDULE_ORDER,
                                  .order = { .challenge = request(),
                                             .at_unix_s = f->now.unix_ms / 1000 + 60,
                                             .games = 2 } });
}

static void drop(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_UNSCHEDULE_ORDER, .order = { .number = 1 } });
}

static void made(PairingFixture *f)
{
    line(f, "{\"id\":\"ours1111\",\"status\":\"created\",\"challenger\":{\"id\":\"castled-bot\"},"
            "\"destUser\":{\"id\":\"alba\",\"title\":\"BOT\"},\"variant\":{\"key\":\"standard\"},"
            "\"speed\":\"blitz\",\"timeControl\":{\"type\":\"clock\",\"limit\":180,"
            "\"increment\":2}}");
}

static void says_accepted(PairingFixture *f)
{
    line(f, "{\"done\":\"accepted\"}");
}

static void says_declined(PairingFixture *f)
{
    line(f, "{\"done\":\"declined\"}");
}

static void started(PairingFixture *f)
{
    GameInfo info = { .id = "" };
    memcpy(info.id, ours, sizeof ours);
    slots_game_started(&f->slots, ours, SLOTS_REALTIME, slots_player(text_of("alba"), KIND_BOT));
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, true } });
}

static void free_slot(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_SLOT_FREED });
}

static void over(PairingFixture *f)
{
    slots_game_over(&f->slots, ours);
    free_slot(f);
}

static void event_declined(PairingFixture *f)
{
    Challenge challenge = { .decline_reason = DECLINE_TOO_FAST };
    memcpy(challenge.id, ours, sizeof ours);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_DECLINED, .challenge = &challenge });
}

static void event_canceled(PairingFixture *f)
{
    Challenge challenge = { .decline_reason = DECLINE_UNKNOWN };
    memcpy(challenge.id, ours, sizeof ours);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_CANCELED, .challenge = &challenge });
}

static void offline(PairingFixture *f)
{
    f->view.open_since_ms = INT64_MAX;
}

static void online(PairingFixture *f)
{
    f->view.open_since_ms = f->now.ms;
}

static void drain(PairingFixture *f)
{
    f->view.is_draining = true;
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_SEND_AWAY, .why = "draining" });
}

static void settings(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_SETTINGS });
}

static void resume(PairingFixture *f)
{
    f->view.is_draining = false;
    settings(f);
}

static void take_one_slot(PairingFixture *f)
{
    slots_resize(&f->slots, (SlotLimits){ .of_kind = { 1, 1 } });
}

static void limit_answers(PairingFixture *f)
{
    ratelimit_note(&f->limit, FAMILY_CHALLENGE, 60, true, f->now.ms);
}

static void open_stream(PairingFixture *f)
{
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_STREAM_OPENED });
}

/* Challenges to us: user-a's first is a0001000. Those from user-x on are bots. */

static void write_id(char out[GAME_ID_SIZE], char who, char which)
{
    assert_int_equal(snprintf(out, GAME_ID_SIZE, "%c000%c000", who, which), 8);
}

static void write_challenge(char *out, size_t size, char who, char which)
{
    char id[GAME_ID_SIZE];
    write_id(id, who, which);
    int len = snprintf(out, size,
                       "{\"id\":\"%s\",\"challenger\":{\"id\":\"user-%c\",\"name\":\"User\"%s},"
                       "\"destUser\":{\"id\":\"castled-bot\"},\"variant\":{\"key\":\"standard\"},"
                       "\"speed\":\"blitz\",\"rated\":false,\"timeControl\":{\"type\":\"clock\","
                       "\"limit\":180,\"increment\":2}}",
                       id, who, who >= 'x' ? ",\"title\":\"BOT\"" : "");
    assert_in_range(len, 1, size - 1);
}

void pairing_challenge(PairingFixture *f, char who, char which)
{
    char text[600];
    Event event;
    write_challenge(text, sizeof text, who, which);
    assert_true(challenge_parse(&event, text, strlen(text), NULL));
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_CHALLENGE, .event = &event });
    event_release(&event);
}

void pairing_leave(PairingFixture *f, char who, char which)
{
    Challenge challenge = { .id = "" };
    write_id(challenge.id, who, which);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_CANCELED, .challenge = &challenge });
}

void pairing_start(PairingFixture *f, char who, char which)
{
    GameInfo info = { .id = "" };
    const char user[] = { 'u', 's', 'e', 'r', '-', who, '\0' };
    write_id(info.id, who, which);
    slots_game_started(&f->slots, info.id, SLOTS_REALTIME, slots_player(text_of(user), KIND_HUMAN));
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_GAME_STARTED, .game = { &info, false } });
}

static void end_game(PairingFixture *f, char who, char which)
{
    char id[GAME_ID_SIZE];
    write_id(id, who, which);
    slots_game_over(&f->slots, id);
    free_slot(f);
}

void pairing_see(PairingFixture *f, char who, char which)
{
    char one[600], list[640];
    write_challenge(one, sizeof one, who, which);
    int len = snprintf(list, sizeof list, "{\"in\":[%s],\"out\":[]}", one);
    assert_in_range(len, 1, sizeof list - 1);
    pairing_answer(f, PAIR_ASK_CHALLENGES,
                   (ApiAnswer){ .outcome = API_OK, .body = { list, (size_t)len } });
}

static bool play_theirs(PairingFixture *f, Text word)
{
    static const struct {
        const char *what;
        void (*play)(PairingFixture *f, char who, char which);
    } kinds[] = { { "", pairing_challenge },
                  { "-leaves", pairing_leave },
                  { "-starts", pairing_start },
                  { "-ends", end_game },
                  { "-seen", pairing_see } };
    bool is_theirs = word.len >= 2 && word.at[0] >= 'a' && word.at[0] <= 'z' && word.at[1] >= '1' &&
                     word.at[1] <= '9';
    for (size_t i = 0; is_theirs && i < sizeof kinds / sizeof *kinds; i++) {
        if (!text_is((Text){ word.at + 2, word.len - 2 }, kinds[i].what))
            continue;
        kinds[i].play(f, word.at[0], word.at[1]);
        return true;
    }
    return false;
}

static void busy(PairingFixture *f)
{
    slots_game_started(&f->slots, other, SLOTS_REALTIME, slots_player(text_of("bo"), KIND_HUMAN));
}

static void be_free(PairingFixture *f)
{
    slots_game_over(&f->slots, other);
    free_slot(f);
}

static const struct {
    const char *word;
    void (*play)(PairingFixture *f);
} words[] = {
    { "due", pairing_pass_until_due },
    { "order", order },
    { "plan", plan },
    { "drop", drop },
    { "made", made },
    { "accepted", says_accepted },
    { "declined", says_declined },
    { "started", started },
    { "over", over },
    { "event-declined", event_declined },
    { "event-canceled", event_canceled },
    { "offline", offline },
    { "online", online },
    { "drain", drain },
    { "resume", resume },
    { "busy", busy },
    { "free", be_free },
    { "one-slot", take_one_slot },
    { "limit", limit_answers },
    { "opened", open_stream },
    { "settings", settings },
};

static const struct {
    const char *word;
    PairAsk ask;
    ApiAnswer answer;
} answers[] = {
    { "ends", PAIR_ASK_CREATE, { .outcome = API_OK } },
    { "refused", PAIR_ASK_CREATE, { .outcome = API_REFUSED, .status = 400, .reason = "no" } },
    { "forbidden", PAIR_ASK_CREATE, { .outcome = API_FORBIDDEN, .status = 403, .reason = "no" } },
    { "unauthorized", PAIR_ASK_CREATE, { .outcome = API_UNAUTHORIZED, .status = 401 } },
    { "limited", PAIR_ASK_CREATE, { .outcome = API_LIMITED, .status = 429, .wait_s = 120 } },
    { "broken", PAIR_ASK_CREATE, { .outcome = API_SERVER_ERROR, .status = 502 } },
    { "lost", PAIR_ASK_CREATE, { .outcome = API_LOST } },
    { "gone", PAIR_ASK_CANCEL, { .outcome = API_OK } },
    { "rated", PAIR_ASK_ACCOUNT, { .outcome = API_OK, .body = BODY(OUR_ACCOUNT) } },
    { "unrated", PAIR_ASK_ACCOUNT, { .outcome = API_LOST } },
    { "listed", PAIR_ASK_ONLINE_BOTS, { .outcome = API_OK, .body = BODY(ALBA_ONLINE) } },
    { "unlisted", PAIR_ASK_ONLINE_BOTS, { .outcome = API_SERVER_ERROR } },
    { "somebody", PAIR_ASK_STATUS, { .outcome = API_OK, .body = BODY(ALBA_FREE) } },
    { "granted", PAIR_ASK_ACCEPT, { .outcome = API_OK, .status = 200 } },
    { "accept-no", PAIR_ASK_ACCEPT, { .outcome = API_REFUSED, .status = 404 } },
    { "accept-lost", PAIR_ASK_ACCEPT, { .outcome = API_LOST } },
    { "accept-broken", PAIR_ASK_ACCEPT, { .outcome = API_SERVER_ERROR, .status = 502 } },
    { "accept-token", PAIR_ASK_ACCEPT, { .outcome = API_UNAUTHORIZED, .status = 401 } },
    { "accept-banned", PAIR_ASK_ACCEPT, { .outcome = API_FORBIDDEN, .status = 403 } },
    { "accept-limited", PAIR_ASK_ACCEPT, { .outcome = API_LIMITED, .status = 429 } },
    { "accept-spent",
      PAIR_ASK_ACCEPT,
      { .outcome = API_LIMITED, .status = 429, .limit_key = BODY("bot.vsBot.day") } },
    { "unsent", PAIR_ASK_DECLINE, { .outcome = API_UNREACHABLE } },
    { "sees-nobody", PAIR_ASK_CHALLENGES, { .outcome = API_OK, .body = BODY("{\"in\":[]}") } },
    { "list-lost", PAIR_ASK_CHALLENGES, { .outcome = API_LOST } },
    { "list-denied",
      PAIR_ASK_CHALLENGES,
      { .outcome = API_FORBIDDEN, .status = 403, .reason = "Missing scope: challenge:read" } },
    { "known", PAIR_ASK_PROFILE, { .outcome = API_OK, .body = BODY(OLD_ACCOUNT) } },
    { "young", PAIR_ASK_PROFILE, { .outcome = API_OK, .body = BODY(YOUNG_ACCOUNT) } },
    { "clone", PAIR_ASK_PROFILE, { .outcome = API_OK, .body = BODY(CLONE_ACCOUNT) } },
    { "unknown-user", PAIR_ASK_PROFILE, { .outcome = API_LOST } },
    { "nobody", PAIR_ASK_STATUS, { .outcome = API_OK, .body = BODY("[]") } },
    { "unknown", PAIR_ASK_STATUS, { .outcome = API_LOST } },
};

static bool play_word(PairingFixture *f, Text word)
{
    int64_t ms;
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
    if (play_theirs(f, word) || arena_word_play(f, word))
        return true;
    if (word.at[0] != '+' || !number_parse(word.at + 1, word.len - 1, 0, INT32_MAX, &ms, NULL))
        return false;
    pairing_pass_ms(f, ms);
    return true;
}

void pairing_play(PairingFixture *f, const char *script)
{
    Text rest = text_of(script);
    for (Text word; (word = text_next_word(&rest, " ")).len > 0;)
        if (!play_word(f, word))
            fail_msg("%.*s: no word of a script", TEXT_ARGS(word));
}
