/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/loss_chart.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 400, LEFT = 80, RIGHT = 620, TOP = 50, BOTTOM = 350, GRID_LINES = 5 };

typedef struct {
    double lowest, highest; /* losses at the bottom and at the top */
    int count;              /* passes */
} Scale;

static double training_loss(const TrainerPass *pass)
{
    return pass->training;
}

static double validation_loss(const TrainerPass *pass)
{
    return pass->validation.blend;
}

static const struct {
    double (*loss)(const TrainerPass *pass);
    const char *name, *colour;
} curves[] = {
    { training_loss, "training", "#888888" },
    { validation_loss, "validation", "#1f6fb4" },
};
enum { CURVE_COUNT = sizeof curves / sizeof *curves };

static Scale scale_of(const TrainerPass *history, int count)
{
    Scale scale = { 1, 1e-9, count };
    for (int i = 0; i < count; i++)
        for (int c = 0; c < CURVE_COUNT; c++) {
            double loss = fmax(curves[c].loss(&history[i]), 1e-9);
            scale.lowest = fmin(scale.lowest, loss / 1.02);
            scale.highest = fmax(scale.highest, loss * 1.02);
        }
    return scale;
}

static double x_of(const Scale *scale, int pass)
{
    return scale->count > 1 ? LEFT + (double)(RIGHT - LEFT) * pass / (scale->count - 1) : LEFT;
}

static double y_of(const Scale *scale, double loss)
{
    double share = log(fmax(loss, 1e-9) / scale->lowest) / log(scale->highest / scale->lowest);
    return BOTTOM - (BOTTOM - TOP) * share;
}

static void write_grid(const Scale *scale, FILE *out)
{
    for (int i = 0; i < GRID_LINES; i++) {
        double loss =
            scale->lowest * pow(scale->highest / scale->lowest, (double)i / (GRID_LINES - 1));
        double y = y_of(scale, loss);
        fprintf(out, "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>\n", LEFT, y, RIGHT);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5f</text>\n", LEFT - 6, y + 4,
                loss);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\">pass 1</text>\n", LEFT, BOTTOM + 20);
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">pass %d</text>\n", RIGHT, BOTTOM + 20,
            scale->count);
}

static void write_curve(const TrainerPass *history, const Scale *scale, int curve, FILE *out)
{
    fprintf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"",
            curves[curve].colour);
    for (int i = 0; i < scale->count; i++)
        fprintf(out, "%.1f,%.1f ", x_of(scale, i), y_of(scale, curves[curve].loss(&history[i])));
    fprintf(out, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", LEFT + 120 * curve,
            BOTTOM + 40, curves[curve].colour, curves[curve].name);
}

bool loss_chart_write(const TrainerPass *history, int count, const char *title, FILE *out)
{
    Scale scale = scale_of(history, count);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"30\" font-size=\"16\">Loss of %s</text>\n",
            WIDTH, HEIGHT, LEFT, title);
    write_grid(&scale, out);
    for (int c = 0; c < CURVE_COUNT; c++)
        write_curve(history, &scale, c, out);
    fprintf(out, "</svg>\n");
    return !ferror(out);
}
