/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/people_line.h"

#include "engine/base/number.h"

enum { RATING_MAX = 4000, COLUMNS = 5, MOVES_COLUMN = 4 };

bool people_rating_read(int *out, Text text, Error *err)
{
    int64_t value;
    if (!number_parse(text.at, text.len, 0, RATING_MAX, &value, err))
        return false;
    *out = (int)value;
    return true;
}

bool people_line_read(PeopleGame *out, Text line, Error *err)
{
    Text columns[COLUMNS] = { { 0 } };
    int count = 0;
    for (; count < COLUMNS && line.at; count++) {
        const char *tab = line.len ? memchr(line.at, '\t', line.len) : NULL;
        size_t len = tab ? (size_t)(tab - line.at) : line.len;
        columns[count] = (Text){ line.at, len };
        line = tab ? (Text){ tab + 1, line.len - len - 1 } : (Text){ 0 };
    }
    if (count != COLUMNS) {
        error_set(err, ERR_INVALID, "%d columns: no game, and no labels", count);
        return false;
    }
    out->moves = columns[MOVES_COLUMN];
    return people_rating_read(&out->ratings[WHITE], columns[0], err) &&
           people_rating_read(&out->ratings[BLACK], columns[1], err);
}
