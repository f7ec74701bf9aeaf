/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_ask.h"
#include "tests/support/chess.h"

TEST(each_service_is_asked_in_its_own_words)
{
    static const struct {
        OnlineService service;
        ExplorerGames games;
        Variant variant;
        const char *fen, *player, *url;
    } rows[] = {
        { ONLINE_TABLEBASE, EXPLORER_MASTERS, VARIANT_STANDARD, "8/8/8/3k4/8/8/4Q3/K7 w - - 5 60",
          "", "https://h/standard?fen=8%2F8%2F8%2F3k4%2F8%2F8%2F4Q3%2FK7%20w%20-%20-%205%2060" },
        { ONLINE_CLOUD, EXPLORER_MASTERS, VARIANT_STANDARD, FEN_START, "",
          "https://h/api/"
          "cloud-eval?multiPv=1&variant=standard&fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2F"
          "PPPPPPPP%2FRNBQKBNR%20w%20KQkq%20-%200%201" },
        { ONLINE_CLOUD, EXPLORER_MASTERS, VARIANT_CHESS960, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "",
          "https://h/api/cloud-eval?multiPv=1&variant=chess960&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F"
          "4K3%20b%20-%20-%200%201" },
        { ONLINE_EXPLORER, EXPLORER_MASTERS, VARIANT_STANDARD, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "",
          "https://h/"
          "masters?topGames=0&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K3%20b%20-%20-%200%201" },
        { ONLINE_EXPLORER, EXPLORER_LICHESS, VARIANT_FROM_POSITION, "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
          "",
          "https://h/"
          "lichess?topGames=0&recentGames=0&variant=standard&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F"
          "4K3%20b%20-%20-%200%201" },
        { ONLINE_EXPLORER, EXPLORER_PLAYER, VARIANT_STANDARD, "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
          "A&b c",
          "https://h/player?player=A%26b%20c&color=black&recentGames=0&variant=standard"
          "&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K3%20b%20-%20-%200%201" },
        { ONLINE_EXPLORER, EXPLORER_OPPONENT, VARIANT_CHESS960, "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
          "them",
          "https://h/player?player=them&color=white&recentGames=0&variant=chess960"
          "&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K3%20b%20-%20-%200%201" },
        { ONLINE_TABLEBASE, EXPLORER_MASTERS, VARIANT_ANTICHESS, "8/8/8/3k4/8/8/8/K7 b - - 0 9", "",
          "https://h/antichess?fen=8%2F8%2F8%2F3k4%2F8%2F8%2F8%2FK7%20b%20-%20-%200%209" },
        { ONLINE_CLOUD, EXPLORER_MASTERS, VARIANT_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 b - - 2+3 0 1",
          "",
          "https://h/api/cloud-eval?multiPv=1&variant=threeCheck&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F"
          "4K3%20b%20-%20-%202%2B3%200%201" },
        { ONLINE_EXPLORER, EXPLORER_LICHESS, VARIANT_CRAZYHOUSE,
          "4k3/8/8/8/8/8/8/4K3[Qp] b - - 0 1", "",
          "https://h/"
          "lichess?topGames=0&recentGames=0&variant=crazyhouse&fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F"
          "4K3%5BQp%5D%20b%20-%20-%200%201" },
        { ONLINE_CHESSDB, EXPLORER_MASTERS, VARIANT_STANDARD, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "",
          "https://h/cdb.php?action=queryall&learn=0&json=1&board=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F"
          "4K3%20b%20-%20-%200%201" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char url[ONLINE_URL_SIZE];
        Position position;
        MoveRequest request = { .variant = rows[i].variant };
        position = position_by(variant_ruleset(rows[i].variant), rows[i].fen);
        request.us = position.side_to_move;
        request.online.games = rows[i].games;
        memcpy(request.online.player, rows[i].player, strlen(rows[i].player) + 1);
        assert_true(online_url(url, rows[i].service, "https://h", &position, &request));
        assert_string_equal(url, rows[i].url);
        assert_int_equal(online_is_streamed(rows[i].service, &request),
                         rows[i].service == ONLINE_EXPLORER && rows[i].player[0] != '\0');
    }
}

/* Asked for more, the cloud may answer with a shallower evaluation that has them. */
TEST(the_cloud_is_asked_for_as_many_lines_as_may_be_played)
{
    static const struct {
        int max_drop_cp;
        const char *lines;
    } rows[] = { { 0, "?multiPv=1&" }, { 1, "?multiPv=5&" }, { 30, "?multiPv=5&" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char url[ONLINE_URL_SIZE];
        Position position;
        MoveRequest request = { .online.max_drop_cp = rows[i].max_drop_cp };
        position = position_of(FEN_START);
        assert_true(online_url(url, ONLINE_CLOUD, "https://h", &position, &request));
        assert_non_null(strstr(url, rows[i].lines));
    }
}

TEST(a_url_that_is_too_long_is_none)
{
    char url[ONLINE_URL_SIZE];
    Position position;
    MoveRequest request = { .variant = VARIANT_STANDARD };
    position = position_of(FEN_START);
    request.online.games = EXPLORER_PLAYER;
    memset(request.online.player, '?', sizeof request.online.player - 1);
    static char base[500];
    memset(base, 'h', sizeof base - 1);
    assert_false(online_url(url, ONLINE_EXPLORER, base, &position, &request));
}

TEST(the_token_is_for_the_accounts_own_explorer)
{
    static const struct {
        const char *explorer, *account;
        bool may;
    } rows[] = {
        { "https://explorer.lichess.org", "https://lichess.org", true },
        { "https://explorer.lichess.dev", "https://lichess.dev", true },
        { "https://lichess.org", "https://lichess.org", true },
        { "https://127.0.0.1:8443", "https://127.0.0.1:8443", true },
        { "https://explorer.lichess.ovh", "https://lichess.org", false },
        { "https://explorer.lichess.org", "https://lichess.dev", false },
        { "https://explorer.lichess.org.evil.net", "https://lichess.org", false },
        { "https://explorer.lichess.org:8443", "https://lichess.org", false },
        { "https://explorer-lichess.org", "https://lichess.org", false },
        { "https://evil.net", "https://lichess.org", false },
        { "https://lichess.org.evil.net", "https://lichess.org", false },
        { "https://127.0.0.1:8444", "https://127.0.0.1:8443", false },
        { "http://explorer.localhost", "http://localhost", false },
        { "http://127.0.0.1:80", "https://127.0.0.1:80", false },
        { "https://explorer.", "https://lichess.org", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (online_may_have_token(rows[i].explorer, rows[i].account) != rows[i].may)
            fail_msg("%s for %s", rows[i].explorer, rows[i].account);
}
