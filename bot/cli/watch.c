/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The running games on a terminal, as many side by side as fit; without a terminal a line for each
 * move. The daemon is asked a few times a second and knows nothing of it. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/board_text.h"
#include "bot/cli/shown.h"
#include "bot/cli/terminal.h"
#include "bot/lichess/jsonread.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK_MS = 250,
    ASK_MS = 5000,
    JOIN_MS = 10000, /* for a game that is wanted to be there */
    GAP = 3,
    GAMES_MAX = 512,
    FRAME_MAX = 1 << 20,
    ID_SHOWN = 32,
};

/* How much of a game was printed. */
typedef struct {
    char id[ID_SHOWN];
    int64_t plies;
    bool is_over;
} Printed;

typedef struct {
    const Config *config;
    const char *wanted; /* a game's id; NULL: all */
    Printed printed[GAMES_MAX];
    size_t printed_count;
    size_t first; /* of the games shown */
    BoardTurn turn;
} Watch;

/* ---- the daemon ---- */

/* The caller drops it; NULL and a message where no daemon answers. */
static struct json_object *ask(const Watch *watch, const char *line)
{
    char *answer;
    Error err = { 0 };
    if (!ask_daemon_quietly(watch->config, line, ASK_MS, &answer, &err)) {
        fprintf(stderr, "castled: no daemon answers: %s\n", shown_error(&err).text);
        return NULL;
    }
    struct json_object *object = jsonread_parse(answer, strlen(answer), &err);
    if (!object)
        fprintf(stderr, "castled: the daemon's answer makes no sense: %s\n",
                shown_error(&err).text);
    free(answer);
    return object;
}

static size_t count_of(const struct json_object *list)
{
    return list ? json_object_array_length(list) : 0;
}

/* Those that are played, then those that have just ended; or the one that is wanted. Lent by
 * `status`. */
static size_t games_of(const Watch *watch, const struct json_object *status,
                       const struct json_object *games[GAMES_MAX])
{
    static const char *const lists[] = { "games", "recent" };
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct json_object *list = jsonread_array(status, lists[i]);
        for (size_t j = 0; j < count_of(list) && count < GAMES_MAX; j++) {
            const struct json_object *game = json_object_array_get_idx(list, j);
            if (!watch->wanted || text_is(jsonread_text(game, "id"), watch->wanted))
                games[count++] = game;
        }
    }
    return count;
}

static bool is_over(const struct json_object *game)
{
    return text_is(jsonread_text(game, "phase"), "over");
}

/* ---- lines ---- */

static void print_move(const struct json_object *game, size_t index, int64_t ply)
{
    const struct json_object *move =
        json_object_array_get_idx(jsonread_array(game, "moves"), index);
    Text fen = jsonread_text(game, "initial_fen");
    bool begins_black = fen.len > 0 && memmem(fen.at, fen.len, " b ", 3);
    bool is_white = (ply % 2 == 1) != begins_black;
    Text name = jsonread_text(jsonread_object(game, is_white ? "white" : "black"), "name");
    char clock[CLOCK_TEXT_SIZE], score[SCORE_SHOWN_SIZE];
    int64_t depth = jsonread_int(move, "depth", 0, INT64_MAX, 0);
    printf("%s  %3" PRId64 "%s %-8s %-16s %8s", shown(jsonread_text(game, "id")).text,
           (ply + 1) / 2, is_white ? ".  " : "...", shown(jsonread_text(move, "san")).text,
           shown(name).text, clock_text(clock, jsonread_int(move, "clock_ms", 0, INT64_MAX, -1)));
    if (depth > 0)
        printf("  %7s  depth %" PRId64, score_shown(score, move), depth);
    putchar('\n');
}

static Printed *find_printed(Watch *watch, Text id)
{
    for (size_t i = 0; i < watch->printed_count; i++)
        if (text_is(id, watch->printed[i].id))
            return &watch->printed[i];
    if (id.len >= ID_SHOWN)
        return NULL;
    if (watch->printed_count == GAMES_MAX) { /* the oldest is over long ago */
        memmove(watch->printed, watch->printed + 1, (GAMES_MAX - 1) * sizeof *watch->printed);
        watch->printed_count--;
    }
    Printed *printed = &watch->printed[watch->printed_count++];
    *printed = (Printed){ .plies = 0 };
    memcpy(printed->id, id.at, id.len);
    return printed;
}

/* What was played since the last look. False: the daemon has gone. */
static bool print_news(Watch *watch, const struct json_object *game)
{
    Text id = jsonread_text(game, "id");
    Printed *printed = find_printed(watch, id);
    int64_t plies = jsonread_int(game, "plies", 0, INT64_MAX, 0);
    char line[80];
    if (!printed || printed->is_over || (plies == printed->plies && !is_over(game)))
        return true;
    if (snprintf(line, sizeof line, "game %s %" PRId64, printed->id, printed->plies) < 0)
        return false;
    struct json_object *whole = ask(watch, line);
    if (!whole)
        return false;
    size_t count = count_of(jsonread_array(whole, "moves"));
    int64_t from = jsonread_int(whole, "from", 0, INT64_MAX, 0);
    for (size_t i = 0; i < count; i++)
        print_move(whole, i, from + (int64_t)i + 1);
    printed->plies = from + (int64_t)count;
    printed->is_over = is_over(whole);
    if (printed->is_over)
        printf("%s  %s %s\n", shown(id).text, shown(jsonread_text(whole, "result")).text,
               shown(jsonread_text(whole, "status")).text);
    fflush(stdout);
    json_object_put(whole);
    return true;
}

/* ---- boards ---- */

