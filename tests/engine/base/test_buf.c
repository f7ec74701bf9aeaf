/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/buf.h"
#include "tests/support/unit.h"

TEST(empty_buffer_reads_as_empty_text)
{
    Buf buf;
    buf_init(&buf, 10);
    assert_string_equal(buf_view(&buf), "");
    buf_release(&buf);
}

TEST(appending_past_the_maximum_changes_nothing)
{
    Buf buf;
    buf_init(&buf, 10);
    assert_true(buf_put_text(&buf, "01234567"));
    assert_false(buf_put_text(&buf, "abc"));
    assert_false(buf_printf(&buf, "%d", 123));
    assert_string_equal(buf_view(&buf), "01234567");
    assert_true(buf_printf(&buf, "%d", 89));
    assert_string_equal(buf_view(&buf), "0123456789");
    assert_false(buf_put_char(&buf, 'x'));
    buf_release(&buf);
}

TEST(consume_drops_from_the_front)
{
    Buf buf;
    buf_init(&buf, 100);
    assert_true(buf_put_text(&buf, "one two"));
    buf_consume(&buf, 4);
    assert_string_equal(buf_view(&buf), "two");
    buf_consume(&buf, 99);
    assert_string_equal(buf_view(&buf), "");
    buf_release(&buf);
}

TEST(take_gives_the_bytes_away)
{
    Buf buf;
    buf_init(&buf, 100);
    assert_true(buf_put(&buf, "a\0b", 3));
    char *text = buf_take(&buf);
    assert_memory_equal(text, "a\0b", 4);
    free(text);
    assert_int_equal(buf.len, 0);
    assert_string_equal(buf_view(&buf), "");
    text = buf_take(&buf);
    assert_string_equal(text, "");
    free(text);
}

TEST(grows_to_large_sizes)
{
    Buf buf;
    buf_init(&buf, 100000);
    for (int i = 0; i < 10000; i++)
        assert_true(buf_printf(&buf, "%06d,", i));
    assert_int_equal(buf.len, 70000);
    assert_memory_equal(buf.text + 69993, "009999,", 7);
    buf_release(&buf);
}

TEST(reads_the_rest_of_a_file_up_to_its_maximum)
{
    Error err = { 0 };
    Buf buf;
    FILE *file = tmpfile();
    assert_non_null(file);
    for (int i = 0; i < 10000; i++)
        assert_true(fprintf(file, "%06d,", i) == 7);
    assert_int_equal(fseek(file, 7, SEEK_SET), 0);
    buf_init(&buf, 69993);
    assert_true(buf_read(&buf, file, &err));
    assert_int_equal(buf.len, 69993);
    assert_memory_equal(buf.text, "000001,", 7);
    assert_int_equal(fseek(file, 6, SEEK_SET), 0);
    buf_reset(&buf);
    assert_false(buf_read(&buf, file, &err));
    assert_string_equal(err.text, "larger than 69993 bytes");
    buf_release(&buf);
    assert_int_equal(fclose(file), 0);
}
