/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/archive_table.h"

#include "tests/unit.h"

int set_table(void **state)
{
    Table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    log_init(&table->log, 2, LEVEL_ERROR, LOG_FORM_PLAIN);
    assert_int_equal(uv_loop_init(&table->loop), 0);
    assert_true(archive_new(&table->archive, &table->loop, NULL, &table->log, NULL));
    *state = table;
    return 0;
}

int clear_table(void **state)
{
    Table *table = *state;
    archive_close(table->archive);
    uv_run(&table->loop, UV_RUN_DEFAULT);
    uv_loop_close(&table->loop);
    free(table);
    return 0;
}
