/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart_svg.h - a chart for a browser, drawn in SVG: lines, or bars of parts on top of each other.
 * Below it stand its legend and, to be unfolded, its numbers as a table. What the chart shows is
 * also said in words, for those who do not see it. web/page.css gives the colours. Pure. */
#pragma once
#include "engine/base/buf.h"

enum { CHART_SERIES_MAX = 6, CHART_PLACES_MAX = 64, CHART_NAME_SIZE = 24 };

typedef enum { CHART_LINES, CHART_BARS } ChartKind;

typedef struct {
    const char *name;                /* lent; any text */
    const char *style;               /* its class; NULL: by its number */
    double values[CHART_PLACES_MAX]; /* NAN: none; in bars none is below 0 */
} ChartSeries;

typedef struct {
    ChartKind kind;
    const char *title, *place; /* what is shown, and what a place along the axis is */
    int decimals;              /* of the values in words */
    int places, series_count;
    char names[CHART_PLACES_MAX][CHART_NAME_SIZE]; /* of the places; any text */
    ChartSeries series[CHART_SERIES_MAX];
} Chart;

/* Nothing is written of a chart without a single value. False when `out` is full. */
bool chart_svg_write(Buf *out, const Chart *chart) MUST_CHECK;
