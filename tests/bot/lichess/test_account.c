/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/account.h"
#include "tests/support/unit.h"

#define BOT "{\"id\":\"castled-bot\",\"username\":\"Castled-Bot\",\"title\":\"BOT\"}"

TEST(each_answer_has_its_verdict_and_its_advice)
{
    static const struct {
        const char *name;
        ApiOutcome outcome;
        int status;
        const char *reason, *scopes, *body;
        bool untrusted;
        AccountVerdict verdict;
        bool hopeless;
        const char *advice; /* a part of it */
    } rows[] = {
        { "a bot", API_OK, 200, "", "bot:play,challenge:read", BOT, false, ACCOUNT_READY, false,
          "" },
        { "no scopes told", API_OK, 200, "", NULL, BOT, false, ACCOUNT_READY, false, "" },
        { "blanks in scopes", API_OK, 200, "", "challenge:read, bot:play", BOT, false,
          ACCOUNT_READY, false, "" },
        { "a human", API_OK, 200, "", "bot:play", "{\"id\":\"anna\",\"username\":\"Anna\"}", false,
          ACCOUNT_NOT_BOT, true, "Anna is not a BOT account" },
        { "no bot:play", API_OK, 200, "", "challenge:read,board:play", BOT, false, ACCOUNT_NO_SCOPE,
          true, "may not play (scopes: challenge:read,board:play)" },
        { "a scope that only begins so", API_OK, 200, "", "bot:player", BOT, false,
          ACCOUNT_NO_SCOPE, true, "bot:play at https://x/account" },
        { "no scope at all", API_OK, 200, "", "", BOT, false, ACCOUNT_NO_SCOPE, true,
          "(scopes: none)" },
        { "closed", API_OK, 200, "", "bot:play",
          "{\"id\":\"b\",\"username\":\"B\",\"title\":\"BOT\",\"disabled\":true}", false,
          ACCOUNT_REFUSED, true, "has closed the account B" },
        { "marked", API_OK, 200, "", "bot:play",
          "{\"id\":\"b\",\"username\":\"B\",\"title\":\"BOT\",\"tosViolation\":true}", false,
          ACCOUNT_READY, false, "has marked the account B (tosViolation)" },
        { "wrong token, and how to make one", API_UNAUTHORIZED, 401, "No such token", NULL, "",
          false, ACCOUNT_TOKEN_WRONG, true,
          "scopes[]=bot:play&scopes[]=challenge:read&scopes[]=tourn" },
        { "wrong token", API_UNAUTHORIZED, 401, "No such token", NULL, "", false,
          ACCOUNT_TOKEN_WRONG, true, "does not accept the token (No such token)" },
        { "forbidden", API_FORBIDDEN, 403, "Missing scope", NULL, "", false, ACCOUNT_REFUSED, true,
          "refuses the account (Missing scope)" },
        { "down", API_SERVER_ERROR, 502, "no JSON but \"Bad Gateway\"", NULL, "", false,
          ACCOUNT_UNREACHABLE, false, "answers 502" },
        { "too often", API_LIMITED, 429, "Too many requests", NULL, "", false, ACCOUNT_UNREACHABLE,
          false, "answers 429" },
        { "no network", API_UNREACHABLE, 0, "Could not resolve host", NULL, "", false,
          ACCOUNT_UNREACHABLE, false, "cannot be reached (Could not resolve host)" },
        { "no answer", API_LOST, 0, "Timeout", NULL, "", false, ACCOUNT_UNREACHABLE, false,
          "cannot be reached (Timeout)" },
        { "foreign certificate", API_UNREACHABLE, 0, "self-signed", NULL, "", true,
          ACCOUNT_UNTRUSTED, false, "not trusted (self-signed)" },
        { "another site", API_OK, 200, "", NULL, "<html>welcome</html>", false, ACCOUNT_UNREADABLE,
          false, "does not answer like Lichess" },
        { "no such page", API_REFUSED, 404, "Not found", NULL, "", false, ACCOUNT_UNREADABLE, false,
          "does not answer like Lichess (status 404)" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ApiAnswer answer = {
            .outcome = rows[i].outcome,
            .status = rows[i].status,
            .reason = rows[i].reason,
            .oauth_scopes = text_of(rows[i].scopes),
            .has_oauth_scopes = rows[i].scopes != NULL,
            .body = text_of(rows[i].body),
            .is_untrusted = rows[i].untrusted,
        };
        AccountCheck check;
        account_judge(&check, &answer, "https://x");
        if (check.verdict != rows[i].verdict || !strstr(check.advice, rows[i].advice))
            fail_msg("%s: %d \"%s\"", rows[i].name, check.verdict, check.advice);
        assert_int_equal(account_is_hopeless(check.verdict), rows[i].hopeless);
        assert_int_equal(check.verdict == ACCOUNT_READY && !check.is_marked,
                         check.advice[0] == '\0');
    }
}

TEST(a_ready_account_has_id_and_name)
{
    ApiAnswer answer = { .outcome = API_OK, .status = 200, .reason = "", .body = text_of(BOT) };
    AccountCheck check;
    account_judge(&check, &answer, "https://x");
    assert_string_equal(check.id, "castled-bot");
    assert_string_equal(check.name, "Castled-Bot");
}

TEST(absurd_names_are_no_account)
{
    char body[400] = "{\"title\":\"BOT\",\"id\":\"";
    size_t len = strlen(body);
    memset(body + len, 'x', 200);
    memcpy(body + len + 200, "\"}", 3);
    ApiAnswer answer = { .outcome = API_OK, .status = 200, .reason = "", .body = text_of(body) };
    AccountCheck check;
    account_judge(&check, &answer, "https://x");
    assert_int_equal(check.verdict, ACCOUNT_UNREADABLE);
    static const char *const names[] = { "\\u001b[2J", "a\\nb", "a b", "\\u202ea" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        assert_true(snprintf(text, sizeof text,
                             "{\"title\":\"BOT\",\"id\":\"bot\",\"username\":\"%s\"}",
                             names[i]) > 0);
        answer.body = text_of(text);
        account_judge(&check, &answer, "https://x");
        assert_int_equal(check.verdict, ACCOUNT_UNREADABLE);
    }
}
