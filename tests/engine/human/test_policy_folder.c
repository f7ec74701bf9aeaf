/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_folder.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_file(const char *folder, const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static const char *nearest(const PolicyFolder *folder, int elo)
{
    return strrchr(folder->files[policy_folder_nearest(folder, elo)].path, '/') + 1;
}

TEST(networks_of_a_folder_are_found_by_the_rating_in_their_names)
{
    static const char *const networks[] = { "maia-1900.pb.gz", "maia-1100.pb",
                                            "our-own-1500.pb.gz" };
    static const char *const others[] = { "README",     "maia.pb.gz",
                                          "1500.pb.gz", "maia-1500.pb.gz.part",
                                          ".pb.gz",     "-.pb",
                                          "a-12345.pb", "a-1200" };
    char path[] = "/tmp/castled-folder-XXXXXX";
    PolicyFolder folder;
    Error err = { 0 };
    assert_non_null(mkdtemp(path));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        make_file(path, others[i]);
    assert_true(policy_folder_is(path));
    assert_false(policy_folder_read(&folder, path, &err));
    assert_non_null(strstr(err.text, "maia-1500.pb.gz"));
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        make_file(path, networks[i]);
    assert_true(policy_folder_read(&folder, path, NULL));
    assert_int_equal(folder.count, 3);
    assert_int_equal(folder.files[0].rating, 1100);
    assert_int_equal(folder.files[2].rating, 1900);
    assert_string_equal(nearest(&folder, 600), "maia-1100.pb");
    assert_string_equal(nearest(&folder, 1350), "maia-1100.pb"); /* as near as to 1500 */
    assert_string_equal(nearest(&folder, 1351), "our-own-1500.pb.gz");
    assert_string_equal(nearest(&folder, 0), "our-own-1500.pb.gz");
    assert_string_equal(nearest(&folder, 2800), "maia-1900.pb.gz");
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        remove_file(path, networks[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        remove_file(path, others[i]);
    rmdir(path);
    assert_false(policy_folder_is(path));
    assert_false(policy_folder_read(&folder, path, NULL));
}

TEST(a_folder_of_too_many_networks_is_refused)
{
    char path[] = "/tmp/castled-folder-XXXXXX", name[40];
    PolicyFolder folder;
    Error err = { 0 };
    assert_non_null(mkdtemp(path));
    for (int i = 0; i <= POLICY_FOLDER_MAX; i++) {
        (void)snprintf(name, sizeof name, "a-%d.pb", 1000 + i);
        make_file(path, name);
    }
    assert_false(policy_folder_read(&folder, path, &err));
    assert_non_null(strstr(err.text, "more than 40"));
    for (int i = 0; i <= POLICY_FOLDER_MAX; i++) {
        (void)snprintf(name, sizeof name, "a-%d.pb", 1000 + i);
        remove_file(path, name);
    }
    rmdir(path);
}
