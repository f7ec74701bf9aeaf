/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/command_requests.h"
#include "tests/support/unit.h"

static CommandRequests full_of_moves(ApiCall *call)
{
    CommandRequests requests = { 0 };
    for (uint32_t i = 0; i < COMMAND_REQUESTS_MAX; i++)
        requests.list[i] = (CommandRequest){ .call = call,
                                             .kind = COMMAND_MOVE,
                                             .ticket = 100 + (i + 5) % COMMAND_REQUESTS_MAX };
    return requests;
}

TEST(a_free_place_is_taken_first)
{
    ApiCall *call = (ApiCall *)state; /* some address */
    CommandRequests requests = full_of_moves(call);
    requests.list[7].call = NULL;
    assert_ptr_equal(command_requests_place(&requests), &requests.list[7]);
}

TEST(the_oldest_move_gives_way_and_no_other_command)
{
    ApiCall *call = (ApiCall *)state;
    CommandRequests requests = full_of_moves(call);
    assert_int_equal(command_requests_place(&requests)->ticket, 100);
    requests.list[0].kind = COMMAND_RESIGN;
    requests.list[0].ticket = 1;
    requests.list[3].kind = COMMAND_CLAIM;
    requests.list[3].ticket = 2;
    assert_int_equal(command_requests_place(&requests)->ticket, 100);
}

/* An opponent may propose and take back faster than the server answers us. */
TEST(superseded_answers_give_way_and_the_only_move_does_not)
{
    ApiCall *call = (ApiCall *)state;
    CommandRequests requests = full_of_moves(call);
    for (int i = 0; i < COMMAND_REQUESTS_MAX; i++)
        requests.list[i].kind = i % 2 ? COMMAND_TAKEBACK : COMMAND_DRAW;
    requests.list[4].kind = COMMAND_MOVE;
    requests.list[4].ticket = 1;
    CommandRequest *place = command_requests_place(&requests);
    assert_non_null(place);
    assert_int_equal(place->ticket, 100);
}
