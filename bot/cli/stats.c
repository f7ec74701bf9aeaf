/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How we did in the games of the archive: a table, or a little of each. */
#include "bot/admin/stats_json.h"
#include "bot/cli/compare_text.h"
#include "bot/cli/game_filter.h"
#include "bot/cli/losses_text.h"
#include "bot/cli/shown.h"
#include "bot/ops/printable.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_LISTED = 20, SMALL = 40, NAME_SHOWN = 80 };

typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON } Format;

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
    Format format;
    bool is_overview; /* of several tables: each row begins with its table's name */
    bool has_head;
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
        printf("%s … %s", shown((Text){ moves, HEAD }).text,
               shown(text_of(moves + len - TAIL)).text);
}

static void print_head(const Table *table)
{
    if (table->is_overview)
        printf("%-9s ", "table");
    printf("%6s %6s %6s %6s  %7s  %11s", "games", "won", "drawn", "lost", "score", "performance");
    if (table->by == STATS_BOOK)
        printf("  %5s  %6s", "plies", "eval");
    else if (table->by == STATS_TIME)
        printf("  %6s  %6s  %7s", "a move", "clock", "lag");
    else if (table->by == STATS_LOSSES)
        printf("  %8s  %6s  %5s  %5s  %5s  %5s", "accuracy", "theirs", "chess", "clock", "book",
               "fault");
    else if (table->by == STATS_ENGINE)
        printf("  %7s  %7s", "on time", "strikes");
    printf("  %s\n", table->is_overview ? "name" : stats_by_names[table->by]);
}

static void print_exit(const StatsRow *row)
{
    if (row->exits > 0)
        printf("  %5.0f  %+6.2f", row->book_plies, row->exit_cp / 100);
    else
        printf("  %5.0f  %6s", row->book_plies, "-");
}

static void print_time(const TimeUse *use)
{
    StatsTimeMeans means = stats_time_means(use);
    if (use->games == 0)
        printf("  %6s  %6s  %7s", "-", "-", "-");
    else if (use->lag.moves == 0)
        printf("  %4.1f s  %4.0f %%  %7s", means.move_s, 100 * means.share, "-");
    else
        printf("  %4.1f s  %4.0f %%  %4.0f ms", means.move_s, 100 * means.share, means.lag_ms);
}

static void print_losses(const LossSum *sum)
{
    if (sum->accurate > 0)
        printf("  %6.1f %%  %4.1f %%", sum->ours / (double)sum->accurate,
               sum->theirs / (double)sum->accurate);
    else
        printf("  %8s  %6s", "-", "-");
    for (int i = 0; i < CAUSE_COUNT; i++)
        printf("  %3.0f %%", sum->lost[i] / (double)sum->games);
}

static void print_line(Table *table, const StatsRow *row)
{
    char rating[SMALL] = "-";
    int performance = stats_performance(row);
    if (performance != 0)
        text_format(rating, sizeof rating, "%d", performance);
    if (!table->has_head)
        print_head(table);
    table->has_head = true;
    if (table->is_overview)
        printf("%-9s ", stats_by_names[table->by]);
    printf("%6" PRId64 " %6" PRId64 " %6" PRId64 " %6" PRId64 "  %5.1f %%  %11s", row->games,
           row->won, row->drawn, row->lost, 100 * stats_score(row), rating);
    if (table->by == STATS_BOOK)
        print_exit(row);
    else if (table->by == STATS_TIME)
        print_time(&row->time);
    else if (table->by == STATS_LOSSES)
        print_losses(&row->losses);
    else if (table->by == STATS_ENGINE)
        printf("  %7" PRId64 "  %7" PRId64, row->on_time, row->strikes);
    if (row->name[0] != '\0') {
        printf("  ");
        (table->by == STATS_BOOK ? print_moves : print_name)(row->name);
    }
    puts("");
}

