/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I3 of bot/README.md. */
#include "bot/lichess/recording.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    char directory[64], path[96];
    uv_loop_t loop;
    Log log;
    FILE *log_file;
    Recording *recording;
} Stage;

static void open_stage(Stage *stage, size_t most_bytes)
{
    Error err = { 0 };
    memcpy(stage->directory, "/tmp/castled-recording-XXXXXX", 30);
    assert_non_null(mkdtemp(stage->directory));
    assert_true(snprintf(stage->path, sizeof stage->path, "%s/r.ndjson", stage->directory) > 0);
    stage->log_file = tmpfile();
    assert_non_null(stage->log_file);
    assert_true(log_open(&stage->log, fileno(stage->log_file), LEVEL_INFO, LOG_TEXT, "", &err));
    assert_int_equal(uv_loop_init(&stage->loop), 0);
    int file = recording_open_file(stage->path, &err);
    assert_true(file >= 0);
    assert_true(
        recording_new(&stage->recording, &stage->loop, file, most_bytes, &stage->log, &err));
}

/* Ends the recording and returns what the file has. */
static Buf close_stage(Stage *stage)
{
    Buf text;
    recording_close(stage->recording);
    assert_int_equal(uv_run(&stage->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&stage->loop), 0);
    FILE *file = fopen(stage->path, "r");
    assert_non_null(file);
    buf_init(&text, 1 << 24);
    assert_true(buf_read(&text, file, NULL));
    fclose(file);
    log_close(&stage->log);
    fclose(stage->log_file);
    assert_int_equal(unlink(stage->path), 0);
    assert_int_equal(rmdir(stage->directory), 0);
    return text;
}

/* The next line of `rest` as an object without its time. */
static void assert_record(Text *rest, const char *expected)
{
    Text line = text_next_word(rest, "\n");
    char copy[2000];
    assert_true(line.len > 0 && line.len < sizeof copy);
    memcpy(copy, line.at, line.len);
    copy[line.len] = '\0';
    struct json_object *json = json_tokener_parse(copy), *time;
    assert_non_null(json);
    assert_true(json_object_object_get_ex(json, "t_ms", &time));
    assert_in_range(json_object_get_int64(time), 0, 60000);
    json_object_object_del(json, "t_ms");
    assert_string_equal(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN |
                                                                 JSON_C_TO_STRING_NOSLASHESCAPE),
                        expected);
    json_object_put(json);
}

TEST(lines_are_kept_without_chat_and_secrets)
{
    Stage stage;
    open_stage(&stage, RECORDING_BYTES_MAX);
    recording_account(stage.recording, "castled-bot", "Castled-Bot");
    recording_line(stage.recording, text_of("event"),
                   text_of("{\"type\":\"gameStart\",\"game\":{\"fullId\":\"Qw8rTy2uK3d9\","
                           "\"gameId\":\"Qw8rTy2u\",\"rating\":1.5,\"x\":null}}"));
    recording_line(stage.recording, text_of("game/Qw8rTy2u"),
                   text_of("{\"type\":\"chatLine\",\"text\":\"hi\"}"));
    recording_line(
        stage.recording, text_of("game/Qw8rTy2u"),
        text_of("{\"type\":\"gameFull\",\"fullId\":\"Qw8rTy2uK3d9\",\"u\":\"/\\u00e4\\n\"}"));
    recording_ended(stage.recording, text_of("game/Qw8rTy2u"));
    Buf text = close_stage(&stage);
    Text rest = text_of(buf_view(&text));
    assert_record(&rest, "{\"stream\":\"account\",\"line\":{\"id\":\"castled-bot\",\"username\":"
                         "\"Castled-Bot\",\"title\":\"BOT\"}}");
    assert_record(&rest, "{\"stream\":\"event\",\"line\":{\"type\":\"gameStart\",\"game\":{"
                         "\"gameId\":\"Qw8rTy2u\",\"rating\":1.5,\"x\":null}}}");
    assert_record(&rest, "{\"stream\":\"game/Qw8rTy2u\",\"line\":{\"type\":\"gameFull\",\"u\":\"/"
                         "\xc3\xa4\\n\"}}");
    assert_record(&rest, "{\"stream\":\"game/Qw8rTy2u\",\"ended\":true}");
    assert_int_equal(text_next_word(&rest, "\n").len, 0);
    buf_release(&text);
}

