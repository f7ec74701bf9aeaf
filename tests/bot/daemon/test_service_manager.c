/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What systemd hears, in a world of its own: the event stream, the games, the clock, the timer and
 * systemd's socket are those of this file and own_time.h, which the linker takes before the
 * library's. */
#include "bot/daemon/service_manager.h"
#include "tests/support/own_time.h"

static struct {
    EventsPhase phase;
    bool is_alive;
    int watchdogs, readies;
    BotContext context;
    Config config;
    Notify notify;
    ServiceManager *manager;
} world;

EventsPhase event_stream_phase(const EventStream *stream)
{
    (void)stream;
    return world.phase;
}

bool event_stream_is_alive(const EventStream *stream, int64_t now_ms)
{
    (void)stream;
    assert_true(now_ms == own_time.now_ms);
    return world.is_alive;
}

int game_set_count(const GameSet *games)
{
    (void)games;
    return 1;
}

bool notify_send(const Notify *notify, const char *format, ...)
{
    assert_ptr_equal(notify, &world.notify);
    world.watchdogs += strcmp(format, "WATCHDOG=1") == 0;
    world.readies += strcmp(format, "READY=1") == 0;
    return true;
}

/* `watchdog_ms`: what systemd asks for; 0: none. */
static void make_world(int64_t watchdog_ms)
{
    memset(&world, 0, sizeof world);
    own_time_begin(0, 0);
    world.is_alive = true;
    world.phase = EVENTS_OPEN;
    world.notify = (Notify){ .fd = 0, .watchdog_ms = watchdog_ms };
    world.context.config = &world.config;
    assert_true(
        service_manager_new(&world.manager, &world.context, &world.notify, NULL, NULL, NULL));
}

static void pass_ms(int64_t ms)
{
    int64_t until = own_time.now_ms + ms;
    while (own_time.timer_ms <= until) {
        own_time.now_ms = own_time.timer_ms;
        own_time.on_time(own_time.timer);
    }
    own_time.now_ms = until;
}

TEST(the_watchdog_is_fed_three_times_in_its_time)
{
    make_world(9000);
    pass_ms(9000);
    assert_in_range(world.watchdogs, 3, 4);
    assert_int_equal(world.readies, 1);
    service_manager_close(world.manager);
}

TEST(the_watchdog_starves_while_the_event_stream_is_dead)
{
    make_world(9000);
    pass_ms(9000);
    world.is_alive = false;
    world.watchdogs = 0;
    pass_ms(60000);
    assert_int_equal(world.watchdogs, 0);
    world.is_alive = true;
    pass_ms(9000);
    assert_in_range(world.watchdogs, 3, 4);
    service_manager_close(world.manager);
}

TEST(no_watchdog_is_fed_that_is_not_there)
{
    make_world(0);
    pass_ms(60000);
    assert_int_equal(world.watchdogs, 0);
    service_manager_close(world.manager);
}
