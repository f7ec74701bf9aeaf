/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/account.h"

#include "bot/model/ids.h"

#include <ctype.h>
#include <stdio.h>

/* Makes a token with all that castled has a use for. */
#define TOKEN_PAGE                                                                                 \
    "%s/account/oauth/token/create?scopes[]=bot:play&scopes[]=challenge:read"                      \
    "&scopes[]=tournament:write"

/* True if the comma-joined list holds `scope`. */
static bool has_scope(Text list, const char *scope)
{
    size_t at = 0;
    while (at < list.len) {
        while (at < list.len && (list.at[at] == ',' || list.at[at] == ' '))
            at++;
        size_t start = at;
        while (at < list.len && list.at[at] != ',' && list.at[at] != ' ')
            at++;
        if (text_is((Text){ list.at + start, at - start }, scope))
            return true;
    }
    return false;
}

/* Letters, digits, - and _, as Lichess has them: what else may stand there would reach a terminal.
 */
static bool keep_name(char *out, size_t size, Text name)
{
    if (name.len == 0)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '-' && name.at[i] != '_')
            return false;
    return text_copy(out, size, name);
}

/* What an account that was read may do. */
static AccountVerdict judge_account(AccountCheck *out, const Account *account,
                                    const ApiAnswer *answer)
{
    Text name = account->name.len > 0 ? account->name : account->id;
    if (!keep_name(out->id, sizeof out->id, account->id) ||
        !keep_name(out->name, sizeof out->name, name))
        return ACCOUNT_UNREADABLE;
    user_id_from_name(out->id); /* PyChess writes the name there */
    out->games_played = account->games_played;
    out->has_bio = account->has_bio;
    out->is_marked = account->is_marked;
    if (account->is_closed)
        return ACCOUNT_REFUSED;
    if (answer->has_oauth_scopes && !has_scope(answer->oauth_scopes, "bot:play"))
        return ACCOUNT_NO_SCOPE;
    return account->is_bot ? ACCOUNT_READY : ACCOUNT_NOT_BOT;
}

static AccountVerdict judge(AccountCheck *out, const ApiAnswer *answer)
{
    switch (answer->outcome) {
    case API_OK: {
        Account account;
        if (!account_parse(&account, answer->body.at, answer->body.len, NULL))
            return ACCOUNT_UNREADABLE;
        AccountVerdict verdict = judge_account(out, &account, answer);
        account_release(&account);
        return verdict;
    }
    case API_UNAUTHORIZED:
        return ACCOUNT_TOKEN_WRONG;
    case API_FORBIDDEN:
        return ACCOUNT_REFUSED;
    case API_REFUSED:
        return ACCOUNT_UNREADABLE;
    case API_UNREACHABLE:
        return answer->is_untrusted ? ACCOUNT_UNTRUSTED : ACCOUNT_UNREACHABLE;
    case API_LIMITED:
    case API_SERVER_ERROR:
    case API_LOST:
    case API_SILENT:
        return ACCOUNT_UNREACHABLE;
    }
    return ACCOUNT_UNREADABLE;
}

static int write_advice(AccountCheck *out, const ApiAnswer *answer, const char *url)
{
    char *to = out->advice;
    size_t size = sizeof out->advice;
    switch (out->verdict) {
    case ACCOUNT_READY:
        if (out->is_marked)
            return snprintf(to, size,
                            "%s has marked the account %s (tosViolation): it plays on, but not in "
                            "tournaments, and not with everybody; to appeal see %s/appeal",
                            url, out->name, url);
        return 0;
    case ACCOUNT_TOKEN_WRONG:
        return snprintf(to, size,
                        "%s does not accept the token (%s): it is mistyped, revoked or expired; "
                        "castled login gets a new one, or make one at " TOKEN_PAGE,
                        url, answer->reason, url);
    case ACCOUNT_REFUSED:
        if (out->name[0])
            return snprintf(to, size, "%s has closed the account %s; see %s/contact", url,
                            out->name, url);
        return snprintf(to, size, "%s refuses the account (%s)", url, answer->reason);
    case ACCOUNT_NOT_BOT:
        return snprintf(to, size,
                        "%s is not a BOT account; bots play with accounts of their own: make a new "
                        "one that has never played, a token for it, and then: castled upgrade",
                        out->name);
    case ACCOUNT_NO_SCOPE: {
        Text scopes = answer->oauth_scopes.len > 0 ? answer->oauth_scopes : text_of("none");
        return snprintf(
            to, size,
            "the token of %s may not play (scopes: %.*s); make one with bot:play at " TOKEN_PAGE,
            out->name, TEXT_ARGS(scopes), url);
    }
    case ACCOUNT_UNREACHABLE:
        if (answer->status != 0)
            return snprintf(to, size, "%s answers %d (%s); it may be down for a while", url,
                            answer->status, answer->reason);
        return snprintf(to, size,
                        "%s cannot be reached (%s); check url in [account] and the network", url,
                        answer->reason);
    case ACCOUNT_UNTRUSTED:
        return snprintf(
            to, size,
            "%s has a certificate that is not trusted (%s); check the system's date and "
            "ca_file in [account]",
            url, answer->reason);
    case ACCOUNT_UNREADABLE:
        return snprintf(to, size,
                        "%s does not answer like Lichess (status %d); check url in "
                        "[account]",
                        url, answer->status);
    }
    return 0;
}

void account_judge(AccountCheck *out, const ApiAnswer *answer, const char *base_url)
{
    *out = (AccountCheck){ 0 };
    out->verdict = judge(out, answer);
    if (write_advice(out, answer, base_url) < 0)
        out->advice[0] = '\0';
}

bool account_is_hopeless(AccountVerdict verdict)
{
    switch (verdict) {
    case ACCOUNT_TOKEN_WRONG:
    case ACCOUNT_REFUSED:
    case ACCOUNT_NOT_BOT:
    case ACCOUNT_NO_SCOPE:
        return true;
    case ACCOUNT_READY:
    case ACCOUNT_UNREACHABLE:
    case ACCOUNT_UNTRUSTED:
    case ACCOUNT_UNREADABLE:
        return false;
    }
    return false;
}
