/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How we did in the games of the archive: a table, or a little of each. */
#include "bot/archive/stats.h"
#include "bot/cli/game_filter.h"
#include "bot/ops/json_put.h"
#include "bot/ops/printable.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_LISTED = 20, SMALL = 40, NAME_SHOWN = 60 };

/* What fits one screen, and how many rows of each. */
static const struct {
    StatsBy by;
    int rows;
} overview[] = {
    { STATS_ALL, 1 },     { STATS_KIND, 2 },     { STATS_COLOUR, 2 },  { STATS_SPEED, 4 },
    { STATS_VARIANT, 3 }, { STATS_OPPONENT, 3 }, { STATS_OPENING, 3 }, { STATS_REASON, 4 },
};

typedef struct {
    StatsBy by;
    bool as_json, has_head;
    int64_t shown, groups;
    StatsRow all; /* the last row seen, without its name */
} Table;

/* Only what is printable reaches a terminal. */
static void print_name(const char *name)
{
    char shown[NAME_SHOWN + 1];
    printable_copy(shown, sizeof shown, text_of(name));
    fputs(shown, stdout);
}

/* The end of a long line of moves says more than its middle. */
static void print_moves(const char *moves)
{
    enum { HEAD = NAME_SHOWN / 3, TAIL = NAME_SHOWN - HEAD };
    size_t len = strlen(moves);
    if (len <= NAME_SHOWN)
        print_name(moves);
    else
        printf("%.*s … %s", HEAD, moves, moves + len - TAIL);
}

static void print_head(const Table *table)
{
    printf("%-9s %6s %6s %6s %6s  %7s  %6s", "by", "games", "won", "drawn", "lost", "score",
           "rating");
    if (table->by == STATS_BOOK)
        printf("  %5s  %6s", "plies", "eval");
    puts("");
}

static void print_exit(const StatsRow *row)
{
    if (row->exits > 0)
        printf("  %5.0f  %+6.2f", row->book_plies, row->exit_cp / 100);
    else
        printf("  %5.0f  %6s", row->book_plies, "-");
}

static void print_line(Table *table, const StatsRow *row)
{
    char rating[SMALL] = "-";
    int performance = stats_performance(row);
    int len = performance != 0 ? snprintf(rating, sizeof rating, "%d", performance) : 0;
    (void)len;
    if (!table->has_head)
        print_head(table);
    table->has_head = true;
    printf("%-9s %6" PRId64 " %6" PRId64 " %6" PRId64 " %6" PRId64 "  %5.1f %%  %6s",
           stats_by_name(table->by), row->games, row->won, row->drawn, row->lost,
           100 * stats_score(row), rating);
    if (table->by == STATS_BOOK)
        print_exit(row);
    if (row->name[0] != '\0') {
        printf("  ");
        (table->by == STATS_BOOK ? print_moves : print_name)(row->name);
    }
    puts("");
}

static void add_number(struct json_object *to, const char *name, double value, int digits)
{
    char text[SMALL];
    if (!isfinite(value) || fabs(value) > 1e15)
        return;
    int len = snprintf(text, sizeof text, "%.*f", digits, value);
    (void)len;
    json_object_object_add(to, name, json_object_new_double_s(value, text));
}

