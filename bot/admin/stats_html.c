/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/stats_html.h"

#include "bot/admin/chart_svg.h"
#include "bot/admin/html.h"
#include "bot/admin/page_html.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/utc_time.h"
#include "engine/base/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- memory: a chart is too large for a stack ---- */

static Chart *chart_new(ChartKind kind, const char *title, const char *place)
{
    Chart *chart = calloc(1, sizeof *chart);
    if (chart) {
        chart->kind = kind;
        chart->title = title;
        chart->place = place;
    }
    return chart;
}

static ChartSeries *add_series(Chart *chart, const char *name, const char *style)
{
    ChartSeries *series = &chart->series[chart->series_count++];
    series->name = name;
    series->style = style;
    for (int i = 0; i < CHART_PLACES_MAX; i++)
        series->values[i] = NAN;
    return series;
}

/* Takes it. */
static bool finish(Chart *chart, Buf *out)
{
    bool ok = chart_svg_write(out, chart);
    free(chart);
    return ok;
}

/* ---- tables ---- */

bool stats_html_begin(Buf *out, const struct json_object *site, const ArchiveQuery *query)
{
    return page_html_begin(out, site, "statistics", PAGE_KIND_STATS) &&
           buf_put_text(out, "<main><h2>Statistics</h2>\n") &&
           archive_query_put_form(out, query, ARCHIVE_FORM_STATS);
}

bool stats_html_table(Buf *out, const char *title, const char *group)
{
    return buf_printf(
        out,
        "<section><h3>%s</h3><div class=\"wide results\"><table><tr><th>%s</th><th>games</th>"
        "<th>won</th><th>drawn</th><th>lost</th><th>score</th><th></th>"
        "<th>performance</th></tr>\n",
        title, group);
}

static bool put_share(Buf *out, const StatsRow *row)
{
    static const char *const styles[] = { "won", "drawn", "lost" };
    const int64_t counts[] = { row->won, row->drawn, row->lost };
    double x = 0;
    bool ok = buf_put_text(out, "<td><svg class=\"share\" viewBox=\"0 0 100 10\" "
                                "preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    for (size_t i = 0; ok && i < sizeof counts / sizeof *counts; i++) {
        double width = row->games > 0 ? 100 * (double)counts[i] / (double)row->games : 0;
        ok = buf_printf(out, "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" height=\"10\"/>",
                        styles[i], x, width);
        x += width;
    }
    return ok && buf_put_text(out, "</svg></td>");
}

bool stats_html_row(Buf *out, const StatsRow *row)
{
    int performance = stats_performance(row);
    bool ok = buf_put_text(out, "<tr><td>") && html_put(out, text_of(row->name)) &&
              buf_printf(out,
                         "</td><td class=\"n\">%" PRId64 "</td><td class=\"n\">%" PRId64
                         "</td><td class=\"n\">%" PRId64 "</td><td class=\"n\">%" PRId64
                         "</td><td class=\"n\">%.1f %%</td>",
                         row->games, row->won, row->drawn, row->lost, 100 * stats_score(row)) &&
              put_share(out, row) && buf_put_text(out, "<td class=\"n\">");
    if (ok && performance != 0)
        ok = buf_printf(out, "%d", performance);
    return ok && buf_put_text(out, "</td></tr>\n");
}

bool stats_html_table_end(Buf *out)
{
    return buf_put_text(out, "</table></div></section>\n");
}

/* ---- over time ---- */

static void name_steps(Chart *chart, const Progress *progress)
{
    enum { DATE = 10 };
    chart->places = progress->count;
    for (int i = 0; i < progress->count; i++) {
        char text[UTC_TIME_SIZE];
        utc_time_write((progress->begins_ms + i * progress->step_ms) / 1000, text);
        text[DATE] = '\0';
        (void)!text_copy(chart->names[i], CHART_NAME_SIZE, text_of(text));
    }
}

static const char *step_name(const Progress *progress)
{
    int64_t days = progress->step_ms / DURATION_DAY_MS;
    return days == 1 ? "day" : days == 7 ? "week of" : "from";
}

static bool put_results(Buf *out, const Progress *progress, Against against)
{
    Chart *chart = chart_new(
        CHART_BARS, against == AGAINST_BOTS ? "results against bots" : "results against humans",
        step_name(progress));
    if (!chart)
        return false;
    name_steps(chart, progress);
    ChartSeries *won = add_series(chart, "won", "won"),
                *drawn = add_series(chart, "drawn", "drawn"),
                *lost = add_series(chart, "lost", "lost");
    for (int i = 0; i < progress->count; i++) {
        const ProgressResults *results = &progress->results[against][i];
        if (results->won + results->drawn + results->lost == 0)
            continue;
        won->values[i] = (double)results->won;
        drawn->values[i] = (double)results->drawn;
        lost->values[i] = (double)results->lost;
    }
    return finish(chart, out);
}

static bool put_ratings(Buf *out, const Progress *progress)
{
    Chart *chart = chart_new(CHART_LINES, "our rating", step_name(progress));
    if (!chart)
        return false;
    name_steps(chart, progress);
    for (int i = 0; i < progress->rating_count; i++) {
        const ProgressRating *rating = &progress->ratings[i];
        ChartSeries *series = add_series(chart, rating->name, NULL);
        for (int step = 0; step < progress->count; step++)
            if (rating->rating[step] > 0)
                series->values[step] = rating->rating[step];
    }
    return finish(chart, out);
}

