/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file of a network of people's moves holds, and how fast it is here. */
#include "bot/cli/command.h"
#include "bot/cli/shown.h"
#include "engine/base/clock.h"
#include "engine/core/fen.h"
#include "engine/core/san.h"
#include "engine/human/policy_network.h"

#include <assert.h>
#include <string.h>

enum { TRIAL_POSITIONS = 200, TRIAL_US = 500000, MOVES_SHOWN = 3 };

/* A game in which the network plays both sides. */
typedef struct {
    Position pos;
    HumanHistory history;
    MoveList moves;
    PolicyVerdict verdict;
} TrialGame;

static void begin(TrialGame *game)
{
    bool ok = fen_read(&game->pos, FEN_START, FEN_STRICT, NULL, NULL);
    assert(ok);
    (void)ok;
    human_history_init(&game->history, &game->pos, SQUARE_NONE);
    movegen_legal(&game->pos, &game->moves);
}

static int likeliest(const TrialGame *game)
{
    int best = 0;
    for (int i = 1; i < game->moves.count; i++)
        if (game->verdict.probability[i] > game->verdict.probability[best])
            best = i;
    return best;
}

/* After the game's end another begins. */
static void play_on(TrialGame *game, int choice)
{
    Undo undo;
    position_make(&game->pos, game->moves.moves[choice], &undo);
    human_history_push(&game->history, &game->pos);
    movegen_legal(&game->pos, &game->moves);
    if (game->moves.count == 0 || game->history.boards[0].is_repeated)
        begin(game);
}

static void print_first_moves(TrialGame *game)
{
    printf("first moves:");
    for (int i = 0; i < MOVES_SHOWN; i++) {
        char san[SAN_SIZE];
        int best = likeliest(game);
        san_write(&game->pos, game->moves.moves[best], san);
        printf("%s %s %.0f %%", i == 0 ? "" : ",", san,
               (double)game->verdict.probability[best] * 100);
        game->verdict.probability[best] = 0;
    }
    putchar('\n');
}

static void try_network(const PolicyNetwork *network, PolicyRoom *room)
{
    TrialGame game;
    int count = 0;
    int64_t spent_us = 0;
    begin(&game);
    policy_evaluate(network, room, &game.history, &game.pos, &game.moves, 1500, &game.verdict);
    print_first_moves(&game);
    while (count == 0 || (count < TRIAL_POSITIONS && spent_us < TRIAL_US)) {
        int64_t since_us = clock_now_us();
        policy_evaluate(network, room, &game.history, &game.pos, &game.moves, 1500, &game.verdict);
        spent_us += clock_now_us() - since_us;
        play_on(&game, likeliest(&game));
        count++;
    }
    printf("time: %.3f ms for a position on one core, with %s (mean of %d positions)\n",
           (double)spent_us / 1000 / count, policy_info(network).instructions, count);
}

static void print_info(const char *path, const PolicyNetwork *network)
{
    PolicyInfo info = policy_info(network);
    if (info.takes_rating) {
        printf("%s: castled's own kind, for all ratings, %d hidden units\n",
               shown(text_of(path)).text, info.filters);
        return;
    }
    printf("%s: residual network with squeeze-and-excitation, %d blocks of %d filters\n",
           shown(text_of(path)).text, info.blocks, info.filters);
    if (info.training_steps > 0)
        printf("training: %u steps\n", (unsigned)info.training_steps);
    if (info.accuracy > 0)
        printf("accuracy: %.1f %% of moves are people's, as its makers found\n",
               (double)info.accuracy);
}

static const Option human_options[] = {
    { .name = "--check",
      .value = "FILE",
      .help = "the network's file, such as maia-1500.pb.gz",
      .read = option_text,
      .count = OPTION_MUST },
    { .name = NULL },
};

static ExitStatus cmd_human(const CommandOptions *options)
{
    PolicyNetwork *network = NULL;
    PolicyRoom *room = NULL;
    const char *file = NULL;
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &file }))
        return EXIT_USAGE;
    bool ok = policy_load(&network, file, &err) && policy_room_new(&room, network, &err);
    if (ok) {
        print_info(file, network);
        try_network(network, room);
    } else {
        fprintf(stderr, "castled: human: %s\n", shown_error(&err).text);
    }
    policy_room_free(room);
    policy_free(network);
    return ok ? EXIT_FINE : EXIT_FAULT;
}

const CliCommand command_human = {
    .name = "human",
    .run = cmd_human,
    .help = "say what a network of people's moves holds, for [engine] human",
    .forms = { "--check FILE" },
    .text = "Prints its size, what its makers say of its training, the likeliest first moves, "
            "and how long it takes for a position on this machine.",
    .options = { human_options },
    .example = "castled human --check maia-1500.pb.gz",
    .example_help = "reads this network and tries it",
};
