/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/chart_svg.h"

#include "bot/admin/html.h"
#include "engine/base/text.h"

#include <math.h>

/* In the drawing's units, which are a phone's pixels. */
enum { WIDTH = 360, HEIGHT = 170, LEFT = 34, RIGHT = 8, TOP = 8, BOTTOM = 18, TICKS = 4 };

typedef struct {
    double low, high, step; /* of the values: the axis begins and ends at whole steps */
} Scale;

/* ---- where values lie ---- */

static double bar_of(const Chart *chart, int place)
{
    double sum = 0;
    for (int i = 0; i < chart->series_count; i++)
        sum += isnan(chart->series[i].values[place]) ? 0 : chart->series[i].values[place];
    return sum;
}

/* False: there is no value. */
static bool find_range(const Chart *chart, double *low, double *high)
{
    bool is_there = false;
    for (int i = 0; i < chart->series_count; i++) {
        for (int place = 0; place < chart->places; place++) {
            double value = chart->series[i].values[place];
            if (!isfinite(value))
                continue;
            if (chart->kind == CHART_BARS)
                value = bar_of(chart, place);
            *low = is_there ? fmin(*low, value) : value;
            *high = is_there ? fmax(*high, value) : value;
            is_there = true;
        }
    }
    return is_there && *high < 1e12 && *low > -1e12;
}

/* 1, 2 or 5 times a power of ten, and not finer than what the words show. */
static double nice_step(double range, int decimals)
{
    double rough = fmax(range / TICKS, pow(10, -decimals)), power = pow(10, floor(log10(rough)));
    static const double factors[] = { 1, 2, 5 };
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (factors[i] * power >= rough * 0.999)
            return factors[i] * power;
    return 10 * power;
}

/* Bars begin at nothing. */
static Scale scale_of(const Chart *chart, double low, double high)
{
    Scale scale;
    low = chart->kind == CHART_BARS ? fmin(low, 0) : low;
    scale.step = nice_step(high - low, chart->decimals);
    scale.low = floor(low / scale.step) * scale.step;
    scale.high = ceil(high / scale.step) * scale.step;
    if (scale.high <= scale.low)
        scale.high = scale.low + scale.step;
    return scale;
}

static double y_of(const Scale *scale, double value)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (scale->high - value) / (scale->high - scale->low);
}

static double width_of(const Chart *chart)
{
    return (double)(WIDTH - LEFT - RIGHT) / chart->places;
}

static double middle_of(const Chart *chart, int place)
{
    return LEFT + width_of(chart) * (place + 0.5);
}

/* ---- its parts ---- */

static bool put_class(Buf *out, const Chart *chart, int series)
{
    const char *style = chart->series[series].style;
    return style ? buf_put_text(out, style) : buf_printf(out, "s%d", series);
}

static bool put_axes(Buf *out, const Chart *chart, const Scale *scale)
{
    bool ok = true;
    int count = (int)lround((scale->high - scale->low) / scale->step);
    for (int i = 0; ok && i <= count; i++) {
        double value = scale->low + i * scale->step, y = y_of(scale, value);
        int decimals = scale->step < 1 ? chart->decimals : 0;
        ok = buf_printf(out,
                        "<path class=\"rule\" d=\"M%d %.1fH%d\"/>"
                        "<text x=\"%d\" y=\"%.1f\" class=\"end\">%.*f</text>",
                        LEFT, y, WIDTH - RIGHT, LEFT - 4, y + 3, decimals, value);
    }
    ok = ok && buf_printf(out, "<text x=\"%d\" y=\"%d\">", LEFT, HEIGHT - 4) &&
         html_put(out, text_of(chart->names[0])) && buf_put_text(out, "</text>");
    if (!ok || chart->places == 1)
        return ok;
    return buf_printf(out, "<text x=\"%d\" y=\"%d\" class=\"end\">", WIDTH - RIGHT, HEIGHT - 4) &&
           html_put(out, text_of(chart->names[chart->places - 1])) && buf_put_text(out, "</text>");
}

/* What a pointer that rests on a value is told. */
static bool put_hint(Buf *out, const Chart *chart, int series, int place)
{
    return buf_put_text(out, "<title>") && html_put(out, text_of(chart->names[place])) &&
           buf_put_text(out, ": ") && html_put(out, text_of(chart->series[series].name)) &&
           buf_printf(out, " %.*f</title>", chart->decimals, chart->series[series].values[place]);
}

static bool put_line(Buf *out, const Chart *chart, const Scale *scale, int series)
{
    const double *values = chart->series[series].values;
    bool ok = buf_put_text(out, "<g class=\"") && put_class(out, chart, series) &&
              buf_put_text(out, "\"><polyline points=\"");
    for (int place = 0; ok && place < chart->places; place++)
        if (isfinite(values[place]))
            ok = buf_printf(out, "%.1f,%.1f ", middle_of(chart, place), y_of(scale, values[place]));
    ok = ok && buf_put_text(out, "\"/>");
    for (int place = 0; ok && place < chart->places; place++)
        if (isfinite(values[place]))
            ok = buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\">",
                            middle_of(chart, place), y_of(scale, values[place])) &&
                 put_hint(out, chart, series, place) && buf_put_text(out, "</circle>");
    return ok && buf_put_text(out, "</g>");
}

