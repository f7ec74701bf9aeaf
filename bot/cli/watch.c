/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The running games on a terminal, as many side by side as fit; without a terminal a line for each
 * move. The daemon is asked a few times a second and knows nothing of it. */
#include "bot/admin/game_json.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/board_text.h"
#include "bot/cli/shown.h"
#include "bot/cli/terminal.h"
#include "bot/model/score_text.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/control.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK_MS = 250,
    ASK_MS = 5000,
    JOIN_MS = 3000, /* for a game whose whole id was named to begin */
    GAP = 3,
    GAMES_MAX = 512,
    FRAME_MAX = 1 << 20,
    ID_SHOWN = 32,
    ID_WHOLE = 8, /* characters */
};

/* How much of a game was printed. */
typedef struct {
    char id[ID_SHOWN];
    int64_t plies;
    bool is_over;
} Printed;

typedef struct {
    const Config *config;
    char wanted[ID_SHOWN]; /* a game's id; "": all */
    Printed printed[GAMES_MAX];
    size_t printed_count;
    size_t first; /* of the games shown */
    BoardTurn turn;
    BoardStyle style;
    Error err; /* why we leave, to be said when the boards have gone */
} Watch;

/* ---- the daemon ---- */

/* The caller drops it; NULL and watch->err where no daemon answers. */
static struct json_object *ask_line(Watch *watch, const char *line)
{
    char *answer;
    if (!ask_daemon_quietly(watch->config, line, ASK_MS, &answer, &watch->err)) {
        error_prefix(&watch->err, "no daemon answers");
        return NULL;
    }
    struct json_object *object = jsonread_parse(answer, strlen(answer), &watch->err);
    error_prefix(&watch->err, "the daemon's answer makes no sense");
    free(answer);
    return object;
}

/* `word`: a game's id, how that begins, or latest. A game that was just agreed on may need a moment
 * to begin. EXIT_FINE sets watch->wanted, else watch->err says why. */
