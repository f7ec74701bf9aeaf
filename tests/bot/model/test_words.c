/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/words.h"
#include "tests/support/unit.h"

TEST(every_word_reads_back_as_its_value)
{
    for (int i = 0; i < COLOUR_COUNT; i++)
        assert_int_equal(colour_of(text_of(colour_name((Colour)i))), i);
    for (int i = 1; i < VARIANT_COUNT; i++)
        assert_int_equal(variant_of(text_of(variant_name((Variant)i))), i);
    for (int i = 1; i < SPEED_COUNT; i++)
        assert_int_equal(speed_of(text_of(speed_name((Speed)i))), i);
    for (int i = 1; i < STATUS_COUNT; i++)
        assert_int_equal(status_of(text_of(status_name((GameStatus)i))), i);
    for (int i = 1; i < DECLINE_COUNT; i++)
        assert_int_equal(decline_reason_of(text_of(decline_reason_name((DeclineReason)i))), i);
}

TEST(words_are_those_of_the_wire)
{
    assert_int_equal(colour_of(text_of("white")), WHITE);
    assert_int_equal(colour_of(text_of("black")), BLACK);
    assert_int_equal(variant_of(text_of("kingOfTheHill")), VARIANT_KING_OF_THE_HILL);
    assert_int_equal(variant_of(text_of("fromPosition")), VARIANT_FROM_POSITION);
    assert_int_equal(speed_of(text_of("ultraBullet")), SPEED_ULTRA_BULLET);
    assert_int_equal(status_of(text_of("outoftime")), STATUS_OUTOFTIME);
    assert_int_equal(status_of(text_of("insufficientMaterialClaim")),
                     STATUS_INSUFFICIENT_MATERIAL_CLAIM);
    assert_int_equal(decline_reason_of(text_of("toofast")), DECLINE_TOO_FAST);
    assert_int_equal(decline_reason_of(text_of("onlyBot")), DECLINE_ONLY_BOT);
}

TEST(unknown_words_are_no_error)
{
    const char *const words[] = { "", "Standard", "standard ", "bughouse", "standar" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_equal(variant_of(text_of(words[i])), VARIANT_UNKNOWN);
        assert_int_equal(speed_of(text_of(words[i])), SPEED_UNKNOWN);
        assert_int_equal(status_of(text_of(words[i])), STATUS_UNKNOWN);
    }
    assert_int_equal(colour_of(text_of("random")), COLOUR_NONE);
    assert_int_equal(decline_reason_of((Text){ 0 }), DECLINE_UNKNOWN);
    assert_string_equal(variant_name((Variant)99), "?");
}

TEST(only_ended_games_have_a_final_status)
{
    const GameStatus open[] = { STATUS_UNKNOWN, STATUS_CREATED, STATUS_STARTED };
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_false(status_is_final(open[i]));
    const char *const over[] = { "aborted", "mate",      "resign", "stalemate", "timeout",
                                 "draw",    "outoftime", "cheat",  "noStart",   "variantEnd" };
    for (size_t i = 0; i < sizeof over / sizeof *over; i++)
        assert_true(status_is_final(status_of(text_of(over[i]))));
}
