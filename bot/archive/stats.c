/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats.h"

#include "bot/review/eco.h"
#include "bot/review/replay.h"
#include "bot/archive/stats_groups.h"
#include "bot/archive/store_db.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { EXIT_MOST_CP = 1000, PERFORMANCE_MOST = 800, RATING_MOST = 10000, NAME_SIZE = 256 };

/* A row is a game: these columns, and what its table needs beside. */
typedef enum {
    COLUMN_OUTCOME,
    COLUMN_NAME, /* of its group, or what that is made of */
    COLUMN_RATING,
    COLUMN_ENDED,
    COLUMN_MORE,

    COLUMN_INITIAL = COLUMN_MORE, /* of STATS_CLOCK and STATS_TIME */
    COLUMN_INCREMENT,
    COLUMN_DAYS, /* of STATS_CLOCK */

    COLUMN_COLOUR = COLUMN_INCREMENT + 1, /* of STATS_TIME */
    COLUMN_CLOCKS,
    COLUMN_TIMES,
    COLUMN_TIME_FEN,

    COLUMN_BOOK_PLY = COLUMN_MORE, /* of STATS_ALL and STATS_BOOK */
    COLUMN_SCORES,
    COLUMN_ALL_LOSSES,                   /* of STATS_ALL */
    COLUMN_BOOK_UCI = COLUMN_SCORES + 1, /* of STATS_BOOK */
    COLUMN_BOOK_FEN,

    COLUMN_OPPONENT_ID = COLUMN_MORE, /* of STATS_OPPONENT */
    COLUMN_OPENING = COLUMN_MORE,     /* of STATS_OPENING */
    COLUMN_LOSSES = COLUMN_MORE,      /* of STATS_LOSSES */
    COLUMN_STATUS = COLUMN_MORE,      /* of STATS_ENGINE */
    COLUMN_STRIKES,
} Column;

const char *const stats_by_names[STATS_BY_COUNT] = {
    [STATS_ALL] = "all",
    [STATS_COLOUR] = "colour",
    [STATS_SPEED] = "speed",
    [STATS_CLOCK] = "clock",
    [STATS_VARIANT] = "variant",
    [STATS_KIND] = "kind",
    [STATS_OPPONENT] = "opponent",
    [STATS_OPENING] = "opening",
    [STATS_REASON] = "reason",
    [STATS_BOOK] = "book",
    [STATS_MONTH] = "month",
    [STATS_WEEK] = "week",
    [STATS_TIME] = "time",
    [STATS_VARIATION] = "variation",
    [STATS_LOSSES] = "losses",
    [STATS_ENGINE] = "engine",
    [STATS_OPPONENT_ENGINE] = "opponent-engine",
};

/* Names are cut where what stands in the row is longer than any real one. */

static void put_name(char out[NAME_SIZE], const char *text)
{
    text_format_cut(out, NAME_SIZE, "%s", text);
}

/* Writes the name of the game's group. `named`: of STATS_BOOK. */
typedef void WriteName(char out[OPENING_SIZE], const DbQuery *row, StatsBy by, StatsGroups *named);

static void write_clock(char out[OPENING_SIZE], const DbQuery *row, StatsBy by, StatsGroups *named)
{
    static_assert((int)OPENING_SIZE >= (int)TIME_CONTROL_TEXT_SIZE, "a clock has room");
    TimeControl time = time_control_of_days((int)db_number(row, COLUMN_DAYS));
    (void)by;
    (void)named;
    if (!db_is_null(row, COLUMN_INITIAL))
        time = (TimeControl){ .kind = TIME_CLOCK,
                              .base_s = db_number(row, COLUMN_INITIAL) / 1000,
                              .increment_s = db_number(row, COLUMN_INCREMENT) / 1000 };
    time_control_text(&time, out);
}

/* The list's first words, that many of them; nothing where they are too many to be a key. */
static bool first_words(char out[OPENING_SIZE], const char *list, int count)
{
    size_t len = 0;
    for (; count > 0 && list[len] != '\0'; count--)
        len += strspn(list + len, " ") + strcspn(list + len + strspn(list + len, " "), " ");
    return text_copy(out, OPENING_SIZE, (Text){ list, len });
}

