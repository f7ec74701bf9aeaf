/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/recording.h"

#include "bot/ops/json_put.h"
#include "bot/ops/jsonread.h"
#include "engine/base/buf.h"
#include "engine/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAME_BYTES = 70, /* of a record beside its stream and its line */
    END_BYTES = 100,  /* of the record of the end */
};

struct Recording {
    uv_loop_t *loop;
    uv_fs_t write;
    int file;
    int64_t began_ms;
    size_t most_bytes, bytes; /* that the file may get, that it was given */
    Buf queued, writing;      /* `writing` lies with the write that is on its way */
    size_t written;           /* of `writing` */
    bool is_writing, is_stopped, is_closing;
    Log *log;
};

int recording_open_file(const char *path, Error *err)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST)
        error_set(err, ERR_IO, "%s: is there already; name a file that is not, or move it away",
                  path);
    else if (file < 0)
        error_set(err, ERR_IO,
                  "%s: cannot make it: %s; name a file in a folder that castled may write to", path,
                  strerror(errno));
    return file;
}

static void recording_free(Recording *recording)
{
    close(recording->file);
    buf_release(&recording->queued);
    buf_release(&recording->writing);
    free(recording);
}

/* Nothing more is kept; what was queued is still written. */
static void stop(Recording *recording, const char *why)
{
    if (recording->is_stopped)
        return;
    recording->is_stopped = true;
    log_warning(recording->log, "recording", "stopped",
                FIELDS(F("why", why), F("bytes", recording->bytes)));
}

static void write_more(Recording *recording);

static void recording_on_written(uv_fs_t *write)
{
    Recording *recording = write->data;
    ssize_t result = write->result;
    uv_fs_req_cleanup(write);
    recording->is_writing = false;
    if (result < 0) {
        buf_reset(&recording->queued);
        buf_reset(&recording->writing);
        stop(recording, uv_strerror((int)result));
    } else {
        recording->written += (size_t)result;
    }
    write_more(recording);
}

static void write_more(Recording *recording)
{
    if (recording->is_writing)
        return;
    if (recording->written >= recording->writing.len) {
        Buf empty = recording->writing;
        buf_reset(&empty);
        recording->writing = recording->queued;
        recording->queued = empty;
        recording->written = 0;
    }
    size_t left = recording->writing.len - recording->written;
    if (left == 0) {
        if (recording->is_closing)
            recording_free(recording);
        return;
    }
    uv_buf_t piece = uv_buf_init(recording->writing.text + recording->written, (unsigned)left);
    int failure = uv_fs_write(recording->loop, &recording->write, recording->file, &piece, 1, -1,
                              recording_on_written);
    recording->is_writing = failure == 0;
    if (failure == 0)
        return;
    buf_reset(&recording->queued);
    buf_reset(&recording->writing);
    recording->written = 0;
    stop(recording, uv_strerror(failure));
    if (recording->is_closing)
        recording_free(recording);
}

/* Queues a record: the line, or (NULL) the stream's end. */
static bool put_record(Recording *recording, Text stream, const char *line)
{
    return buf_printf(&recording->queued, "{\"t_ms\":%" PRId64 ",\"stream\":\"%.*s\",%s%s}\n",
                      clock_now_ms() - recording->began_ms, TEXT_ARGS(stream),
                      line ? "\"line\":" : "\"ended\":true", line ? line : "");
}

static void keep_line(Recording *recording, Text stream, const char *line)
{
    size_t before = recording->queued.len,
           len = FRAME_BYTES + stream.len + strlen(line ? line : "");
    if (recording->is_stopped || recording->is_closing)
        return;
    bool is_full = recording->bytes + len + END_BYTES > recording->most_bytes;
    bool ok = is_full ? put_record(recording, text_of("recording"), NULL)
                      : put_record(recording, stream, line);
    recording->bytes += recording->queued.len - before;
    if (is_full || !ok)
        stop(recording, ok ? "the file is full" : "the disk does not keep up");
    write_more(recording);
}

bool recording_new(Recording **out, uv_loop_t *loop, int file, size_t most_bytes, Log *log,
                   Error *err)
{
    Recording *recording = calloc(1, sizeof *recording);
    if (!recording) {
        error_set(err, ERR_MEMORY, "no memory for a recording");
        close(file);
        return false;
    }
    recording->loop = loop;
    recording->file = file;
    recording->began_ms = clock_now_ms();
    recording->most_bytes = most_bytes;
    recording->log = log;
    recording->write.data = recording;
    buf_init(&recording->queued, RECORDING_QUEUE_MAX);
    buf_init(&recording->writing, RECORDING_QUEUE_MAX);
    *out = recording;
    return true;
}

static void keep_json(Recording *recording, Text stream, struct json_object *json)
{
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN |
                                                                JSON_C_TO_STRING_NOSLASHESCAPE);
    if (text)
        keep_line(recording, stream, text);
}

void recording_account(Recording *recording, const char *id, const char *name)
{
    struct json_object *json = json_object_new_object();
    if (json_put_text(json, "id", id) && json_put_text(json, "username", name) &&
        json_put_text(json, "title", "BOT"))
        keep_json(recording, text_of("account"), json);
    json_object_put(json);
}

void recording_line(Recording *recording, Text stream, Text line)
{
    struct json_object *json =
        recording->is_stopped ? NULL : jsonread_parse(line.at, line.len, NULL);
    if (!json)
        return;
    struct json_object *game = jsonread_object(json, "game");
    json_object_object_del(json, "fullId");
    if (game)
        json_object_object_del(game, "fullId");
    if (!text_is(jsonread_text(json, "type"), "chatLine"))
        keep_json(recording, stream, json);
    json_object_put(json);
}

void recording_ended(Recording *recording, Text stream)
{
    keep_line(recording, stream, NULL);
}

void recording_close(Recording *recording)
{
    if (!recording)
        return;
    recording->is_closing = true;
    if (!recording->is_writing)
        write_more(recording);
}