static void print_json(const Table *table, const StatsRow *row)
{
    struct json_object *line = stats_json_row(table->by, row);
    if (line)
        shown_json(stdout, json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
    json_object_put(line);
}

/* Always in quotes, as RFC 4180 has them; what is not printable as everywhere else. */
static void print_quoted(const char *text)
{
    char shown[4 * NAME_SHOWN];
    printable_copy(shown, sizeof shown, text_of(text));
    bool is_formula = shown[0] != '\0' && strchr("=+-@", shown[0]) && shown[1] != '\0';
    putchar('"');
    if (is_formula) /* to a spreadsheet, which would carry it out */
        putchar('\'');
    for (const char *c = shown; *c; c++)
        printf("%s%c", *c == '"' ? "\"" : "", *c);
    putchar('"');
}

/* A cell that stays empty where there is nothing to say. */
static void print_cell(bool is_known, double value, int digits)
{
    if (is_known)
        printf(",%.*f", digits, value);
    else
        putchar(',');
}

static void print_csv(Table *table, const StatsRow *row)
{
    const TimeUse *use = &row->time;
    StatsTimeMeans means = stats_time_means(use);
    int performance = stats_performance(row);
    if (!table->has_head)
        puts("by,name,games,won,drawn,lost,score,opponents,performance,book_games,book_plies,"
             "book_exit_cp,move_s,clock_share,lag_ms,analysed,accuracy,their_accuracy,lost_chess,"
             "lost_clock,lost_book,lost_fault,on_time,strikes");
    table->has_head = true;
    printf("%s,", stats_by_names[table->by]);
    print_quoted(row->name);
    printf(",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.4f", row->games, row->won,
           row->drawn, row->lost, stats_score(row));
    print_cell(performance != 0, row->opponents, 0);
    print_cell(performance != 0, performance, 0);
    print_cell(row->in_book > 0, (double)row->in_book, 0);
    print_cell(row->in_book > 0, row->book_plies, 1);
    print_cell(row->exits > 0, row->exit_cp, 0);
    print_cell(use->games > 0, means.move_s, 3);
    print_cell(use->games > 0, means.share, 4);
    print_cell(use->lag.moves > 0, means.lag_ms, 1);
    const LossSum *sum = &row->losses;
    print_cell(sum->games > 0, (double)sum->games, 0);
    print_cell(sum->accurate > 0, sum->ours / (double)sum->accurate / 100, 4);
    print_cell(sum->accurate > 0, sum->theirs / (double)sum->accurate / 100, 4);
    for (int i = 0; i < CAUSE_COUNT; i++)
        print_cell(sum->games > 0, sum->lost[i] / (double)sum->games / 100, 4);
    print_cell(table->by == STATS_ENGINE, (double)row->on_time, 0);
    print_cell(table->by == STATS_ENGINE, (double)row->strikes, 0);
    puts("");
}

static void stats_on_row(void *user, const StatsRow *row)
{
    Table *table = user;
    table->shown++;
    table->groups = row->groups;
    if (table->by == STATS_ALL) {
        table->all = *row;
        table->all.name = "";
    }
    switch (table->format) {
    case FORMAT_TABLE:
        print_line(table, row);
        break;
    case FORMAT_CSV:
        print_csv(table, row);
        break;
    case FORMAT_JSON:
        print_json(table, row);
        break;
    }
}

static void stats_on_loss(void *user, const StatsRow *row)
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

static bool print_table(Store *store, const StoreFilter *filter, StatsBy by, Format format,
                        Error *err)
{
    Table table = { .by = by, .format = format };
    int64_t limit = filter->limit > 0 ? filter->limit : ROWS_LISTED;
    bool ok = stats_read(store, filter, by, limit, stats_on_row, &table, err);
    if (!ok || format != FORMAT_TABLE)
        return ok;
    if (table.shown == 0)
        puts("no games");
    if (table.groups > table.shown)
        printf("and %" PRId64 " more: see --limit\n", table.groups - table.shown);
    return true;
}

static bool print_overview(Store *store, const StoreFilter *filter, Format format, Error *err)
{
    Table table = { .format = format, .is_overview = true };
    StoreFilter lost = *filter;
    bool is_first = true, ok = true;
    for (size_t i = 0; i < sizeof overview / sizeof *overview && ok; i++) {
        table.by = overview[i].by;
        ok = stats_read(store, filter, table.by,
                        filter->limit > 0 ? filter->limit : overview[i].rows, stats_on_row, &table,
                        err);
    }
    if (!ok || format != FORMAT_TABLE)
        return ok;
    if (table.shown == 0)
        puts("no games");
    if (table.all.lost > 0) {
        lost.outcome = STORE_LOST;
        ok = stats_read(store, &lost, STATS_REASON, ROWS_LISTED, stats_on_loss, &is_first, err);
        puts("");
    }
    print_book(&table.all);
    losses_print(&table.all);
    return ok;
}

/* What this command's own words ask for. */
typedef struct {
    StoreFilter filter;
    StatsBy by; /* STATS_BY_COUNT: a little of each */
    Format format;
    const char *versions[2]; /* to compare; NULL: none */
} Wanted;

static bool take_version(const Option *option, void *at, const char *value, Error *err)
{
    const char **versions = at;
    return option_text(option, &versions[versions[0] ? 1 : 0], value, err);
}

static const WordList tables = { stats_by_names, STATS_BY_COUNT, 0 };
static const char *const format_names[] = { "table", "csv", "json" };
static const WordList formats = { format_names, sizeof format_names / sizeof *format_names, 0 };

static const Option stats_options[] = {
    { .name = "--by",
      .value = "TABLE",
      .help = "one table: all, kind, colour, speed, clock, variant, opponent, opening, variation, "
              "reason, book, month, week, time, losses, engine or opponent-engine",
      .read = option_word,
      .at = offsetof(Wanted, by),
      .words = &tables },
    { .name = "--compare",
      .value = "A B",
      .help = "two versions of external engines, by a part of what --by engine calls them: "
              "performance, difference with its 95 %, likelihood that A is stronger",
      .read = take_version,
      .at = offsetof(Wanted, versions) },
    { .name = "--format",
      .value = "FORMAT",
      .help = "table, csv (with a head), or json (a line for each row); default: table",
      .read = option_word,
      .at = offsetof(Wanted, format),
      .words = &formats },
    { .name = "--json",
      .help = "the same as --format json",
      .read = option_choice,
      .at = offsetof(Wanted, format),
      .lo = FORMAT_JSON },
    { .name = NULL },
};

static ExitStatus cmd_stats(const CommandOptions *options)
{
    Wanted wanted = { .by = STATS_BY_COUNT };
    Config config;
    Store *store;
    Error err = { 0 };
    if (!command_read_words(options, (void *[]){ &wanted, &wanted.filter }))
        return EXIT_USAGE;
    ExitStatus status = game_filter_open(&store, STORE_READ, &config, options);
    if (status != EXIT_FINE)
        return status;
    if (!(wanted.versions[0] ? compare_print(store, &wanted.filter, wanted.versions, &err)
          : wanted.by == STATS_BY_COUNT
              ? print_overview(store, &wanted.filter, wanted.format, &err)
              : print_table(store, &wanted.filter, wanted.by, wanted.format, &err))) {
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
        status = EXIT_FAULT;
    }
    store_free(store);
    config_release(&config);
    return status;
}

const CliCommand command_stats = {
    .name = "stats",
    .run = cmd_stats,
    .help = "sum up finished games: score and performance by opponent, opening and so on",
    .forms = { "[--by TABLE | --compare A B] [FILTER ...] [--format FORMAT]" },
    .text = "The performance is the rating that the score is worth against the opponents' "
            "ratings, at most 800 away "
            "from theirs. The table kind separates humans and bots, as do month and week (by its "
            "Monday). Openings have the names that Lichess gives them; variation is finer. The "
            "table book shows where our book ended and how we evaluated the position at our "
            "next move; time shows the mean time of our moves, how much of the clock a game "
            "used, and what a move cost besides searching; losses shows, by month, of the games "
            "that castled analyse went over, our accuracy, the opponents', and how much of our "
            "winning chances a game lost by each cause.",
    .options = { stats_options, game_filter_options },
    .example = "castled stats --by opponent --limit 10",
    .example_help = "shows the ten players met most often",
};
