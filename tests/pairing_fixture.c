/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/pairing_fixture.h"

#include "engine/base/number.h"

static const char ours[] = "ours1111", other[] = "busy1111";

static const char *const ask_names[] = {
    [PAIR_ASK_CREATE] = "create",      [PAIR_ASK_CANCEL] = "cancel", [PAIR_ASK_ACCOUNT] = "account",
    [PAIR_ASK_ONLINE_BOTS] = "online", [PAIR_ASK_STATUS] = "status",
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
#define ALBA_FREE "[{\"id\":\"alba\",\"online\":true}]"

static bool is_blocked(void *user, Text id)
{
    (void)user;
    return text_is(id, "blocked");
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
    slots_init(&f->slots, (SlotLimits){ .of_kind = { 2, 1 } });
    ratelimit_init(&f->limit);
    facts_init(&f->facts);
    f->now = (PairTime){ .ms = 1000000, .unix_ms = PAIRING_BEGIN_UNIX_MS };
    f->view = (PairView){ .config = &f->config,
                          .limit = &f->limit,
                          .facts = &f->facts,
                          .our_id = "castled-bot",
                          .ends_ms = INT64_MAX,
                          .open_since_ms = f->now.ms - 60000,
                          .is_blocked = is_blocked,
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

static void open_request(PairingFixture *f, const PairRequest *request)
{
    assert_true(f->open_count < PAIRING_OPEN_MAX);
    for (int i = 0; i < f->open_count; i++)
        assert_int_not_equal(f->open[i].ticket, request->ticket);
    if (request->ask == PAIR_ASK_CREATE)
        assert_false(f->view.is_draining || f->view.is_in_arena);
    f->open[f->open_count++] = (OpenRequest){ request->ask, request->ticket };
    note_word(f->asked, ask_names[request->ask]);
}

static void close_request(PairingFixture *f, uint32_t ticket)
{
    for (int i = 0; i < f->open_count; i++) {
        if (f->open[i].ticket != ticket)
            continue;
        f->open[i] = f->open[--f->open_count];
        return;
    }
    fail_msg("no request of ticket %u is open", ticket);
}

static void carry_out(PairingFixture *f, const PairEffect *effect)
{
    char key[FACT_KEY_SIZE];
    switch (effect->kind) {
    case PAIR_DO_REQUEST:
        open_request(f, &effect->request);
        break;
    case PAIR_DO_HANG_UP:
        close_request(f, effect->ticket);
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
    case PAIR_DO_REPORT_DENIAL:
        f->denials++;
        break;
    case PAIR_DO_LOOK_FOR_GAMES:
        f->looks++;
        break;
    case PAIR_DO_NOTE:
        break;
    }
}

/* What holds after every step, whatever the inputs. */
static void check(const PairingFixture *f)
{
    const Slots *slots = &f->slots;
    assert_true(slots_count(&slots->accepted, SLOTS_REALTIME) <=
                slots->limits.of_kind[SLOTS_REALTIME]);
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
    int64_t at = pairing_next_at_ms(&f->pairing);
    assert_true(at != INT64_MAX);
    pairing_pass_ms(f, at > f->now.ms ? at - f->now.ms : 0);
}

uint32_t pairing_open(const PairingFixture *f, PairAsk ask)
{
    for (int i = 0; i < f->open_count; i++)
        if (f->open[i].ask == ask)
            return f->open[i].ticket;
    return 0;
}

void pairing_answer(PairingFixture *f, PairAsk ask, ApiAnswer answer)
{
    uint32_t ticket = pairing_open(f, ask);
    if (ticket == 0)
        fail_msg("no %s is asked", ask_names[ask]);
    if (!answer.reason)
        answer.reason = "";
    close_request(f, ticket);
    pairing_feed(
        f, &(PairInput){ .kind = PAIR_ON_ANSWER, .request = { ticket, ask, &answer, { 0 } } });
}

/* A script's words. */

static void line(PairingFixture *f, const char *text)
{
    uint32_t ticket = pairing_open(f, PAIR_ASK_CREATE);
    assert_int_not_equal(ticket, 0);
    pairing_feed(f, &(PairInput){ .kind = PAIR_ON_LINE,
                                  .request = { ticket, PAIR_ASK_CREATE, NULL, text_of(text) } });
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

static void over(PairingFixture *f)
{
    slots_game_over(&f->slots, ours);
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
}

static void resume(PairingFixture *f)
{
    f->view.is_draining = false;
}

static void busy(PairingFixture *f)
{
    slots_game_started(&f->slots, other, SLOTS_REALTIME, slots_player(text_of("bo"), KIND_HUMAN));
}

static void be_free(PairingFixture *f)
{
    slots_game_over(&f->slots, other);
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
