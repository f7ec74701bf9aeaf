/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive_queue.h"

#include "tests/support/unit.h"

/* "g" puts a game, any other letter a fact of that key. */
static void put_all(ArchiveQueue *queue, const char *letters)
{
    for (; *letters; letters++) {
        const char key[] = { *letters, '\0' };
        GameRecord record;
        record_init(&record);
        ArchiveEntry *entry = *letters == 'g' ? archive_entry_of_game(&record)
                                              : archive_entry_of_fact(key, "value", 1);
        assert_non_null(entry);
        archive_queue_put(queue, entry);
        record_release(&record);
    }
}

static void assert_is(const ArchiveQueue *queue, const char *letters)
{
    int games = 0, facts = 0;
    for (const ArchiveEntry *entry = queue->first; entry; entry = entry->next, letters++) {
        assert_int_equal(entry->is_game ? 'g' : entry->key[0], *letters);
        *(entry->is_game ? &games : &facts) += 1;
    }
    assert_int_equal(*letters, '\0');
    assert_int_equal(queue->games, games);
    assert_int_equal(queue->facts, facts);
}

TEST(a_queue_keeps_the_order_of_games_and_facts)
{
    ArchiveQueue queue, later;
    archive_queue_init(&queue);
    archive_queue_init(&later);
    put_all(&queue, "agb");
    put_all(&later, "gc");
    archive_queue_append(&queue, &later);
    assert_is(&queue, "agbgc");
    assert_is(&later, "");
    put_all(&later, "d"); /* an emptied queue takes more */
    assert_is(&later, "d");
    archive_queue_release(&queue);
    archive_queue_release(&later);
    assert_is(&queue, "");
}

TEST(the_oldest_game_gives_way_and_no_fact_does)
{
    ArchiveQueue queue;
    archive_queue_init(&queue);
    put_all(&queue, "agbgc");
    assert_true(archive_queue_drop_oldest_game(&queue));
    assert_is(&queue, "abgc");
    assert_true(archive_queue_drop_oldest_game(&queue));
    assert_false(archive_queue_drop_oldest_game(&queue));
    assert_is(&queue, "abc");
    archive_queue_release(&queue);
}
