/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suites of tactical positions, searched to a fixed number of nodes: a figure that must not fall by
 * accident. It is no goal: an engine may get better and solve fewer. */
#include "engine/core/fen.h"
#include "engine/core/san.h"
#include "engine/search/engine.h"
#include "tests/support/unit.h"

static void note_result(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static SearchResult think(Engine *engine, const Position *pos, uint64_t nodes)
{
    SearchResult result = { 0 };
    const SearchLimits limits = { .nodes = nodes };
    const SearchCallbacks callbacks = { .on_done = note_result, .user = &result };
    engine_clear(engine);
    engine_set_position(engine, pos);
    engine_go(engine, &limits, &callbacks);
    engine_wait(engine);
    return result;
}

/* Is the move's SAN one of the blank-separated words, whatever is said about check? */
static bool is_among(const Position *pos, Move m, const char *words)
{
    char san[SAN_SIZE];
    san_write(pos, m, san);
    size_t len = strcspn(san, "+#");
    for (const char *word = words; *word;) {
        size_t word_len = strcspn(word, " ;");
        size_t bare = strcspn(word, " ;+#!");
        if (bare == len && memcmp(word, san, len) == 0)
            return true;
        word += word_len;
        word += strspn(word, " ");
        if (*word == ';')
            break;
    }
    return false;
}

/* Walks over a suite: the position is what stands before `mark`, whatever follows is handed on. */
static int count_solved(const char *file, const char *mark, uint64_t nodes,
                        bool (*is_solved)(const Position *, const SearchResult *, const char *))
{
    FILE *f = fopen(file, "r");
    if (!f)
        skip();
    const EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine = NULL;
    assert_true(engine_new(&engine, &options, NULL));
    char line[512];
    int solved = 0;
    while (fgets(line, sizeof line, f)) {
        char *operation = strstr(line, mark);
        Position pos;
        if (!operation)
            continue;
        *operation = '\0';
        assert_true(fen_read(&pos, line, FEN_LENIENT, NULL, NULL));
        SearchResult result = think(engine, &pos, nodes);
        solved += is_solved(&pos, &result, operation + strlen(mark));
    }
    engine_free(engine);
    fclose(f);
    return solved;
}

static bool plays_best_move(const Position *pos, const SearchResult *result, const char *words)
{
    return is_among(pos, result->best, words);
}

static bool sees_mate(const Position *pos, const SearchResult *result, const char *number)
{
    (void)pos;
    int moves = (int)strtol(number, NULL, 10);
    return result->info.score >= SCORE_MATE - 2 * moves + 1;
}

TEST(wins_at_chess)
{
    int solved = count_solved(SUITES_DIR "/tactics/wac.epd", " bm ", 30000, plays_best_move);
    print_message("WAC: %d of 300 at 30,000 nodes\n", solved);
    assert_true(solved >= 140);
}

TEST(announces_mates)
{
    int solved = count_solved(SUITES_DIR "/tactics/mates.epd", " dm ", 30000, sees_mate);
    print_message("mates: %d of 440 at 30,000 nodes\n", solved);
    assert_true(solved >= 200);
}
