/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/fact_keys.h"
#include "tests/support/unit.h"

TEST(no_key_of_one_kind_can_be_taken_for_anothers)
{
    for (int i = 0; i < FACT_KIND_COUNT; i++) {
        const char *prefix = fact_prefix((FactKind)i);
        assert_non_null(prefix);
        assert_true(strlen(prefix) > 1 && strlen(prefix) < FACT_KEY_SIZE / 2);
        for (int j = 0; j < FACT_KIND_COUNT; j++)
            if (i != j && strncmp(fact_prefix((FactKind)j), prefix, strlen(prefix)) == 0)
                fail_msg("%s begins with %s", fact_prefix((FactKind)j), prefix);
    }
}

TEST(a_key_is_a_word_or_a_word_and_an_id)
{
    char key[FACT_KEY_SIZE], long_id[FACT_KEY_SIZE];
    memset(long_id, 'x', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    assert_true(fact_key_write(key, FACT_VISIT, text_of("Qw8rTy2u")));
    assert_string_equal(key, "visit/Qw8rTy2u");
    assert_true(fact_key_write(key, FACT_LAG, text_of("")));
    assert_string_equal(key, "lag");
    assert_false(fact_key_write(key, FACT_LAG, text_of("alba")));
    assert_string_equal(key, "");
    assert_false(fact_key_write(key, FACT_VISIT, text_of("")));
    assert_false(fact_key_write(key, FACT_VISIT, text_of(long_id)));
    assert_string_equal(key, "");
}

TEST(every_kind_is_told_by_its_key_and_has_a_longest_life)
{
    for (FactKind kind = 0; kind < FACT_KIND_COUNT; kind++) {
        char key[FACT_KEY_SIZE];
        const char *prefix = fact_prefix(kind);
        bool takes_id = prefix[strlen(prefix) - 1] == '/';
        assert_true(fact_key_write(key, kind, text_of(takes_id ? "alba" : "")));
        assert_int_equal(fact_kind_of(key), kind);
        assert_in_range(fact_life_most_ms(kind), INT64_C(86400000), INT64_C(86400000) * 400);
    }
    assert_int_equal(fact_kind_of("lagoon"), FACT_KIND_COUNT);
    assert_int_equal(fact_kind_of(""), FACT_KIND_COUNT);
    assert_true(fact_life_most_ms(FACT_KIND_COUNT) > 0);
}
