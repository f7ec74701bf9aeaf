/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I12 of bot/README.md. */
#include "bot/daemon/reload.h"
#include "bot/config/config.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char path[100];
    Config config;
    Log log;
    int log_fd;
    char text[8192];
} Room;

static void write_file(const Room *room, const char *text)
{
    FILE *file = fopen(room->path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void begin(Room *room, const char *text)
{
    int fds[2];
    Buf problems;
    snprintf(room->path, sizeof room->path, "/tmp/castled-reload-%d.conf", (int)getpid());
    write_file(room, text);
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    assert_true(config_load(&room->config, room->path, &problems));
    buf_release(&problems);
    assert_int_equal(pipe(fds), 0);
    room->log_fd = fds[0];
    log_init(&room->log, fds[1], LEVEL_INFO, LOG_FORM_PLAIN);
}

static const char *written(Room *room)
{
    close(room->log.fd);
    size_t len = 0;
    ssize_t n;
    while ((n = read(room->log_fd, room->text + len, sizeof room->text - 1 - len)) > 0)
        len += (size_t)n;
    room->text[len] = '\0';
    return room->text;
}

static void end(Room *room)
{
    close(room->log_fd);
    config_release(&room->config);
    unlink(room->path);
}

static void says(const char *log, const char *line)
{
    if (!strstr(log, line))
        fail_msg("\"%s\" is not in:\n%s", line, log);
}

TEST(each_difference_is_told_and_holds)
{
    Room room;
    begin(&room, "[games]\nconcurrency = 2\n[challenge]\nblock = ann\n");
    write_file(&room, "[games]\nconcurrency = 3\n[challenge]\nblock = bob\nmax_base = 60\n");
    assert_true(reload_config(&room.config, room.path, &room.log, NULL));
    assert_int_equal(room.config.games.concurrency, 3);
    assert_int_equal(room.config.game.challenge.max_base_s, 60);
    assert_true(user_list_has(&room.config.game.challenge.block, text_of("bob")));
    assert_false(user_list_has(&room.config.game.challenge.block, text_of("ann")));
    const char *log = written(&room);
    says(log, "info config changed key=games.concurrency from=2 to=3\n");
    says(log, "info config changed key=challenge.block from=ann to=bob\n");
    says(log, "info config changed key=challenge.max_base from=10800 to=60\n");
    says(log, "info config reloaded file=");
    end(&room);
}

TEST(who_asks_is_told_the_same)
{
    Room room;
    Buf told;
    buf_init(&told, 10000);
    begin(&room, "[games]\nconcurrency = 2\n[challenge]\nblock = ann\n[rule a]\nwhen.rated = "
                 "yes\nengine.depth = 3\n");
    write_file(&room, "[games]\nconcurrency = 3\n[engine]\nhash = 32\n[rule b]\nwhen.rated = "
                      "yes\nengine.depth = 3\n");
    assert_true(reload_config(&room.config, room.path, &room.log, &told));
    assert_string_equal(buf_view(&told), "engine.hash = 32 from the next start on (now 256)\n"
                                         "games.concurrency = 3 (was 2)\n"
                                         "challenge.block = empty (was ann)\n"
                                         "rule a: removed\n"
                                         "rule b: added\n");
    buf_reset(&told);
    assert_true(reload_config(&room.config, room.path, &room.log, &told));
    says(buf_view(&told), "engine.hash");
    buf_reset(&told);
    write_file(&room, "[games]\nconcurrency = 99\nconcurency = 1\n");
    assert_false(reload_config(&room.config, room.path, &room.log, &told));
    says(buf_view(&told), ".conf:2: concurrency = 99: not within");
    says(buf_view(&told), ".conf:3: ");
    buf_release(&told);
    written(&room);
    end(&room);
}

TEST(what_needs_a_restart_stays_and_is_told_each_time)
{
    Room room;
    begin(&room, "[engine]\nhash = 16\n");
    write_file(&room, "[engine]\nhash = 32\n[account]\nurl = https://example.org\n");
    for (int i = 0; i < 2; i++) {
        assert_true(reload_config(&room.config, room.path, &room.log, NULL));
        assert_int_equal(room.config.engine.hash_mib, 16);
        assert_string_equal(room.config.account.url, "https://lichess.org");
    }
    const char *log = written(&room);
    const char *line = "warning config needs-restart key=engine.hash now=16 in_file=32\n";
    says(log, line);
    says(strstr(log, line) + 1, line);
    says(log, "needs-restart key=account.url now=https://lichess.org in_file=https://example.org");
    end(&room);
}

TEST(a_wrong_file_changes_nothing)
{
    Room room;
    begin(&room, "[games]\nconcurrency = 2\n");
    write_file(&room, "[games]\nconcurrency = 3\n[engine]\nthreds = 4\ndepth = x\n");
    assert_false(reload_config(&room.config, room.path, &room.log, NULL));
    assert_int_equal(room.config.games.concurrency, 2);
    unlink(room.path);
    assert_false(reload_config(&room.config, room.path, &room.log, NULL));
    const char *log = written(&room);
    says(log, ".conf:4: ");
    says(log, ".conf:5: ");
    says(log, "threads");
    says(log, "error config not-reloaded file=");
    says(log, "cannot open");
    assert_null(strstr(log, "changed"));
    end(&room);
}

TEST(rules_are_compared_by_name)
{
    Room room;
    begin(&room, "[rule slow]\nwhen.speed = classical\nengine.depth = 9\n"
                 "[rule gone]\nwhen.kind = bot\nengine.depth = 1\n"
                 "[rule same]\nwhen.kind = bot\nengine.depth = 2\n");
    write_file(&room, "[rule slow]\nwhen.speed = rapid\nengine.depth = 9\n"
                      "[rule same]\nwhen.kind = bot\nengine.depth = 2\n"
                      "[rule new]\nwhen.kind = human\nengine.depth = 3\n");
    assert_true(reload_config(&room.config, room.path, &room.log, NULL));
    assert_int_equal(room.config.rule_count, 3);
    const char *log = written(&room);
    says(log, "removed what=rule name=gone\n");
    says(log, "added what=rule name=new\n");
    says(log, "changed what=rule name=slow from=\"when.speed=classical engine.depth=9 \" "
              "to=\"when.speed=rapid engine.depth=9 \"\n");
    says(log, "moved what=rule name=same\n");
    end(&room);
}

TEST(types_of_matchmaking_are_compared_by_name_too)
{
    Room room;
    begin(&room, "[matchmaking.fast]\nclocks = 1+0\n[matchmaking.gone]\nweight = 2\n");
    write_file(&room, "[matchmaking]\nplay = yes\n[matchmaking.fast]\nclocks = 2+1\n"
                      "[matchmaking.new]\nweight = 3\n");
    assert_true(reload_config(&room.config, room.path, &room.log, NULL));
    assert_int_equal(room.config.type_count, 2);
    assert_true(room.config.matchmaking.play);
    const char *log = written(&room);
    says(log, "changed key=matchmaking.play from=no to=yes\n");
    says(log, "removed what=matchmaking-type name=gone\n");
    says(log, "added what=matchmaking-type name=new\n");
    says(log, "changed what=matchmaking-type name=fast from=\"matchmaking.clocks=1+0 \" "
              "to=\"matchmaking.clocks=2+1 \"\n");
    end(&room);
}