static void print_json(const Table *table, const StatsRow *row)
{
    struct json_object *line = json_object_new_object();
    json_put_text(line, "by", stats_by_name(table->by));
    json_put_text(line, "name", row->name);
    json_put_number(line, "games", row->games);
    json_put_number(line, "won", row->won);
    json_put_number(line, "drawn", row->drawn);
    json_put_number(line, "lost", row->lost);
    add_number(line, "score", stats_score(row), 4);
    if (stats_performance(row) != 0) {
        add_number(line, "opponents", row->opponents, 0);
        json_put_number(line, "performance", stats_performance(row));
    }
    if (row->in_book > 0) {
        struct json_object *book = json_object_new_object();
        json_put_number(book, "games", row->in_book);
        add_number(book, "plies", row->book_plies, 1);
        json_put_number(book, "evaluated", row->exits);
        if (row->exits > 0)
            add_number(book, "evaluation_cp", row->exit_cp, 0);
        json_object_object_add(line, "book", book);
    }
    puts(json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
    json_object_put(line);
}

static void on_row(void *user, const StatsRow *row)
{
    Table *table = user;
    table->shown++;
    table->groups = row->groups;
    if (table->by == STATS_ALL) {
        table->all = *row;
        table->all.name = "";
    }
    if (table->as_json)
        print_json(table, row);
    else
        print_line(table, row);
}

static void on_loss(void *user, const StatsRow *row)
{
    bool *is_first = user;
    printf("%s%" PRId64 " ", *is_first ? "\nlost: " : ", ", row->games);
    print_name(row->name);
    *is_first = false;
}

static void print_book(const StatsRow *all)
{
    if (all->in_book == 0)
        return;
    printf("book: followed in %" PRId64 " games, to ply %.1f in the mean", all->in_book,
           all->book_plies);
    if (all->exits > 0)
        printf(", then %+.2f for us", all->exit_cp / 100);
    puts("");
}

static bool print_table(Store *store, const GameFilter *wanted, StatsBy by, Error *err)
{
    Table table = { .by = by, .as_json = wanted->as_json };
    int64_t limit = wanted->filter.limit > 0 ? wanted->filter.limit : ROWS_LISTED;
    bool ok = stats_read(store, &wanted->filter, by, limit, on_row, &table, err);
    if (ok && !wanted->as_json && table.shown == 0)
        puts("no games");
    if (ok && !wanted->as_json && table.groups > table.shown)
        printf("and %" PRId64 " more: see --limit\n", table.groups - table.shown);
    return ok;
}

static bool print_overview(Store *store, const GameFilter *wanted, Error *err)
{
    Table table = { .as_json = wanted->as_json };
    StoreFilter lost = wanted->filter;
    bool is_first = true, ok = true;
    for (size_t i = 0; i < sizeof overview / sizeof *overview && ok; i++) {
        table.by = overview[i].by;
        ok = stats_read(store, &wanted->filter, table.by,
                        wanted->filter.limit > 0 ? wanted->filter.limit : overview[i].rows, on_row,
                        &table, err);
    }
    if (!ok || wanted->as_json)
        return ok;
    if (table.shown == 0)
        puts("no games");
    if (table.all.lost == 0) {
        print_book(&table.all);
        return true;
    }
    lost.outcome = STORE_LOST;
    ok = stats_read(store, &lost, STATS_REASON, ROWS_LISTED, on_loss, &is_first, err);
    puts("");
    print_book(&table.all);
    return ok;
}

/* Takes "--by WORD" out of the words; the others are the filter's. */
static bool take_by(const CommandOptions *options, CommandOptions *others, const char **words,
                    StatsBy *by, Error *err)
{
    *others = *options;
    others->words = words;
    others->word_count = 0;
    *by = STATS_BY_COUNT;
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        if (strcmp(word, "--by") != 0) {
            words[others->word_count++] = word;
            continue;
        }
        if (++i == options->word_count) {
            error_set(err, ERR_INVALID, "nothing after --by");
            return false;
        }
        *by = stats_by_of(options->words[i]);
        if (*by == STATS_BY_COUNT) {
            error_set(err, ERR_INVALID, "--by %s: there is no such table", options->words[i]);
            return false;
        }
    }
    return true;
}

ExitStatus cmd_stats(const CommandOptions *options)
{
    const char *words[COMMAND_WORDS_MAX];
    CommandOptions others;
    GameFilter wanted;
    StatsBy by;
    Config config;
    Store *store;
    Error err = { 0 };
    bool is_read = take_by(options, &others, words, &by, &err) &&
                   game_filter_read(&wanted, &others, FILTER_ALONE, &err);
    if (!is_read) {
        fprintf(stderr, "castled: stats: %s; see castled stats --help\n", err.text);
        return EXIT_USAGE;
    }
    ExitStatus status = game_filter_open(&store, &config, options);
    if (status != EXIT_FINE)
        return status;
    if (!(by == STATS_BY_COUNT ? print_overview(store, &wanted, &err)
                               : print_table(store, &wanted, by, &err))) {
        fprintf(stderr, "castled: %s\n", err.text);
        status = EXIT_FAULT;
    }
    store_free(store);
    config_release(&config);
    return status;
}