/* Naming the moves takes most of the time, and many games leave the book at the same one: `named`
 * holds the names by the moves. */
static void write_book(char out[OPENING_SIZE], const DbQuery *row, StatsBy by, StatsGroups *named)
{
    char moves[OPENING_SIZE];
    (void)by;
    Variant variant = variant_of(text_of(db_text(row, COLUMN_NAME)));
    const char *uci = db_text(row, COLUMN_BOOK_UCI), *fen = db_text(row, COLUMN_BOOK_FEN);
    int64_t ply = db_number(row, COLUMN_BOOK_PLY);
    int most = ply < 0 ? 0 : ply > OPENING_PLIES_MAX ? OPENING_PLIES_MAX : (int)ply;
    bool is_usual = variant == VARIANT_STANDARD && fen[0] == '\0' && first_words(moves, uci, most);
    const StatsGroup *known = is_usual ? stats_groups_find(named, moves) : NULL;
    if (known && text_copy(out, OPENING_SIZE, text_of(known->name)))
        return;
    opening_write(variant, fen, text_of(uci), most, out);
    if (is_usual)
        (void)stats_groups_at(named, moves, out, 0); /* without memory it is named again */
}

/* By its family; where it has none, by the variant. */
static void write_opening(char out[OPENING_SIZE], const DbQuery *row, StatsBy by,
                          StatsGroups *named)
{
    Text family = eco_title_family(db_text(row, COLUMN_OPENING));
    (void)by;
    (void)named;
    if (db_is_null(row, COLUMN_OPENING))
        put_name(out, db_text(row, COLUMN_NAME));
    else
        text_format_cut(out, NAME_SIZE, "%.*s", TEXT_ARGS(family));
}

/* The month or the week's Monday, in UTC, and but for losses against whom. */
static void write_period(char out[OPENING_SIZE], const DbQuery *row, StatsBy by, StatsGroups *named)
{
    enum { DAY_S = 86400, DAYS_FROM_MONDAY = 3 /* to 1970-01-01 */ };
    const char *kind = db_text(row, COLUMN_NAME);
    struct tm utc;
    int64_t day = db_number(row, COLUMN_ENDED) / 1000 / DAY_S;
    time_t begins = (time_t)((by == STATS_WEEK ? day - (day + DAYS_FROM_MONDAY) % 7 : day) * DAY_S);
    (void)named;
    if (gmtime_r(&begins, &utc) && by == STATS_WEEK)
        text_format_cut(out, NAME_SIZE, "%04d-%02d-%02d %s", utc.tm_year + 1900, utc.tm_mon + 1,
                        utc.tm_mday, kind);
    else if (gmtime_r(&begins, &utc))
        text_format_cut(out, NAME_SIZE, "%04d-%02d%s%s", utc.tm_year + 1900, utc.tm_mon + 1,
                        by == STATS_MONTH ? " " : "", by == STATS_MONTH ? kind : "");
    else
        put_name(out, kind);
}

/* ---- questions ---- */

#define KIND "CASE WHEN opponent_is_bot <> 0 THEN 'bot' ELSE 'human' END"
#define THEIR_RATING "CASE our_colour WHEN 'white' THEN black_rating ELSE white_rating END"
#define THEIR_NAME                                                                                 \
    "coalesce(CASE our_colour WHEN 'white' THEN black ELSE white END,"                             \
    " 'Stockfish level ' || CASE our_colour WHEN 'white' THEN black_ai ELSE white_ai END,"         \
    " 'anonymous')"
/* The end of a game's book moves is looked up game by game: a join over all book moves depends on
 * the server's table statistics, and before ANALYZE it took 30 s. */
#define BOOK_PLY ", (SELECT max(ply) FROM book_move WHERE book_move.game = number) AS book_ply"
#define LOSSES                                                                                     \
    ", judged.game, judged.accuracy, judged.their_accuracy, judged.lost_chess,"                    \
    " judged.lost_clock, judged.lost_book, judged.lost_fault, judged.cause"
#define WITH_MOVES " LEFT JOIN moves ON moves.game = number"
#define ANALYSIS " JOIN analysis AS judged ON judged.game = number"