static ExitStatus find_wanted(Watch *watch, const char *word)
{
    int64_t began_ms = clock_now_ms();
    bool may_come = strlen(word) == ID_WHOLE;
    char line[CONTROL_LINE_MAX];
    if (!text_format_fits(line, sizeof line, "game %s %d", word, GAME_JSON_NO_MOVES)) {
        error_set(&watch->err, ERR_INVALID, "no game has such a long id");
        return EXIT_USAGE;
    }
    for (;;) {
        struct json_object *game = ask_line(watch, line);
        if (!game)
            return EXIT_UNREACHABLE;
        Text refusal = jsonread_text(game, "error");
        bool is_there =
            refusal.len == 0 && text_copy(watch->wanted, ID_SHOWN, jsonread_text(game, "id"));
        bool is_late = !may_come || clock_now_ms() - began_ms > JOIN_MS;
        if (!is_there && is_late)
            error_set(&watch->err, ERR_INVALID, "%.*s; see castled status", TEXT_ARGS(refusal));
        json_object_put(game);
        if (is_there || is_late)
            return is_there ? EXIT_FINE : EXIT_FAULT;
        usleep(LOOK_MS * 1000);
    }
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
            if (watch->wanted[0] == '\0' || text_is(jsonread_text(game, "id"), watch->wanted))
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

/* What people of our level play. */
static void print_people(const struct json_object *people)
{
    Text first = jsonread_text(people, "first"), searched = jsonread_text(people, "searched");
    if (first.len == 0)
        return;
    printf("  people %" PRId64 " %%, %s %" PRId64 " %%", jsonread_int(people, "percent", 0, 100, 0),
           shown(first).text, jsonread_int(people, "first_percent", 0, 100, 0));
    if (searched.len > 0)
        printf(", search %s", shown(searched).text);
}

static void print_move(const struct json_object *game, size_t index, int64_t ply)
{
    const struct json_object *move =
        json_object_array_get_idx(jsonread_array(game, "moves"), index);
    Text fen = jsonread_text(game, "initial_fen");
    bool begins_black = fen.len > 0 && memmem(fen.at, fen.len, " b ", 3);
    bool is_white = (ply % 2 == 1) != begins_black;
    Text name = jsonread_text(jsonread_object(game, is_white ? "white" : "black"), "name");
    char clock[CLOCK_TEXT_SIZE], score[SCORE_TEXT_SIZE];
    int64_t depth = jsonread_int(move, "depth", 0, INT64_MAX, 0);
    printf("%s  %3" PRId64 "%s %-8s %-16s %8s", shown(jsonread_text(game, "id")).text,
           (ply + 1) / 2, is_white ? ".  " : "...", shown(jsonread_text(move, "san")).text,
           shown(name).text, clock_text(clock, jsonread_int(move, "clock_ms", 0, INT64_MAX, -1)));
    if (depth > 0)
        printf("  White %7s  depth %" PRId64, score_text(eval_score(move), score), depth);
    print_people(jsonread_object(move, "people"));
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
    text_format(line, sizeof line, "game %s %" PRId64, printed->id, printed->plies);
    struct json_object *whole = ask_line(watch, line);
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

/* Where the boards go. */
typedef struct {
    int columns, rows[BOARD_TEXT_ROWS], row_count, gap; /* empty lines below a board */
    size_t across, down;                                /* boards; none: there is no room */
    bool has_moves;                                     /* beside each board */
} Layout;

/* How many stand side by side in so many columns. */
static size_t across_in(int columns, int width)
{
    return (size_t)((columns + GAP) / (width + GAP));
}

static Layout lay_out(size_t games)
{
    Layout layout;
    int rows;
    terminal_size(&layout.columns, &rows);
    int room = rows - 1; /* the last line says which keys there are */
    layout.row_count = board_text_rows(room, layout.rows);
    layout.gap = room > layout.row_count ? 1 : 0;
    layout.down = (size_t)(room / (layout.row_count + layout.gap));
    layout.across = across_in(layout.columns, BOARD_TEXT_COLUMNS);
    size_t with_moves =
        across_in(layout.columns, BOARD_TEXT_COLUMNS + GAP + BOARD_TEXT_MOVES_COLUMNS);
    layout.has_moves = with_moves * layout.down >= games; /* they push no board off */
    if (layout.has_moves && with_moves > 0)
        layout.across = with_moves;
    return layout;
}

static bool put_board(Buf *frame, const Watch *watch, const Layout *layout,
                      const struct json_object *game, int row)
{
    return board_text_write(frame, game, layout->rows[row], watch->style, watch->turn) &&
           (!layout->has_moves || (buf_printf(frame, "%*s", GAP, "") &&
                                   board_text_moves_write(frame, game, row, layout->row_count)));
}

static bool put_boards(Buf *frame, const Watch *watch, const Layout *layout,
                       const struct json_object *const *games, size_t count)
{
    bool ok = true;
    for (size_t line = 0; ok && line < layout->down; line++) {
        for (int row = 0; ok && row < layout->row_count; row++) {
            for (size_t i = 0; ok && i < layout->across; i++) {
                size_t game = watch->first + line * layout->across + i;
                if (game < count)
                    ok = put_board(frame, watch, layout, games[game], row) &&
                         buf_printf(frame, "%*s", i + 1 < layout->across ? GAP : 0, "");
            }
            ok = ok && buf_put_text(frame, "\x1b[K\n");
        }
        ok = ok && (layout->gap == 0 || buf_put_text(frame, "\x1b[K\n"));
    }
    return ok;
}

/* Puts games with their latest moves in the place of those that have none; the caller drops what is
 * in `whole`. False: the daemon has gone. */
static bool add_moves(Watch *watch, const Layout *layout, const struct json_object **games,
                      struct json_object **whole, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[80];
        Text id = jsonread_text(games[i], "id");
        int64_t from = jsonread_int(games[i], "plies", 0, INT64_MAX, 0) - 2 * layout->row_count;
        if (id.len == 0 || !text_format_fits(line, sizeof line, "game %.*s %" PRId64, TEXT_ARGS(id),
                                             from > 0 ? from : 0))
            continue;
        whole[i] = ask_line(watch, line);
        if (!whole[i])
            return false;
        if (jsonread_text(whole[i], "error").len == 0)
            games[i] = whole[i];
    }
    return true;
}

static void put_frame(Watch *watch, const Layout *layout, const struct json_object *const *games,
                      size_t count)
{
    char footer[100];
    Buf frame;
    bool has_room = layout->across > 0 && layout->down > 0;
    const char *plural = count == 1 ? "" : "s";
    int len = has_room ? snprintf(footer, sizeof footer,
                                  "%zu game%s   q: quit   f: flip   n/p or arrows: next, previous",
                                  count, plural)
                       : snprintf(footer, sizeof footer, "%zu game%s; needs %d columns, %d lines",
                                  count, plural, BOARD_TEXT_COLUMNS, BOARD_TEXT_ROWS_LEAST + 1);
    watch->first = watch->first < count ? watch->first : 0;
    buf_init(&frame, FRAME_MAX);
    if (len > 0 && buf_put_text(&frame, "\x1b[H") &&
        (!has_room || put_boards(&frame, watch, layout, games, count)) &&
        buf_printf(&frame, "%.*s\x1b[K\x1b[J", layout->columns, footer))
        fwrite(frame.text, 1, frame.len, stdout);
    fflush(stdout);
    buf_release(&frame);
}

/* False: the daemon has gone. */
static bool draw(Watch *watch, const struct json_object **games, size_t count)
{
    Layout layout = lay_out(count);
    struct json_object *whole[GAMES_MAX] = { NULL };
    bool ok = !layout.has_moves || add_moves(watch, &layout, games, whole, count);
    if (ok)
        put_frame(watch, &layout, games, count);
    for (size_t i = 0; i < count; i++)
        json_object_put(whole[i]);
    return ok;
}

/* ---- the command ---- */

/* How it ends once the wanted game is over; EXIT_FINE with *goes_on else. */
static ExitStatus look_at_daemon(Watch *watch, const Terminal *terminal, bool *goes_on)
{
    const struct json_object *games[GAMES_MAX];
    struct json_object *status = ask_line(watch, "status");
    *goes_on = false;
    if (!status)
        return EXIT_UNREACHABLE;
    size_t count = games_of(watch, status, games);
    bool ok = true;
    for (size_t i = 0; ok && !terminal && i < count; i++)
        ok = print_news(watch, games[i]);
    if (terminal)
        ok = draw(watch, games, count);
    *goes_on = ok && (watch->wanted[0] == '\0' || (count > 0 && !is_over(games[0])));
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
    if (watch->wanted[0] == '\0')
        return;
    text_format_cut(line, sizeof line, "game %s", watch->wanted);
    struct json_object *game = ask_line(watch, line);
    Buf board;
    buf_init(&board, FRAME_MAX);
    for (int row = 0; row < BOARD_TEXT_ROWS; row++)
        if (!board_text_write(&board, game, row, watch->style, watch->turn) ||
            !buf_put_char(&board, '\n'))
            break;
    fputs(buf_view(&board), stdout);
    buf_release(&board);
    json_object_put(game);
}

static ExitStatus watch_games(Watch *watch)
{
    Terminal screen, *terminal = terminal_is_there() ? &screen : NULL;
    bool goes_on = true;
    ExitStatus exit = EXIT_FINE;
    if (terminal)
        terminal_open(terminal);
    while (goes_on) {
        exit = look_at_daemon(watch, terminal, &goes_on);
        goes_on = goes_on && !ferror(stdout) && take_key(watch, terminal);
    }
    if (terminal) {
        terminal_close(terminal);
        if (exit == EXIT_FINE)
            print_end(watch);
    }
    return exit;
}

/* Letters where colours are not wanted, or the chess pieces of Unicode not known. */
static BoardStyle choose_style(void)
{
    const char *no_colour = getenv("NO_COLOR");
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is_utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    return is_utf8 && (!no_colour || no_colour[0] == '\0') ? BOARD_COLOURS : BOARD_LETTERS;
}

static const Option watch_options[] = {
    { .name = "GAME",
      .help = "only this game: its id, how that begins, or latest for the game that began last",
      .read = option_text,
      .words = &option_latest },
    { .name = NULL },
};

static ExitStatus cmd_watch(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    const char *game = NULL;
    if (!command_read_words(options, (void *[]){ &game }))
        return EXIT_USAGE;
    if (!command_read_places(options, &config, path))
        return EXIT_CONFIG;
    Watch *watch = calloc(1, sizeof *watch);
    ExitStatus exit = EXIT_FAULT;
    if (watch) {
        watch->config = &config;
        watch->style = choose_style();
        exit = game ? find_wanted(watch, game) : EXIT_FINE;
        if (exit == EXIT_FINE)
            exit = watch_games(watch);
        if (exit != EXIT_FINE)
            fprintf(stderr, "castled: %s\n", shown_error(&watch->err).text);
    }
    free(watch);
    config_release(&config);
    return exit;
}

const CliCommand command_watch = {
    .name = "watch",
    .run = cmd_watch,
    .help = "show the games live, on boards in the terminal",
    .forms = { "[GAME]" },
    .text = "As many boards stand side by side as fit, with their moves where there is room. "
            "Without a terminal each move is a line. "
            "With GAME it ends with that game. Evaluations are for White. Where NO_COLOR is set, "
            "or the locale is not UTF-8, pieces are letters: White's are capitals.",
    .options = { watch_options },
    .example = "castled watch",
    .example_help = "shows all games; n and p go through them, f flips the boards, q quits",
};
