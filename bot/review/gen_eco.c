/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_eco.c - a program of the build: writes the table of eco_table.h as C to standard output.
 * usage: gen_eco FILE, with a line for each opening: code, name and moves, with a tab between */
#include "bot/review/eco_table.h"
#include "engine/base/text.h"
#include "engine/core/fen.h"
#include "engine/core/san.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 8192, NAMES_MAX = 1 << 20, LINE_SIZE = 1024 };

typedef struct {
    EcoRow rows[ROWS_MAX];
    size_t count;
    char names[NAMES_MAX];
    size_t len;
} EcoList;

/* The legal move of that name. */
static bool match_san(const Position *pos, Text word, Move *out)
{
    MoveList moves;
    char san[SAN_SIZE];
    movegen_legal(pos, &moves);
    for (int i = 0; i < moves.count; i++) {
        san_write(pos, moves.moves[i], san);
        if (text_is(word, san)) {
            *out = moves.moves[i];
            return true;
        }
    }
    return false;
}

static bool play(Text moves, uint64_t *key)
{
    Position pos;
    if (!fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL))
        return false;
    for (Text word; (word = text_next_word(&moves, " ")).len > 0;) {
        Move move;
        Undo undo;
        if (memchr(word.at, '.', word.len))
            continue; /* its number */
        if (!match_san(&pos, word, &move))
            return false;
        position_make(&pos, move, &undo);
    }
    *key = pos.key;
    return true;
}

static bool add_opening(EcoList *list, Text line)
{
    Text code = text_next_word(&line, "\t"), name = text_next_word(&line, "\t");
    EcoRow *row = &list->rows[list->count];
    if (code.len != sizeof row->code - 1 || name.len == 0 || line.len == 0 ||
        list->count == ROWS_MAX || list->len + name.len + 1 > NAMES_MAX || !play(line, &row->key))
        return false;
    memcpy(row->code, code.at, code.len);
    row->name = (uint32_t)list->len;
    memcpy(list->names + list->len, name.at, name.len);
    list->len += name.len + 1;
    list->count++;
    return true;
}

static int by_key(const void *a, const void *b)
{
    const EcoRow *first = a, *second = b;
    return (first->key > second->key) - (first->key < second->key);
}

static bool print(const EcoList *list)
{
    puts("#include \"bot/review/eco_table.h\"\n\nconst EcoRow eco_rows[] = {");
    for (size_t i = 0; i < list->count; i++)
        printf("    { 0x%016" PRIx64 ", %" PRIu32 ", \"%s\" },\n", list->rows[i].key,
               list->rows[i].name, list->rows[i].code);
    printf("};\nconst size_t eco_count = %zu;\nconst unsigned char eco_names[] = {", list->count);
    for (size_t i = 0; i < list->len; i++)
        printf("%s%u,", i % 24 == 0 ? "\n    " : "", (unsigned char)list->names[i]);
    puts("\n};");
    return fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    char line[LINE_SIZE];
    EcoList *list = calloc(1, sizeof *list);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    bool ok = list && file && fgets(line, sizeof line, file); /* the head */
    while (ok && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        ok = add_opening(list, text_of(line));
        if (!ok)
            fprintf(stderr, "gen_eco: %s: opening %zu can't be read\n", argv[1], list->count + 1);
    }
    if (ok) {
        qsort(list->rows, list->count, sizeof *list->rows, by_key);
        for (size_t i = 1; i < list->count && ok; i++)
            ok = list->rows[i - 1].key != list->rows[i].key;
        if (!ok)
            fprintf(stderr, "gen_eco: %s: two openings are the same position\n", argv[1]);
    }
    ok = ok && print(list);
    if (file)
        fclose(file);
    free(list);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
