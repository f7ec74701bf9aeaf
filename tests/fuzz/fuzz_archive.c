/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of a damaged archive: a few numbers, then texts in lines. It becomes a PGN of printable
 * lines, and its opening a short name. Lists that are read are written as the same lists again, and
 * so are a day's counts. */
#include "bot/archive/move_lists.h"
#include "bot/review/pgn.h"
#include "bot/review/replay.h"
#include "bot/policy/day_count.h"

#include <stdlib.h>

enum { LISTS_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* A column's text, which ends at the first 0. */
static Text next_column(Text *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->at, '\n', rest->len) : NULL;
    Text line = { rest->at, end ? (size_t)(end - rest->at) : rest->len };
    rest->at += line.len + (end != NULL);
    rest->len -= line.len + (end != NULL);
    line.len = line.len > 0 ? strnlen(line.at, line.len) : 0;
    return line;
}

static void copy(char *out, size_t size, Text text)
{
    size_t len = text.len < size ? text.len : size - 1;
    if (len > 0)
        memcpy(out, text.at, len);
    out[len] = '\0';
}

typedef struct {
    uint8_t variant, speed, status, flags;
    int32_t rating, days;
    int64_t initial_ms, increment_ms, created_ms;
} Numbers;

static void read_numbers(GameRecord *record, const Numbers *numbers)
{
    record->variant = (Variant)(numbers->variant % VARIANT_COUNT);
    record->speed = (Speed)(numbers->speed % SPEED_COUNT);
    record->status = (GameStatus)(numbers->status % STATUS_COUNT);
    record->winner = (Colour)((numbers->flags & 3) % (COLOUR_NONE + 1));
    record->rated = numbers->flags & 8;
    record->players[BLACK].ai_level = numbers->flags & 16 ? numbers->days : 0;
    record->players[WHITE].rating = numbers->rating;
    record->time = time_control_of_days(numbers->days);
    if (numbers->flags & 4)
        record->time = (TimeControl){ .kind = TIME_CLOCK,
                                      .base_s = numbers->initial_ms / 1000,
                                      .increment_s = numbers->increment_ms / 1000 };
    record->created_at_ms = numbers->created_ms;
}

static void check_list(const GameRecord *record, MoveListKind kind)
{
    GameRecord again;
    Buf uci, first, second;
    record_init(&again);
    buf_init(&uci, LISTS_MAX);
    buf_init(&first, LISTS_MAX);
    buf_init(&second, LISTS_MAX);
    must(move_list_write(record, MOVE_LIST_UCI, &uci) && move_list_write(record, kind, &first));
    must(move_list_read(&again, MOVE_LIST_UCI, (Text){ buf_view(&uci), uci.len }));
    if (kind == MOVE_LIST_SCORES) { /* which count only where there is a depth */
        Buf depths;
        buf_init(&depths, LISTS_MAX);
        must(move_list_write(record, MOVE_LIST_DEPTHS, &depths));
        must(move_list_read(&again, MOVE_LIST_DEPTHS, (Text){ buf_view(&depths), depths.len }));
        buf_release(&depths);
    }
    if (kind == MOVE_LIST_CLOCKS || kind == MOVE_LIST_DEPTHS || kind == MOVE_LIST_SCORES) {
        must(move_list_read(&again, kind, (Text){ buf_view(&first), first.len }));
        must(move_list_write(&again, kind, &second));
        must(strcmp(buf_view(&first), buf_view(&second)) == 0);
    }
    buf_release(&uci);
    buf_release(&first);
    buf_release(&second);
    record_release(&again);
}

static void check_pgn(const GameRecord *record)
{
    Buf pgn;
    buf_init(&pgn, PGN_MAX);
    bool ok = pgn_write(record, "https://lichess.org", &pgn);
    must(!ok || (pgn.len > 2 && memcmp(pgn.text + pgn.len - 2, "\n\n", 2) == 0));
    for (size_t i = 0; i < pgn.len; i++)
        must(pgn.text[i] == '\n' || ((unsigned char)pgn.text[i] >= ' ' && pgn.text[i] != 0x7F));
    buf_release(&pgn);
}

/* As if a book had given every move. */
static void check_replay(GameRecord *record, int plies)
{
    char opening[OPENING_SIZE];
    BookStep steps[BOOK_STEPS_MAX];
    Buf uci;
    buf_init(&uci, LISTS_MAX);
    must(move_list_write(record, MOVE_LIST_UCI, &uci));
    opening_write(record->variant, record->initial_fen, (Text){ buf_view(&uci), uci.len }, plies,
                  opening);
    for (const char *c = opening; *c; c++)
        must(*c >= ' ' && *c <= '~');
    buf_release(&uci);
    for (size_t i = 0; i < record->count; i++)
        record->moves[i].is_book = true;
    size_t count = replay_book_steps(record, steps);
    must(count <= record->count && count <= BOOK_STEPS_MAX);
    for (size_t i = 0; i < count; i++)
        must(steps[i].ply == (int)i + 1 && steps[i].move != MOVE_NONE);
}

static void check_day_count(Text text)
{
    char given[DAY_COUNT_TEXT], once[DAY_COUNT_TEXT], twice[DAY_COUNT_TEXT];
    const int64_t now_ms = INT64_C(493210) * 3600 * 1000;
    DayCount count, again;
    copy(given, sizeof given, text);
    day_count_init(&count);
    day_count_init(&again);
    day_count_read(&count, given);
    must(day_count_today(&count, now_ms) >= 0);
    day_count_write(&count, now_ms, once);
    day_count_read(&again, once);
    day_count_write(&again, now_ms, twice);
    must(strcmp(once, twice) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Numbers numbers;
    GameRecord record;
    Text rest = { (const char *)data, size };
    if (size < sizeof numbers)
        return 0;
    memcpy(&numbers, data, sizeof numbers);
    rest = (Text){ rest.at + sizeof numbers, rest.len - sizeof numbers };
    record_init(&record);
    read_numbers(&record, &numbers);
    copy(record.id, sizeof record.id, next_column(&rest));
    copy(record.initial_fen, sizeof record.initial_fen, next_column(&rest));
    copy(record.tournament_id, sizeof record.tournament_id, next_column(&rest));
    copy(record.players[WHITE].name, sizeof record.players[WHITE].name, next_column(&rest));
    copy(record.players[WHITE].title, sizeof record.players[WHITE].title, next_column(&rest));
    copy(record.players[BLACK].name, sizeof record.players[BLACK].name, next_column(&rest));
    check_day_count(next_column(&rest));
    for (int kind = MOVE_LIST_UCI; kind < MOVE_LIST_COUNT; kind++)
        (void)!move_list_read(&record, (MoveListKind)kind, next_column(&rest));
    check_pgn(&record);
    check_replay(&record, numbers.days);
    for (int kind = MOVE_LIST_UCI; kind < MOVE_LIST_COUNT; kind++)
        check_list(&record, (MoveListKind)kind);
    record_release(&record);
    return 0;
}