/* Each table is joined only if asked for, since that takes longer than the rest. */
static const struct {
    const char *name, *more, *join; /* in SQL: COLUMN_NAME, the columns from COLUMN_MORE on */
    WriteName *write_name;          /* NULL: COLUMN_NAME is the name */
} questions[STATS_BY_COUNT] = {
    [STATS_ALL] = { "''", BOOK_PLY ", moves.scores" LOSSES, WITH_MOVES " LEFT" ANALYSIS, NULL },
    [STATS_COLOUR] = { "our_colour", "", "", NULL },
    [STATS_SPEED] = { "speed", "", "", NULL },
    [STATS_CLOCK] = { "''", ", initial_ms, increment_ms, days", "", write_clock },
    [STATS_VARIANT] = { "variant", "", "", NULL },
    [STATS_KIND] = { KIND, "", "", NULL },
    [STATS_OPPONENT] = { THEIR_NAME, ", opponent_id", "", NULL },
    [STATS_OPENING] = { "variant", ", opening", "", write_opening },
    [STATS_VARIATION] = { "coalesce(opening, variant)", "", "", NULL },
    [STATS_REASON] = { "status", "", "", NULL },
    [STATS_BOOK] = { "variant", BOOK_PLY ", scores, uci, initial_fen", WITH_MOVES, write_book },
    [STATS_MONTH] = { KIND, "", "", write_period },
    [STATS_WEEK] = { KIND, "", "", write_period },
    [STATS_TIME] = { "speed",
                     ", initial_ms, increment_ms, our_colour, clocks_ms, times_ms, initial_fen",
                     WITH_MOVES, NULL },
    [STATS_LOSSES] = { KIND, LOSSES, ANALYSIS, write_period },
    [STATS_ENGINE] = { "coalesce(engine, '-')", ", status, strikes", "", NULL },
    [STATS_OPPONENT_ENGINE] = { "coalesce(opponent_engine, '-')", "", "", NULL },
};

static bool write_question(Buf *sql, const StoreFilter *filter, StatsBy by)
{
    return buf_printf(sql,
                      "SELECT outcome, %s, " THEIR_RATING ", ended_ms%s FROM game%s"
                      " WHERE outcome IN ('win', 'draw', 'loss') AND ",
                      questions[by].name, questions[by].more, questions[by].join) &&
           store_filter_write(sql, filter);
}

static void write_name(char out[OPENING_SIZE], const DbQuery *row, StatsBy by, StatsGroups *named)
{
    static_assert((int)NAME_SIZE <= (int)OPENING_SIZE, "any name fits");
    if (questions[by].write_name)
        questions[by].write_name(out, row, by, named);
    else
        put_name(out, db_text(row, COLUMN_NAME));
}

/* ---- counting ---- */

/* Word number `at` of a list, from 0 on; empty beyond its end. */
static Text word_at(Text list, int64_t at)
{
    while (at-- > 0 && list.len > 0) {
        const char *blank = memchr(list.at, ' ', list.len);
        size_t taken = blank ? (size_t)(blank - list.at) + 1 : list.len;
        list.at += taken;
        list.len -= taken;
    }
    const char *blank = list.len > 0 ? memchr(list.at, ' ', list.len) : NULL;
    return (Text){ list.at, blank ? (size_t)(blank - list.at) : list.len };
}

/* Centipawns within bounds; false where there are none. */
static bool read_score(Text word, int64_t *out)
{
    int64_t cp;
    if (text_starts_with(word, "#"))
        cp = text_starts_with(word, "#-") ? -EXIT_MOST_CP : EXIT_MOST_CP;
    else if (!number_parse(word.at, word.len, INT32_MIN, INT32_MAX, &cp, NULL))
        return false;
    *out = cp > EXIT_MOST_CP ? EXIT_MOST_CP : cp < -EXIT_MOST_CP ? -EXIT_MOST_CP : cp;
    return true;
}

static void count_book(StatsGroup *group, const DbQuery *row)
{
    int64_t cp, ply = db_number(row, COLUMN_BOOK_PLY);
    if (db_is_null(row, COLUMN_BOOK_PLY))
        return;
    group->in_book++;
    group->book_plies += (double)ply;
    if (ply >= 0 && ply < INT32_MAX &&
        read_score(word_at(text_of(db_text(row, COLUMN_SCORES)), ply + 1), &cp)) {
        group->exits++;
        group->exit_cp += (double)cp;
    }
}

