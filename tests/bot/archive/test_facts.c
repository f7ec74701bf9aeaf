/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/facts.h"
#include "tests/support/unit.h"

static void put(Facts *facts, const char *key, const char *value, int64_t expires_ms)
{
    Error err = { 0 };
    if (!facts_put(facts, key, value, expires_ms, &err))
        fail_msg("%s", err.text);
}

TEST(a_fact_holds_until_its_time)
{
    Facts facts;
    facts_init(&facts);
    put(&facts, "declined/alba", "tooFast", 1000);
    assert_string_equal(facts_get(&facts, "declined/alba", 999), "tooFast");
    assert_null(facts_get(&facts, "declined/alba", 1000));
    assert_null(facts_get(&facts, "declined/berta", 0));
    facts_release(&facts);
}

TEST(a_later_word_replaces_an_earlier_one)
{
    Facts facts;
    facts_init(&facts);
    put(&facts, "a", "one", 1000);
    put(&facts, "a", "two", 5000);
    assert_string_equal(facts_get(&facts, "a", 2000), "two");
    put(&facts, "a", "", 0);
    assert_null(facts_get(&facts, "a", 0));
    assert_int_equal(facts.count, 0);
    facts_release(&facts);
}

static void on_fact(void *user, const Fact *fact)
{
    char *text = user;
    size_t len = strlen(text);
    assert_true(snprintf(text + len, 100 - len, "%s=%s ", fact->key, fact->value) > 0);
}

TEST(facts_of_a_kind_are_told_in_order)
{
    Facts facts;
    char text[100] = "";
    facts_init(&facts);
    put(&facts, "met/b", "2", 100);
    put(&facts, "mew", "x", 100);
    put(&facts, "met/a", "1", 100);
    put(&facts, "met/c", "old", 5);
    put(&facts, "mes", "x", 100);
    facts_each(&facts, "met/", 10, on_fact, text);
    assert_string_equal(text, "met/a=1 met/b=2 ");
    facts_release(&facts);
}

TEST(what_is_too_long_is_refused)
{
    Facts facts;
    static char key[FACT_KEY_SIZE + 1], value[FACT_VALUE_MAX + 1];
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[FACT_KEY_SIZE] = value[FACT_VALUE_MAX] = '\0';
    facts_init(&facts);
    assert_false(facts_put(&facts, key, "v", 1, NULL));
    assert_false(facts_put(&facts, "k", value, 1, NULL));
    assert_false(facts_put(&facts, "", "v", 1, NULL));
    assert_int_equal(facts.count, 0);
    facts_release(&facts);
}

TEST(when_full_the_first_to_expire_gives_way)
{
    Facts facts;
    char key[20];
    facts_init(&facts);
    for (int i = 0; i < FACTS_MAX; i++) {
        assert_true(snprintf(key, sizeof key, "%05d", i) > 0);
        put(&facts, key, "x", i == 77 ? 10 : 1000 + i);
    }
    put(&facts, "new", "x", 1000);
    assert_int_equal(facts.count, FACTS_MAX);
    assert_null(facts_get(&facts, "00077", 0));
    assert_non_null(facts_get(&facts, "00000", 0));
    assert_non_null(facts_get(&facts, "new", 0));
    facts_release(&facts);
}
