/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/human_games.h"
#include "engine/train/human_labels.h"
#include "tests/support/policy_maker.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEACHERS = 2, PATH_SIZE = 128, FEW_STEPS = 6 };

/* A folder with networks of random weights for 1100 and 1500, and room for a file. */
typedef struct {
    char folder[32], nets[TEACHERS][PATH_SIZE], file[PATH_SIZE];
    HumanTeachers *teachers;
    HumanLabels *labels;
} Place;

static void place_make(Place *place)
{
    Error err = { 0 };
    char folder[] = "/tmp/human_labels.XXXXXX";
    *place = (Place){ 0 };
    assert_non_null(mkdtemp(folder));
    memcpy(place->folder, folder, sizeof folder);
    (void)snprintf(place->file, PATH_SIZE, "%s/labels.tsv", folder);
    for (int i = 0; i < TEACHERS; i++) {
        PolicyFile net =
            policy_file_make(&(PolicyShape){ .filters = 8, .blocks = 1, .seed = (uint64_t)i + 1 });
        (void)snprintf(place->nets[i], PATH_SIZE, "%s/net-%d.pb.gz", folder, 1100 + 400 * i);
        FILE *file = fopen(place->nets[i], "wb");
        assert_true(file && fwrite(net.bytes, 1, net.size, file) == net.size && !fclose(file));
        policy_file_release(&net);
    }
    if (!human_teachers_load(&place->teachers, place->folder, &err) ||
        !human_labels_new(&place->labels, place->teachers, &err))
        fail_msg("%s", err.text);
}

static void place_drop(Place *place)
{
    human_labels_free(place->labels);
    human_teachers_free(place->teachers);
    for (int i = 0; i < TEACHERS; i++)
        unlink(place->nets[i]);
    unlink(place->file);
    assert_int_equal(rmdir(place->folder), 0);
}

/* The file's bytes. The caller frees. */
static char *text_of_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_true(file && fseek(file, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    rewind(file);
    assert_true(text && fread(text, 1, size, file) == size);
    (void)fclose(file);
    return text;
}

static char *play_a_little(Place *place, uint64_t seed)
{
    Error err = { 0 };
    assert_true(human_labels_play(place->labels, seed, &err));
    assert_int_equal(human_labels_count(place->labels), HUMAN_LABELS_GAMES);
    for (int i = 0; i < FEW_STEPS; i++)
        assert_int_equal(human_labels_step(place->labels, &err), HUMAN_LABELS_GAMES);
    if (!human_labels_write(place->labels, place->file, &err))
        fail_msg("%s", err.text);
    return text_of_file(place->file);
}

TEST(teachers_play_games_in_which_each_position_has_two_labels)
{
    Place place;
    HumanGames games = { 0 };
    Error err = { 0 };
    place_make(&place);
    char *text = play_a_little(&place, 1);
    if (!human_games_read(&games, place.file, &err))
        fail_msg("%s", err.text);
    assert_int_equal(games.sample_count, 2 * FEW_STEPS * HUMAN_LABELS_GAMES);
    for (size_t i = 0; i < games.sample_count; i++) {
        const HumanSample *sample = &games.samples[i];
        float sum = 0;
        for (int m = 0; m < sample->move_count; m++)
            sum += games.targets[sample->first_target + (uint32_t)m];
        assert_true(fabsf(sum - 1) < 1e-3F);
    }
    human_games_release(&games);
    free(text);
    place_drop(&place);
}

TEST(the_same_seed_gives_the_same_games_and_another_others)
{
    Place place;
    place_make(&place);
    char *first = play_a_little(&place, 1), *again = play_a_little(&place, 1);
    char *other = play_a_little(&place, 2);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    free(first);
    free(again);
    free(other);
    place_drop(&place);
}

TEST(peoples_games_are_labelled_by_those_near_to_the_mover)
{
    static const char lines[] = "1120\t1600\t600+0\t1-0\tf2f3 e7e5 g2g4 d8h4\t1 2 3 4\n"
                                "1500\t1500\t600+0\t*\te2e4\n";
    Place place;
    Text rest;
    Error err = { 0 };
    place_make(&place);
    assert_true(human_labels_follow(place.labels, text_of(lines), &rest, &err));
    assert_int_equal(rest.len, 0);
    static const int steps[] = { 2, 1, 1, 1, 0 };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(human_labels_step(place.labels, &err), steps[i]);
    assert_true(human_labels_write(place.labels, place.file, &err));
    char *text = text_of_file(place.file);
    /* The nearer one first. */
    assert_non_null(strstr(text, "labels\tf2f3;1100 "));
    assert_non_null(strstr(text, "\te7e5;1500 "));
    assert_non_null(strstr(strstr(text, "\te7e5;1500 "), ";1100 "));
    assert_non_null(strstr(text, "\nlabels\te2e4;1500 "));
    free(text);
    place_drop(&place);
}

TEST(games_that_are_none_are_refused_by_their_line)
{
    static const char *const rows[] = {
        "1500\t1500\tx\tx\te2e4\n1500\t1500\tx\tx\te2e5\n", /* an illegal move */
        "1500\t1500\tx\tx\te2e4\nmany\t1500\tx\tx\te2e4\n",
        "1500\t1500\tx\tx\te2e4\n1500\n",
    };
    Place place;
    place_make(&place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = { 0 };
        Text rest;
        bool ok = human_labels_follow(place.labels, text_of(rows[i]), &rest, &err) &&
                  human_labels_step(place.labels, &err) >= 0;
        if (ok || !strstr(err.text, "line 2"))
            fail_msg("%s: \"%s\"", rows[i], err.text);
    }
    place_drop(&place);
}

TEST(one_teacher_is_too_few)
{
    Place place;
    HumanTeachers *teachers;
    Error err = { 0 };
    place_make(&place);
    unlink(place.nets[1]);
    assert_false(human_teachers_load(&teachers, place.folder, &err));
    assert_non_null(strstr(err.text, "2 networks are needed"));
    place_drop(&place);
}

TEST(a_file_that_cannot_be_written_is_said)
{
    Place place;
    Error err = { 0 };
    place_make(&place);
    assert_true(human_labels_play(place.labels, 1, &err));
    assert_false(human_labels_write(place.labels, "/nowhere/labels.tsv", &err));
    assert_non_null(strstr(err.text, "/nowhere/labels.tsv"));
    place_drop(&place);
}
