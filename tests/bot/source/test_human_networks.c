/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/human_networks.h"
#include "bot/config/config.h"
#include "tests/support/policy_maker.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(every_file_that_is_named_is_found_once)
{
    static const char text[] = "[engine]\nhuman = /a\n"
                               "[rule one]\nwhen.rating = ..1300\nengine.human = /b\n"
                               "[rule two]\nwhen.kind = bot\nengine.elo = 1200\n"
                               "[rule three]\nwhen.rating = ..1700\nengine.human = /b\n"
                               "[rule four]\nwhen.rating = 1700..\nengine.human = /c\n";
    static const char *const paths[] = { "/a", "/b", "", "/c" };
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(&config, "test", text, sizeof text - 1, &problems))
        fail_msg("%s", buf_view(&problems));
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(config_text_named(&config, "engine", "human", i), paths[i]);
    assert_null(config_text_named(&config, "engine", "human", 4));
    config_release(&config);
    buf_release(&problems);
}

TEST(a_file_is_read_once_and_a_bad_one_told_of_once)
{
    char path[] = "/tmp/castled-network-XXXXXX", said[2000] = "";
    HumanNetworks *networks;
    Log log;
    int pipe_fds[2], fd = mkstemp(path);
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = 7 });
    assert_true(fd >= 0 && write(fd, file.bytes, file.size) == (ssize_t)file.size);
    assert_int_equal(pipe(pipe_fds), 0);
    log_init(&log, pipe_fds[1], LEVEL_INFO, LOG_FORM_PLAIN);
    assert_true(human_networks_new(&networks, &log, NULL));
    const PolicyNetwork *network = human_networks_get(networks, path, 0);
    assert_non_null(network);
    unlink(path);
    assert_ptr_equal(human_networks_get(networks, path, 0), network);
    for (int i = 0; i < 3; i++)
        assert_null(human_networks_get(networks, "/nonexistent", 0));
    ssize_t len = read(pipe_fds[0], said, sizeof said - 1);
    assert_true(len > 0);
    const char *loaded = strstr(said, "engine human file="), *missing = strstr(said, "no-human");
    assert_true(loaded && missing);
    assert_null(strstr(missing + 1, "no-human"));
    assert_null(strstr(loaded + 1, "engine human file="));
    human_networks_free(networks);
    policy_file_release(&file);
    close(fd);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}

TEST(of_a_folder_the_network_for_the_rating_is_lent)
{
    static const int ratings[] = { 1100, 1900 };
    char folder[] = "/tmp/castled-networks-XXXXXX", paths[2][100];
    HumanNetworks *networks;
    Log log;
    int nowhere[2];
    assert_int_equal(pipe(nowhere), 0);
    log_init(&log, nowhere[1], LEVEL_INFO, LOG_FORM_PLAIN);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        PolicyFile made =
            policy_file_make(&(PolicyShape){ .filters = 8 * (i + 1), .blocks = 1, .seed = 7 });
        (void)snprintf(paths[i], sizeof paths[i], "%s/maia-%d.pb.gz", folder, ratings[i]);
        FILE *file = fopen(paths[i], "w");
        assert_int_equal(fwrite(made.bytes, 1, made.size, file), made.size);
        fclose(file);
        policy_file_release(&made);
    }
    assert_true(human_networks_new(&networks, &log, NULL));
    assert_non_null(human_networks_get(networks, folder, 0));
    for (int i = 0; i < 2; i++)
        unlink(paths[i]); /* all have been read */
    rmdir(folder);
    for (int elo = 700; elo <= 2500; elo += 100) {
        const PolicyNetwork *network = human_networks_get(networks, folder, elo);
        assert_int_equal(policy_info(network).filters, elo <= 1500 ? 8 : 16);
        assert_ptr_equal(network, human_networks_get(networks, paths[elo > 1500], elo));
    }
    human_networks_free(networks);
    close(nowhere[0]);
    close(nowhere[1]);
}
