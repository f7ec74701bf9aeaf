/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/archive_query.h"

#include "engine/base/duration.h"
#include "tests/support/unit.h"

TEST(an_address_says_which_games)
{
    static const struct {
        const char *name, *value;
        ArchiveQuery query;
    } rows[] = {
        { "opponent", " Alba ", { .opponent = "Alba" } },
        { "opponent", "<b>\"'", { .opponent = "<b>\"'" } },
        { "opening", "Sicilian Defense", { .opening = "Sicilian Defense" } },
        { "variant", "atomic", { .variant = VARIANT_ATOMIC } },
        { "variant", "", { .variant = VARIANT_UNKNOWN } },
        { "variant", "' OR 1", { .variant = VARIANT_UNKNOWN } },
        { "against", "bot", { .kind = STORE_BOTS } },
        { "against", "human", { .kind = STORE_HUMANS } },
        { "against", "Bot", { .kind = 0 } },
        { "speed", "rapid", { .speed = SPEED_RAPID } },
        { "speed", "", { .speed = SPEED_UNKNOWN } },
        { "speed", "'; DROP TABLE game", { .speed = SPEED_UNKNOWN } },
        { "result", "lost", { .outcome = STORE_LOST } },
        { "days", "30", { .days = 30 } },
        { "days", "31", { .days = 0 } },
        { "page", "12", { .page = 12 } },
        { "page", "-1", { .page = 0 } },
        { "page", "99999999999999999999", { .page = 0 } },
        { "pages", "1", { .page = 0 } },
        { "", "", { .page = 0 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArchiveQuery query = { .page = 0 };
        archive_query_take(&query, text_of(rows[i].name), text_of(rows[i].value));
        if (strcmp(query.opponent, rows[i].query.opponent) != 0 ||
            strcmp(query.opening, rows[i].query.opening) != 0 ||
            query.variant != rows[i].query.variant || query.kind != rows[i].query.kind ||
            query.speed != rows[i].query.speed || query.outcome != rows[i].query.outcome ||
            query.days != rows[i].query.days || query.page != rows[i].query.page)
            fail_msg("%s=%s", rows[i].name, rows[i].value);
    }
}

TEST(names_that_cannot_be_are_nobodys)
{
    char name[RECORD_NAME_SIZE + 1];
    ArchiveQuery query = { .opponent = "alba" };
    memset(name, 'a', sizeof name);
    archive_query_take(&query, text_of("opponent"), (Text){ name, sizeof name });
    archive_query_take(&query, text_of("opponent"), (Text){ "a\0b", 3 });
    assert_string_equal(query.opponent, "alba");
    archive_query_take(&query, text_of("opponent"), (Text){ NULL, 0 });
    assert_string_equal(query.opponent, "");
    query.days = 7;
    StoreFilter filter = archive_query_filter(&query, 10 * DURATION_DAY_MS);
    assert_null(filter.opponent);
    assert_int_equal(filter.since_ms, 3 * DURATION_DAY_MS);
}