TEST(what_is_no_object_is_left_out)
{
    static const char *const lines[] = { "no json", "[1]", "\"x\"", "{\"a\":\"\xff\"}", "{", "7" };
    Stage stage;
    open_stage(&stage, RECORDING_BYTES_MAX);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        recording_line(stage.recording, text_of("event"), text_of(lines[i]));
    Buf text = close_stage(&stage);
    assert_int_equal(text.len, 0);
    buf_release(&text);
}

TEST(a_full_file_says_so_and_is_no_larger)
{
    enum { MOST = 5000 };
    static const char line[] = "{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5\"}";
    static const char end[] = ",\"stream\":\"recording\",\"ended\":true}\n";
    Stage stage;
    open_stage(&stage, MOST);
    for (int i = 0; i < 1000; i++) {
        recording_line(stage.recording, text_of("event"), text_of(line));
        uv_run(&stage.loop, UV_RUN_NOWAIT);
    }
    recording_ended(stage.recording, text_of("event"));
    Buf text = close_stage(&stage);
    assert_in_range(text.len, MOST - 300, MOST);
    assert_string_equal(buf_view(&text) + text.len - strlen(end), end);
    assert_ptr_equal(strstr(buf_view(&text), end) + strlen(end), buf_view(&text) + text.len);
    buf_release(&text);
}

TEST(a_disk_that_does_not_keep_up_ends_it)
{
    char line[60000] = "{\"type\":\"gameState\",\"moves\":\"";
    size_t len = strlen(line);
    memset(line + len, 'a', sizeof line - len - 3);
    memcpy(line + sizeof line - 3, "\"}", 3);
    Stage stage;
    open_stage(&stage, RECORDING_BYTES_MAX);
    for (int i = 0; i < 200; i++) /* the loop does not turn: nothing is taken off the queue */
        recording_line(stage.recording, text_of("event"), text_of(line));
    Buf text = close_stage(&stage);
    assert_in_range(text.len, RECORDING_QUEUE_MAX - (int)sizeof line,
                    RECORDING_QUEUE_MAX + 2 * (int)sizeof line);
    assert_int_equal(text.text[text.len - 1], '\n'); /* whole lines only */
    buf_release(&text);
}

TEST(a_write_that_fails_ends_it_and_is_told)
{
    Stage stage;
    Recording *full;
    char said[500] = "";
    open_stage(&stage, RECORDING_BYTES_MAX);
    int device = open("/dev/full", O_WRONLY);
    assert_true(device >= 0);
    assert_true(recording_new(&full, &stage.loop, device, RECORDING_BYTES_MAX, &stage.log, NULL));
    for (int i = 0; i < 3; i++) {
        recording_line(full, text_of("event"), text_of("{\"type\":\"x\"}"));
        uv_run(&stage.loop, UV_RUN_DEFAULT);
    }
    rewind(stage.log_file);
    assert_true(fread(said, 1, sizeof said - 1, stage.log_file) > 0);
    const char *line = strstr(said, "recording stopped why=\"no space left on device\"");
    assert_non_null(line);
    assert_null(strstr(line + 1, "recording stopped")); /* once */
    recording_close(full);
    Buf text = close_stage(&stage);
    buf_release(&text);
}

TEST(only_its_owner_may_read_it_and_an_old_one_is_kept)
{
    Stage stage;
    struct stat facts;
    Error err = { 0 };
    open_stage(&stage, RECORDING_BYTES_MAX);
    assert_int_equal(stat(stage.path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    assert_int_equal(recording_open_file(stage.path, &err), -1);
    assert_non_null(strstr(err.text, "is there already; name a file that is not"));
    err = (Error){ 0 };
    assert_int_equal(recording_open_file("/nowhere/r.ndjson", &err), -1);
    assert_non_null(strstr(err.text, "/nowhere/r.ndjson: cannot make it: No such file"));
    Buf text = close_stage(&stage);
    buf_release(&text);
}