static void count_time(StatsGroup *group, const DbQuery *row)
{
    const char *fen = db_text(row, COLUMN_TIME_FEN), *blank = strchr(fen, ' ');
    bool black_begins = blank && blank[1] == 'b';
    const TimeUseClock clock = {
        .initial_ms = db_number(row, COLUMN_INITIAL),
        .increment_ms = db_number(row, COLUMN_INCREMENT),
        .we_began = (strcmp(db_text(row, COLUMN_COLOUR), "black") == 0) == black_begins,
    };
    if (!db_is_null(row, COLUMN_INITIAL))
        time_use_add_lists(&group->time, &clock, text_of(db_text(row, COLUMN_CLOCKS)),
                           text_of(db_text(row, COLUMN_TIMES)));
}

static void count_losses(StatsGroup *group, const DbQuery *row, int column)
{
    LossSum *sum = &group->losses;
    if (db_is_null(row, column++))
        return;
    sum->games++;
    if (!db_is_null(row, column) && !db_is_null(row, column + 1)) {
        sum->accurate++;
        sum->ours += (double)db_number(row, column) / 10;
        sum->theirs += (double)db_number(row, column + 1) / 10;
    }
    column += 2;
    for (int i = 0; i < CAUSE_COUNT; i++)
        sum->lost[i] += (double)db_number(row, column++) / 10;
    for (int i = 0; i < CAUSE_COUNT; i++)
        sum->lost_by[i] += strcmp(db_text(row, column), loss_cause_name((LossCause)i)) == 0;
}

static void count_faults(StatsGroup *group, const DbQuery *row, bool is_lost)
{
    group->on_time +=
        is_lost && status_of(text_of(db_text(row, COLUMN_STATUS))) == STATUS_OUTOFTIME;
    group->strikes += db_number(row, COLUMN_STRIKES);
}

static bool count_game(StatsGroups *groups, const DbQuery *row, StatsBy by, StatsGroups *named)
{
    char name[OPENING_SIZE];
    if (by == STATS_BOOK && db_is_null(row, COLUMN_BOOK_PLY))
        return true;
    write_name(name, row, by, named);
    const char *id = by == STATS_OPPONENT ? db_text(row, COLUMN_OPPONENT_ID) : "";
    StatsGroup *group =
        stats_groups_at(groups, id[0] != '\0' ? id : name, name, db_number(row, COLUMN_ENDED));
    if (!group)
        return false;
    char first = db_text(row, COLUMN_OUTCOME)[0]; /* of win, draw, loss */
    group->won += first == 'w';
    group->drawn += first == 'd';
    group->lost += first == 'l';
    if (!db_is_null(row, COLUMN_RATING)) {
        group->rated++;
        group->ratings += db_real(row, COLUMN_RATING);
    }
    if (by == STATS_ALL || by == STATS_BOOK)
        count_book(group, row);
    else if (by == STATS_TIME)
        count_time(group, row);
    else if (by == STATS_ENGINE)
        count_faults(group, row, first == 'l');
    if (by == STATS_ALL || by == STATS_LOSSES)
        count_losses(group, row, by == STATS_ALL ? COLUMN_ALL_LOSSES : COLUMN_LOSSES);
    return true;
}

static double mean(double sum, int64_t count)
{
    return count > 0 ? sum / (double)count : 0;
}

static void tell_groups(const StatsGroup *group, size_t groups, StatsOnRow *on_row, void *user)
{
    const StatsRow row = {
        .name = group->name,
        .games = stats_group_games(group),
        .won = group->won,
        .drawn = group->drawn,
        .lost = group->lost,
        .opponents = mean(group->ratings, group->rated),
        .in_book = group->in_book,
        .book_plies = mean(group->book_plies, group->in_book),
        .exits = group->exits,
        .exit_cp = mean(group->exit_cp, group->exits),
        .time = group->time,
        .losses = group->losses,
        .on_time = group->on_time,
        .strikes = group->strikes,
        .groups = (int64_t)groups,
    };
    on_row(user, &row);
}

