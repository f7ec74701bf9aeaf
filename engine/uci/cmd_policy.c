/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_policy.h"

#include "engine/base/number.h"
#include "engine/core/uci_move.h"
#include "engine/human/policy_network.h"
#include "engine/uci/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64, RATING_MAX = 4000 };

typedef struct {
    Move move;
    float probability;
} LikelyMove;

static int by_probability(const void *a, const void *b)
{
    float first = ((const LikelyMove *)a)->probability;
    float second = ((const LikelyMove *)b)->probability;
    return (first < second) - (first > second);
}

static void judge(const PolicyNetwork *network, PolicyRoom *room, const Position *pos,
                  const HumanHistory *history, int elo)
{
    MoveList moves;
    PolicyVerdict verdict;
    LikelyMove likely[MAX_MOVES];
    movegen_legal(pos, &moves);
    policy_evaluate(network, room, history, pos, &moves, elo, &verdict);
    for (int i = 0; i < moves.count; i++)
        likely[i] = (LikelyMove){ moves.moves[i], verdict.probability[i] };
    qsort(likely, (size_t)moves.count, sizeof *likely, by_probability);
    printf("%.4f %.4f %.4f\t", (double)verdict.win, (double)verdict.draw, (double)verdict.loss);
    for (int i = 0; i < moves.count; i++) {
        char text[UCI_MOVE_SIZE];
        uci_move_write(pos, likely[i].move, CASTLING_KING_TO_TARGET, text);
        printf("%s%s:%.5f", i ? " " : "", text, (double)likely[i].probability);
    }
    putchar('\n');
}

static void answer_lines(const PolicyNetwork *network, PolicyRoom *room, int elo)
{
    char *line = NULL;
    size_t room_for_line = 0;
    for (ssize_t len; (len = getline(&line, &room_for_line, stdin)) >= 0;) {
        Position pos;
        HumanHistory history;
        Error err = { 0 };
        size_t used = strcspn(line, "\n");
        if (used < (size_t)len)
            line[used] = '\0';
        if (command_read_position(tokens_of(line, used), RULES_STANDARD, false, &pos, &history,
                                  &err))
            judge(network, room, &pos, &history, elo);
        else
            printf("error: %s\n", err.text);
        (void)fflush(stdout); /* who asks may wait for each answer */
    }
    free(line);
}

int cmd_policy(int argc, char **argv)
{
    PolicyNetwork *network = NULL;
    PolicyRoom *room = NULL;
    Error err = { 0 };
    int64_t elo = 0;
    if (argc < 1 || argc > 2 ||
        (argc == 2 && !number_parse(argv[1], strlen(argv[1]), 1, RATING_MAX, &elo, NULL))) {
        fputs("castled-uci policy: one network is needed, and at most a rating\n"
              "usage: castled-uci policy NETWORK|" POLICY_BUILT_IN " [RATING]\n",
              stderr);
        return EXIT_USAGE;
    }
    bool ok = policy_load(&network, argv[0], &err) && policy_room_new(&room, network, &err);
    if (ok)
        answer_lines(network, room, (int)elo);
    policy_room_free(room);
    policy_free(network);
    if (ok)
        return EXIT_SUCCESS;
    fprintf(stderr, "castled-uci policy: %s\n", err.text);
    return EXIT_FAILURE;
}
