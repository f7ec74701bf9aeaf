/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/did_you_mean.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };

/* Case makes no difference. */
static void copy_lowered(char out[LONGEST], const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (char)tolower((unsigned char)text[i]);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int edit_distance(const char *a, const char *b)
{
    char from[LONGEST], to[LONGEST];
    size_t a_len = strnlen(a, LONGEST + 1);
    size_t b_len = strnlen(b, LONGEST + 1);
    if (a_len > LONGEST || b_len > LONGEST)
        return LONGEST + 1;
    copy_lowered(from, a, a_len);
    copy_lowered(to, b, b_len);
    int rows[3][LONGEST + 1]; /* this row of the table and the two above it */
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= a_len; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3];
        const int *two_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_len; j++) {
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (from[i - 1] != to[j - 1]));
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

const char *did_you_mean(const char *word, const char *const *candidates, size_t count)
{
    /* A third of the letters may be wrong: more, and any short word resembles any other. */
    size_t len = strnlen(word, LONGEST + 1);
    if (len > LONGEST)
        return NULL;
    int best_distance = len < 3 ? 1 : (int)((len + 2) / 3);
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        /* Each letter more or less is an edit: no need to count them all. */
        int more = (int)strnlen(candidates[i], LONGEST) - (int)len;
        if (abs(more) > best_distance)
            continue;
        int distance = edit_distance(word, candidates[i]);
        if (distance < best_distance || (distance == best_distance && !best)) {
            best_distance = distance;
            best = candidates[i];
        }
    }
    return best;
}