static bool count_games(Store *store, const StoreFilter *filter, StatsBy by, StatsGroups *groups,
                        Error *err)
{
    Buf sql;
    DbQuery *question = NULL;
    DbStep step;
    StatsGroups named = { 0 };
    buf_init(&sql, 4096);
    if (!write_question(&sql, filter, by))
        error_set(err, ERR_MEMORY, "no memory");
    else
        question = db_prepare(store->db, buf_view(&sql), err);
    buf_release(&sql);
    if (!question)
        return false;
    store_filter_bind(question, filter);
    while ((step = db_step(question, err)) == DB_ROW) {
        if (count_game(groups, question, by, &named))
            continue;
        error_set(err, ERR_MEMORY, "no memory");
        step = DB_FAILED;
        break;
    }
    stats_groups_release(&named);
    db_finish(question);
    return step == DB_DONE;
}

bool stats_read(Store *store, const StoreFilter *filter, StatsBy by, int64_t limit,
                StatsOnRow *on_row, void *user, Error *err)
{
    StatsGroups groups = { 0 };
    bool ok = count_games(store, filter, by, &groups, err);
    if (ok)
        stats_groups_sort(&groups, by == STATS_MONTH || by == STATS_WEEK || by == STATS_LOSSES
                                       ? STATS_LAST_NAME_FIRST
                                       : STATS_MOST_GAMES_FIRST);
    for (size_t i = 0; ok && i < groups.count && (int64_t)i < limit; i++)
        tell_groups(&groups.list[i], groups.count, on_row, user);
    stats_groups_release(&groups);
    return ok;
}

const char *against_name(Against kind)
{
    static const char *const names[AGAINST_COUNT] = { "human", "bot" };
    return names[kind];
}

bool stats_read_kinds(Store *store, const char *account, StatsRow out[AGAINST_COUNT], Error *err)
{
    static const char text[] =
        "SELECT opponent_is_bot, count(*) FILTER (WHERE outcome = 'win'),"
        " count(*) FILTER (WHERE outcome = 'draw'), count(*) FILTER (WHERE outcome = 'loss'),"
        " count(rating), coalesce(sum(rating), 0)"
        " FROM (SELECT opponent_is_bot, outcome,"
        " CASE our_colour WHEN 'white' THEN black_rating ELSE white_rating END AS rating"
        " FROM game WHERE outcome IN ('win', 'draw', 'loss')%s) AS won_or_not"
        " GROUP BY opponent_is_bot";
    char sql[sizeof text + 20];
    int64_t rated[AGAINST_COUNT] = { 0 };
    DbStep step;
    text_format(sql, sizeof sql, text, account ? " AND account = ?" : "");
    DbQuery *question = db_prepare(store->db, sql, err);
    if (!question)
        return false;
    if (account)
        db_bind_text(question, account);
    for (int i = 0; i < AGAINST_COUNT; i++)
        out[i] = (StatsRow){ .name = "", .groups = 1 };
    while ((step = db_step(question, err)) == DB_ROW) {
        Against kind = db_number(question, 0) != 0 ? AGAINST_BOTS : AGAINST_HUMANS;
        StatsRow *row = &out[kind];
        row->won += db_number(question, 1);
        row->drawn += db_number(question, 2);
        row->lost += db_number(question, 3);
        row->games = row->won + row->drawn + row->lost;
        rated[kind] += db_number(question, 4);
        row->opponents += db_real(question, 5);
    }
    for (int kind = 0; kind < AGAINST_COUNT; kind++)
        out[kind].opponents /= rated[kind] > 0 ? (double)rated[kind] : 1;
    db_finish(question);
    return step == DB_DONE;
}

double stats_score(const StatsRow *row)
{
    return row->games > 0 ? ((double)row->won + (double)row->drawn / 2) / (double)row->games : 0;
}

int stats_performance(const StatsRow *row)
{
    double score = stats_score(row);
    if (!(row->opponents > 0 && row->opponents < RATING_MOST) || row->games == 0)
        return 0;
    double above = score <= 0   ? -PERFORMANCE_MOST
                   : score >= 1 ? PERFORMANCE_MOST
                                : 400 * log10(score / (1 - score));
    above = above > PERFORMANCE_MOST    ? PERFORMANCE_MOST
            : above < -PERFORMANCE_MOST ? -PERFORMANCE_MOST
                                        : above;
    return (int)lround(row->opponents + above);
}