bool stats_html_progress(Buf *out, const Progress *progress)
{
    if (progress->count == 0)
        return true;
    return buf_put_text(out, "<section><h3>Over time</h3><div class=\"charts\">\n") &&
           put_results(out, progress, AGAINST_HUMANS) && put_results(out, progress, AGAINST_BOTS) &&
           put_ratings(out, progress) && buf_put_text(out, "</div></section>\n");
}

/* ---- time ---- */

static bool put_time_by_move(Buf *out, const TimeByMove *use)
{
    static const char *const names[TIME_USE_SIDES] = { "ours", "theirs" };
    Chart *chart = chart_new(CHART_LINES, "seconds for a move, by its number", "move");
    if (!chart)
        return false;
    chart->decimals = 1;
    chart->places = TIME_USE_MOVES_MAX - 1; /* the first has no time */
    for (int i = 0; i < chart->places; i++)
        if (snprintf(chart->names[i], CHART_NAME_SIZE, "%d", i + 2) < 0)
            chart->names[i][0] = '\0';
    for (int side = 0; side < TIME_USE_SIDES; side++) {
        ChartSeries *series = add_series(chart, names[side], NULL);
        for (int i = 0; i < chart->places; i++)
            series->values[i] = time_sum_mean_s(&use->spent[side][i + 1]);
    }
    return finish(chart, out);
}

static bool put_seconds(Buf *out, const TimeSum *sum)
{
    double mean_s = time_sum_mean_s(sum);
    return isnan(mean_s) ? buf_put_text(out, "<td></td>")
                         : buf_printf(out, "<td class=\"n\">%.1f s</td>", mean_s);
}

static bool put_lag(Buf *out, const TimeSum *lag)
{
    if (lag->moves == 0)
        return buf_put_text(out, "<td></td><td></td>");
    return buf_printf(out, "<td class=\"n\">%" PRId64 " ms</td><td class=\"n\">%" PRId64 " ms</td>",
                      lag->sum_ms / lag->moves, lag->most_ms);
}

static bool put_time_by_speed(Buf *out, const TimeUse times[SPEED_COUNT])
{
    bool ok = buf_put_text(out, "<div class=\"wide\"><table><tr><th>speed</th><th>games</th>"
                                "<th>our moves</th><th>theirs</th><th>of our clock</th>"
                                "<th>mean lag</th><th>worst</th></tr>\n");
    for (int speed = 0; ok && speed < SPEED_COUNT; speed++) {
        const TimeUse *use = &times[speed];
        if (use->games == 0)
            continue;
        ok = buf_printf(out, "<tr><td>%s</td><td class=\"n\">%" PRId64 "</td>",
                        speed_name((Speed)speed), use->games) &&
             put_seconds(out, &use->spent[TIME_USE_OURS]) &&
             put_seconds(out, &use->spent[TIME_USE_THEIRS]) &&
             buf_printf(out, "<td class=\"n\">%.0f %%</td>",
                        100 * use->share / (double)use->games) &&
             put_lag(out, &use->lag) && buf_put_text(out, "</tr>\n");
    }
    return ok && buf_put_text(out, "</table></div>\n");
}

bool stats_html_times(Buf *out, const TimeUse times[SPEED_COUNT], const TimeByMove *by_move)
{
    int64_t games = 0;
    for (int speed = 0; speed < SPEED_COUNT; speed++)
        games += times[speed].games;
    if (games == 0)
        return true;
    return buf_printf(out,
                      "<section><h3>Time</h3><p>In the latest %" PRId64
                      " of these games that have a clock. Lag is what our clock lost beyond our "
                      "search.</p>\n",
                      games) &&
           put_time_by_speed(out, times) && buf_put_text(out, "<div class=\"charts\">\n") &&
           put_time_by_move(out, by_move) && buf_put_text(out, "</div></section>\n");
}

bool stats_html_echo(Buf *out, const struct json_object *moves)
{
    struct json_object *within = jsonread_object(moves, "echo_within_ms");
    if (!within || jsonread_int(moves, "arrived", 0, INT64_MAX, 0) == 0)
        return true;
    Chart *chart = chart_new(CHART_BARS,
                             "moves until the server's list shows them, since the start", "within");
    if (!chart)
        return false;
    ChartSeries *series = add_series(chart, "moves", NULL);
    struct json_object_iterator at = json_object_iter_begin(within);
    struct json_object_iterator end = json_object_iter_end(within);
    for (; !json_object_iter_equal(&at, &end) && chart->places < CHART_PLACES_MAX;
         json_object_iter_next(&at)) {
        const char *bound = json_object_iter_peek_name(&at);
        int place = chart->places++;
        int len = snprintf(chart->names[place], CHART_NAME_SIZE, "%.12s ms", bound);
        (void)len;
        series->values[place] = (double)jsonread_int(within, bound, 0, INT64_MAX, 0);
    }
    bool ok = buf_put_text(out, "<section><h3>Lag</h3><div class=\"charts\">\n");
    return finish(chart, out) && ok && buf_put_text(out, "</div></section>\n");
}

bool stats_html_end(Buf *out)
{
    return buf_put_text(out, "</main>") && page_html_end(out);
}