static bool put_bars(Buf *out, const Chart *chart, const Scale *scale, int place)
{
    double base = 0, gap = width_of(chart) * 0.15;
    bool ok = true;
    for (int series = 0; ok && series < chart->series_count; series++) {
        double value = chart->series[series].values[place];
        if (!(value > 0))
            continue;
        double top = y_of(scale, base + value), height = y_of(scale, base) - top;
        ok = buf_put_text(out, "<rect class=\"") && put_class(out, chart, series) &&
             buf_printf(out, "\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                        middle_of(chart, place) - width_of(chart) / 2 + gap / 2, top,
                        width_of(chart) - gap, height) &&
             put_hint(out, chart, series, place) && buf_put_text(out, "</rect>");
        base += value;
    }
    return ok;
}

/* "rating: blitz 2013 at last, bullet 1950 at last". */
static bool put_words(Buf *out, const Chart *chart)
{
    bool ok = html_put(out, text_of(chart->title)) && buf_put_char(out, ':');
    for (int i = 0; ok && i < chart->series_count; i++) {
        int last = chart->places - 1;
        while (last > 0 && !isfinite(chart->series[i].values[last]))
            last--;
        if (!isfinite(chart->series[i].values[last]))
            continue;
        ok = buf_put_text(out, i > 0 ? ", " : " ") &&
             html_put(out, text_of(chart->series[i].name)) &&
             buf_printf(out, " %.*f at last", chart->decimals, chart->series[i].values[last]);
    }
    return ok;
}

static bool put_drawing(Buf *out, const Chart *chart, const Scale *scale)
{
    bool ok = buf_printf(out,
                         "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
                         "aria-label=\"",
                         WIDTH, HEIGHT) &&
              put_words(out, chart) && buf_put_text(out, "\">") && put_axes(out, chart, scale);
    if (chart->kind == CHART_LINES)
        for (int series = 0; ok && series < chart->series_count; series++)
            ok = put_line(out, chart, scale, series);
    else
        for (int place = 0; ok && place < chart->places; place++)
            ok = put_bars(out, chart, scale, place);
    return ok && buf_put_text(out, "</svg>\n");
}

static bool put_legend(Buf *out, const Chart *chart)
{
    bool ok = buf_put_text(out, "<p class=\"legend\">");
    for (int i = 0; ok && i < chart->series_count; i++)
        ok = buf_put_text(out, "<span><svg class=\"") && put_class(out, chart, i) &&
             buf_put_text(out,
                          chart->kind == CHART_BARS
                              ? "\" viewBox=\"0 0 18 8\"><rect width=\"18\" height=\"8\"/></svg> "
                              : "\" viewBox=\"0 0 18 8\"><path d=\"M0 4H18\"/></svg> ") &&
             html_put(out, text_of(chart->series[i].name)) && buf_put_text(out, "</span> ");
    return ok && buf_put_text(out, "</p>");
}

static bool put_table(Buf *out, const Chart *chart)
{
    bool ok = buf_put_text(out, "<details><summary>as a table</summary><div class=\"wide\"><table>"
                                "<tr><th>") &&
              html_put(out, text_of(chart->place)) && buf_put_text(out, "</th>");
    for (int i = 0; ok && i < chart->series_count; i++)
        ok = buf_put_text(out, "<th>") && html_put(out, text_of(chart->series[i].name)) &&
             buf_put_text(out, "</th>");
    for (int place = 0; ok && place < chart->places; place++) {
        ok = buf_put_text(out, "</tr>\n<tr><td>") && html_put(out, text_of(chart->names[place])) &&
             buf_put_text(out, "</td>");
        for (int i = 0; ok && i < chart->series_count; i++) {
            double value = chart->series[i].values[place];
            ok = isfinite(value)
                     ? buf_printf(out, "<td class=\"n\">%.*f</td>", chart->decimals, value)
                     : buf_put_text(out, "<td></td>");
        }
    }
    return ok && buf_put_text(out, "</tr></table></div></details>");
}

bool chart_svg_write(Buf *out, const Chart *chart)
{
    double low = 0, high = 0;
    if (!find_range(chart, &low, &high))
        return true;
    Scale scale = scale_of(chart, low, high);
    return buf_put_text(out, "<figure><figcaption>") && html_put(out, text_of(chart->title)) &&
           buf_put_text(out, "</figcaption>\n") && put_drawing(out, chart, &scale) &&
           put_legend(out, chart) && put_table(out, chart) && buf_put_text(out, "</figure>\n");
}