static void draw(Watch *watch, const struct json_object *const *games, size_t count,
                 BoardStyle style)
{
    int columns, rows;
    Buf frame;
    terminal_size(&columns, &rows);
    size_t across = (size_t)int_max((columns + GAP) / (BOARD_TEXT_COLUMNS + GAP), 1);
    size_t down = (size_t)int_max((rows - 1) / (BOARD_TEXT_ROWS + 1), 1);
    watch->first = watch->first < count ? watch->first : 0;
    buf_init(&frame, FRAME_MAX);
    bool ok = buf_put_text(&frame, "\x1b[H");
    for (size_t line = 0; ok && line < down; line++) {
        for (int row = 0; ok && row < BOARD_TEXT_ROWS; row++) {
            for (size_t i = 0; ok && i < across; i++) {
                size_t game = watch->first + line * across + i;
                if (game < count)
                    ok = board_text_write(&frame, games[game], row, style, watch->turn) &&
                         buf_printf(&frame, "%*s", i + 1 < across ? GAP : 0, "");
            }
            ok = ok && buf_put_text(&frame, "\x1b[K\n");
        }
        ok = ok && buf_put_text(&frame, "\x1b[K\n");
    }
    ok = ok &&
         buf_printf(&frame,
                    "%zu games   n/p or arrows: next, previous   f: flip   q: quit\x1b[K\x1b[J",
                    count);
    if (ok)
        fwrite(frame.text, 1, frame.len, stdout);
    fflush(stdout);
    buf_release(&frame);
}

/* ---- the command ---- */

/* How it ends once the wanted game is over; EXIT_FINE with *goes_on else. */
static ExitStatus look(Watch *watch, const Terminal *terminal, BoardStyle style, bool *goes_on,
                       bool *is_there)
{
    const struct json_object *games[GAMES_MAX];
    struct json_object *status = ask(watch, "status");
    *goes_on = false;
    if (!status)
        return EXIT_UNREACHABLE;
    size_t count = games_of(watch, status, games);
    bool ok = true;
    for (size_t i = 0; ok && !terminal && i < count; i++)
        ok = print_news(watch, games[i]);
    if (terminal)
        draw(watch, games, count, style);
    *is_there = *is_there || count > 0;
    *goes_on = ok && !(watch->wanted && count > 0 && is_over(games[0]));
    json_object_put(status);
    return ok ? EXIT_FINE : EXIT_UNREACHABLE;
}

/* False: somebody wants to leave. */
static bool take_key(Watch *watch, const Terminal *terminal)
{
    if (!terminal) {
        usleep(LOOK_MS * 1000);
        return true;
    }
    switch (terminal_key(terminal, LOOK_MS)) {
    case KEY_QUIT:
        return false;
    case KEY_NEXT:
        watch->first++;
        break;
    case KEY_PREVIOUS:
        watch->first -= watch->first > 0;
        break;
    case KEY_FLIP:
        watch->turn = watch->turn == BOARD_FLIPPED ? BOARD_AS_PLAYED : BOARD_FLIPPED;
        break;
    case KEY_NONE:
        break;
    }
    return true;
}

/* The end of the game that was wanted, where the boards have gone. */
static void print_end(Watch *watch)
{
    char line[80];
    if (!watch->wanted || snprintf(line, sizeof line, "game %s", watch->wanted) < 0)
        return;
    struct json_object *game = ask(watch, line);
    Buf board;
    buf_init(&board, FRAME_MAX);
    for (int row = 0; row < BOARD_TEXT_ROWS; row++)
        if (!board_text_write(&board, game, row, getenv("NO_COLOR") ? BOARD_LETTERS : BOARD_COLOURS,
                              watch->turn) ||
            !buf_put_char(&board, '\n'))
            break;
    fputs(buf_view(&board), stdout);
    buf_release(&board);
    json_object_put(game);
}

static ExitStatus watch_games(Watch *watch)
{
    Terminal screen, *terminal = terminal_is_there() ? &screen : NULL;
    BoardStyle style = getenv("NO_COLOR") ? BOARD_LETTERS : BOARD_COLOURS;
    int64_t began_ms = clock_now_ms();
    bool goes_on = true, is_there = false;
    ExitStatus exit = EXIT_FINE;
    if (terminal)
        terminal_open(terminal);
    while (goes_on) {
        exit = look(watch, terminal, style, &goes_on, &is_there);
        if (watch->wanted && !is_there && clock_now_ms() - began_ms > JOIN_MS) {
            exit = EXIT_FAULT;
            break;
        }
        goes_on = goes_on && !ferror(stdout) && take_key(watch, terminal);
    }
    if (terminal) {
        terminal_close(terminal);
        if (is_there && exit == EXIT_FINE)
            print_end(watch);
    }
    if (watch->wanted && !is_there && exit != EXIT_UNREACHABLE)
        fprintf(stderr, "castled: %s: no such game is being played; see castled status\n",
                watch->wanted);
    return exit;
}

ExitStatus cmd_watch(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    if (options->word_count > 1 || (options->word_count == 1 && options->words[0][0] == '-')) {
        fprintf(stderr, "castled: watch: %s: not known here; see castled watch --help\n",
                options->words[options->word_count - 1]);
        return EXIT_USAGE;
    }
    if (!command_read_places(options, &config, path))
        return EXIT_CONFIG;
    Watch *watch = calloc(1, sizeof *watch);
    ExitStatus exit = EXIT_FAULT;
    if (watch) {
        watch->config = &config;
        watch->wanted = options->word_count == 1 ? options->words[0] : NULL;
        exit = watch_games(watch);
    }
    free(watch);
    config_release(&config);
    return exit;
}
