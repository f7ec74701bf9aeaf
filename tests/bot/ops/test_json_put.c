/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What castled tells in JSON, with each allocation failing in turn: it crashes nowhere, and what
 * could not be put is released. */
#include "bot/ops/json_put.h"

#include "bot/admin/analysis_json.h"
#include "bot/admin/game_json.h"
#include "tests/support/failing_memory.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#if REPLACED

static GameRecord record;

static bool has_text_then_release(struct json_object *told)
{
    bool ok = json_object_to_json_string_ext(told, JSON_C_TO_STRING_PLAIN) != NULL;
    json_object_put(told);
    return ok;
}

/* Members may be missing: the page shows what there is. */
static bool tell_game(const char *unused)
{
    (void)unused;
    return has_text_then_release(game_json_of_record(&record, 0));
}

static bool tell_analysis(const char *unused)
{
    static const PositionEval evals[5];
    (void)unused;
    return has_text_then_release(analysis_json(&record, evals));
}

TEST(games_are_told_without_memory)
{
    record_make(&record, "abcdefgh", "alba", "e2e4 c7c5 g1f3 d7d6");
    fail_each(tell_game, "a game", WITH_JSONC);
    fail_each(tell_analysis, "its analysis", WITH_JSONC);
    record_release(&record);
}

static bool put_all(const char *text)
{
    struct json_object *to = json_object_new_object(), *list = json_object_new_array();
    bool ok = json_put_text(to, "text", text) && json_put_number(to, "number", 7) &&
              json_put_bool(to, "truth", true) && json_put_value(to, "nothing", NULL);
    ok = json_put_entry(list, json_object_new_object()) && ok;
    ok = json_put_value(to, "list", list) && ok;
    json_object_put(to);
    return ok;
}

/* The first failure is followed by others, so that none of the calls could succeed. */
TEST(whoever_asks_hears_what_is_missing)
{
    assert_true(put_all("once"));
    allocations = 0;
    fail_at = 1;
    is_counting = true;
    bool ok = put_all("without memory");
    is_counting = false;
    memory_is_back();
    assert_false(ok);
    fail_each_allocation(put_all, "again");
}

#else

int main(void)
{
    return 77; /* skipped */
}

#endif
