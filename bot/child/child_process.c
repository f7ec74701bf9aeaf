/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/child_process.h"

#include "bot/ops/timer.h"
#include "bot/ops/line_reader.h"
#include "bot/child/child_launch.h"
#include "engine/base/alloc.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    READ_SIZE = 65536,
    LINE_MAX_BYTES = 16384, /* longer ones mean nothing */
    ERROR_LINE_MAX = 1000,
    ERROR_LINES_A_SECOND = 100,
    FLOOD_A_SECOND = 4 << 20, /* bytes: a hundred times what a talkative engine writes */
    UNREAD_MAX = 65536,       /* bytes that it has not read */
    QUIT_WAIT_MS = 300,
    FAULT_DELAY_MS = 200, /* the watcher of a busy machine is late */
    LAUNCH_ARGS = 6,      /* our own name and what child_launch.h says; and the secrets */
};

/* How variables begin that no program gets. Settings may be secrets, too. */
static const char *const secret_variables[] = { "CASTLED_", "CREDENTIALS_DIRECTORY=",
                                                "NOTIFY_SOCKET=", "PGPASSWORD=" };

/* All that a confined program gets: for programs, for ssh, and for libraries that compute.
 * Of others nobody knows which hold passwords, as a proxy's does. */
static const char *const usual_variables[] = {
    "PATH=",
    "HOME=",
    "USER=",
    "LOGNAME=",
    "SHELL=",
    "LANG=",
    "LANGUAGE=",
    "LC_",
    "TZ=",
    "TMPDIR=",
    "TERM=",
    "XDG_CACHE_HOME=",
    "XDG_CONFIG_HOME=",
    "XDG_DATA_HOME=",
    "WINEPREFIX=",
    "WSL_INTEROP=",
    "WSLENV=",
    "PYTHONHOME=",
    "CONDA_PREFIX=",
    "DOTNET_ROOT=",
    "GOMP_",
    "OCL_ICD_",
    "VK_",
    "XDG_RUNTIME_DIR=",
    "SSH_AUTH_SOCK=",
    "LD_LIBRARY_PATH=",
    "PYTHONPATH=",
    "VIRTUAL_ENV=",
    "JAVA_HOME=",
    "OMP_",
    "KMP_",
    "MKL_",
    "OPENBLAS_",
    "CUDA_",
    "NVIDIA_",
    "HIP_",
    "ROCR_",
    "HSA_",
};

struct ChildProcess {
    ChildCallbacks callbacks;
    uv_process_t process;
    uv_pipe_t input, output, errors;
    uv_timer_t timer;
    LineReader lines, error_lines;
    int open_handles;
    bool is_running;   /* not reaped yet */
    bool is_closed;    /* no more callbacks */
    int exit_status;   /* -1: none yet, or a signal */
    const char *fault; /* that the timer is to report */
    int64_t second_ms; /* when the second began to which these belong */
    size_t bytes;
    int error_lines_seen;
    char read[READ_SIZE];
};

typedef struct {
    uv_write_t request;
    char text[];
} Saying;

static void child_process_on_handle_closed(uv_handle_t *handle)
{
    ChildProcess *process = handle->data;
    if (--process->open_handles > 0)
        return;
    line_reader_release(&process->lines);
    line_reader_release(&process->error_lines);
    free(process);
}

static void close_handle(ChildProcess *process, uv_handle_t *handle)
{
    handle->data = process;
    if (!uv_is_closing(handle))
        uv_close(handle, child_process_on_handle_closed);
}

/* All but the process's own, which must stay to reap it. */
static void close_rest(ChildProcess *process)
{
    close_handle(process, (uv_handle_t *)&process->input);
    close_handle(process, (uv_handle_t *)&process->output);
    close_handle(process, (uv_handle_t *)&process->errors);
    close_handle(process, (uv_handle_t *)&process->timer);
}

/* Who watches the program ends it and all of its descendants. It may have stopped them. */
static void end_tree(const ChildProcess *process)
{
    kill(process->process.pid, SIGTERM);
    kill(process->process.pid, SIGCONT);
}

static void tell_end(ChildProcess *process, const char *why)
{
    if (!process->is_closed)
        process->callbacks.on_end(process->callbacks.user, why);
}

/* strsignal() has no names that one can look for, and musl none at all. */
static void write_signal(char *out, size_t size, int number)
{
    static const struct {
        int number;
        const char *name, *hint;
    } names[] = {
        { SIGILL, "SIGILL", ": it was built for another processor, try another of its builds" },
        { SIGSEGV, "SIGSEGV", "" },
        { SIGABRT, "SIGABRT", "" },
        { SIGBUS, "SIGBUS", "" },
        { SIGFPE, "SIGFPE", "" },
        { SIGKILL, "SIGKILL", "" },
        { SIGTERM, "SIGTERM", "" },
        { SIGTRAP, "SIGTRAP", "" },
        { SIGSYS, "SIGSYS", "" },
        { SIGPIPE, "SIGPIPE", "" },
    };
    char other[24];
    const char *name = other, *hint = "";
    text_format(other, sizeof other, "signal %d", number);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].number == number) {
            name = names[i].name;
            hint = names[i].hint;
        }
    }
    text_format_cut(out, size, "killed by %s (%s)%s", name, strsignal(number), hint);
}

static void child_process_on_exit_status(uv_process_t *handle, int64_t status, int signal_number)
{
    ChildProcess *process = handle->data;
    char why[160];
    if (signal_number)
        write_signal(why, sizeof why, signal_number);
    else
        text_format(why, sizeof why, "exit status %d", (int)status);
    process->is_running = false;
    process->exit_status = signal_number ? -1 : (int)status;
    bool was_closed = process->is_closed;
    tell_end(process, why);
    if (was_closed) {
        close_rest(process);
        close_handle(process, (uv_handle_t *)handle);
    }
}

static void child_process_on_timer(uv_timer_t *timer)
{
    ChildProcess *process = timer->data;
    if (process->is_closed)
        end_tree(process); /* it got "quit", and has not ended */
    else
        tell_end(process, process->fault);
}

/* Reports it from the loop, but after an exit that is the reason. */
static void fail(ChildProcess *process, const char *fault)
{
    if (process->fault || process->is_closed)
        return;
    process->fault = fault;
    uv_timer_start(&process->timer, child_process_on_timer, FAULT_DELAY_MS, 0);
}

static void child_process_on_line(void *user, const char *line, size_t len)
{
    ChildProcess *process = user;
    if (!process->is_closed)
        process->callbacks.on_line(process->callbacks.user, (Text){ line, len });
}

static void child_process_on_error_line(void *user, const char *line, size_t len)
{
    ChildProcess *process = user;
    if (!process->is_closed && process->error_lines_seen++ < ERROR_LINES_A_SECOND)
        process->callbacks.on_error_line(process->callbacks.user, (Text){ line, len });
}

static void child_process_on_long_error_line(void *user, const char *start, size_t len,
                                             size_t line_len)
{
    (void)line_len;
    child_process_on_error_line(user, start, len);
}

static void child_process_on_empty_line(void *user)
{
    (void)user;
}

static void child_process_on_long_line(void *user, const char *start, size_t len, size_t line_len)
{
    (void)user, (void)start, (void)len, (void)line_len; /* no line of UCI that means anything */
}

/* One buffer for both streams: what was read is used up before the next is. */
static void child_process_on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
    ChildProcess *process = handle->data;
    (void)size;
    *out = uv_buf_init(process->read, sizeof process->read);
}

static bool is_flood(ChildProcess *process, size_t len)
{
    int64_t now = clock_now_ms();
    if (now - process->second_ms >= 1000) {
        process->second_ms = now;
        process->bytes = 0;
        process->error_lines_seen = 0;
    }
    process->bytes += len;
    return process->bytes > FLOOD_A_SECOND;
}

static void child_process_on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    ChildProcess *process = stream->data;
    bool is_output = stream == (uv_stream_t *)&process->output;
    if (process->is_closed || len == 0)
        return;
    if (len < 0) {
        uv_read_stop(stream);
        if (is_output)
            fail(process, "it closed its output");
        return;
    }
    if (is_flood(process, (size_t)len)) {
        uv_read_stop(stream);
        fail(process, "it writes without end");
        return;
    }
    line_reader_feed(is_output ? &process->lines : &process->error_lines, buf->base, (size_t)len);
}

static bool is_among(const char *variable, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* To be freed; NULL without memory. */
static char **make_environment(bool only_usual)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **out = calloc(count + 1, sizeof *out);
    for (size_t i = 0; out && i < count; i++) {
        if (!is_among(environ[i], secret_variables,
                      sizeof secret_variables / sizeof *secret_variables) &&
            (!only_usual || is_among(environ[i], usual_variables,
                                     sizeof usual_variables / sizeof *usual_variables)))
            out[kept++] = environ[i];
    }
    return out;
}

static int spawn(ChildProcess *process, uv_loop_t *loop, const ChildCommand *command,
                 const ChildSecrets *secrets, char **environment)
{
    char held[] = CHILD_LAUNCH_HELD;
    char self[] = "/proc/self/exe", launch[] = CHILD_LAUNCH, id[16];
    char us[] = CHILD_LAUNCH_AS_US, nobody[] = CHILD_LAUNCH_AS_NOBODY;
    char count[16] = CHILD_LAUNCH_UNCONFINED;
    int n = snprintf(id, sizeof id, "%d", (int)getpid());
    int m = secrets ? snprintf(count, sizeof count, "%zu", secrets->count) : 0;
    char *argv[LAUNCH_ARGS + 2 * CHILD_SECRETS_MAX + CHILD_ARGS_MAX + 1] = {
        self, launch, id, command->as_nobody ? nobody : us, count
    };
    char **next = &argv[LAUNCH_ARGS - 1];
    for (size_t i = 0; secrets && i < secrets->count; i++) {
        *next++ = (char *)(uintptr_t)secrets->paths[i];
        *next++ = (char *)(uintptr_t)secrets->reals[i];
    }
    *next++ = command->held >= 0 ? held : (char *)(uintptr_t)command->program;
    memcpy(next, command->argv, sizeof command->argv);
    uv_stdio_container_t stdio[CHILD_LAUNCH_HELD_FD + 1] = {
        { .flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
          .data.stream = (uv_stream_t *)&process->input },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
          .data.stream = (uv_stream_t *)&process->output },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
          .data.stream = (uv_stream_t *)&process->errors },
        { .flags = UV_INHERIT_FD, .data.fd = command->held },
    };
    if (!process->callbacks.on_line)
        stdio[1].flags = UV_IGNORE;
    if (!process->callbacks.on_error_line)
        stdio[2].flags = UV_IGNORE;
    uv_process_options_t options = {
        .exit_cb = child_process_on_exit_status,
        .file = self,
        .args = argv,
        .env = environment,
        .flags = UV_PROCESS_DETACHED, /* a session and group of its own */
        .stdio_count = CHILD_LAUNCH_HELD_FD + (command->held >= 0),
        .stdio = stdio,
    };
    if (command->directory && command->directory[0] != '\0')
        options.cwd = command->directory;
    CHECK(n > 0 && m >= 0);
    return uv_spawn(loop, &process->process, &options);
}

bool child_process_new(ChildProcess **out, uv_loop_t *loop, const ChildCommand *command,
                       const ChildSecrets *secrets, const ChildCallbacks *callbacks, Error *err)
{
    ChildProcess *process = alloc_zeroed(sizeof *process, "a process", err);
    if (!process)
        return false;
    char **environment = make_environment(secrets && !command->has_variables);
    if (!environment) {
        error_set(err, ERR_MEMORY, "no memory for a program's environment");
        free(process);
        return false;
    }
    process->callbacks = *callbacks;
    process->exit_status = -1;
    line_reader_init(&process->lines,
                     &(LineReaderCallbacks){ child_process_on_line, child_process_on_empty_line,
                                             child_process_on_long_line, process },
                     LINE_MAX_BYTES);
    line_reader_init(&process->error_lines,
                     &(LineReaderCallbacks){ child_process_on_error_line,
                                             child_process_on_empty_line,
                                             child_process_on_long_error_line, process },
                     ERROR_LINE_MAX);
    uv_pipe_init(loop, &process->input, 0);
    uv_pipe_init(loop, &process->output, 0);
    uv_pipe_init(loop, &process->errors, 0);
    timer_init(loop, &process->timer, process);
    process->open_handles = 5;
    process->process.data = process;
    process->output.data = process;
    process->errors.data = process;
    int failure = spawn(process, loop, command, secrets, environment);
    free(environment);
    if (failure) {
        const char *directory = command->directory ? command->directory : "";
        error_set(err, ERR_IO, "%s: cannot start%s%s: %s", command->program,
                  directory[0] ? " in " : "", directory, uv_strerror(failure));
        close_rest(process);
        close_handle(process, (uv_handle_t *)&process->process);
        return false;
    }
    process->is_running = true;
    if (callbacks->on_line)
        uv_read_start((uv_stream_t *)&process->output, child_process_on_alloc,
                      child_process_on_read);
    if (callbacks->on_error_line)
        uv_read_start((uv_stream_t *)&process->errors, child_process_on_alloc,
                      child_process_on_read);
    *out = process;
    return true;
}

static void child_process_on_written(uv_write_t *request, int status)
{
    (void)status; /* its exit reports that it has gone */
    free(request);
}

void child_process_say(ChildProcess *process, Text text)
{
    uv_stream_t *input = (uv_stream_t *)&process->input;
    if (process->is_closed || process->fault || text.len == 0)
        return;
    if (uv_stream_get_write_queue_size(input) > UNREAD_MAX) {
        fail(process, "it does not read its input");
        return;
    }
    Saying *saying = malloc(sizeof *saying + text.len);
    if (!saying) {
        fail(process, "no memory to talk to it");
        return;
    }
    memcpy(saying->text, text.at, text.len);
    uv_buf_t buf = uv_buf_init(saying->text, (unsigned)text.len);
    if (uv_write(&saying->request, input, &buf, 1, child_process_on_written) != 0) {
        free(saying);
        fail(process, "it can't be written to");
    }
}

static void child_process_on_input_ended(uv_shutdown_t *request, int status)
{
    (void)status; /* as in on_written() */
    free(request);
}

void child_process_end_input(ChildProcess *process)
{
    uv_shutdown_t *request = malloc(sizeof *request);
    if (!request ||
        uv_shutdown(request, (uv_stream_t *)&process->input, child_process_on_input_ended) != 0)
        free(request);
}

int child_process_status(const ChildProcess *process)
{
    return process->exit_status;
}

void child_process_close(ChildProcess *process)
{
    assert(!process->is_closed);
    process->is_closed = true;
    line_reader_stop(&process->lines);
    line_reader_stop(&process->error_lines);
    if (process->is_running)
        end_tree(process);
    close_rest(process);
    if (!process->is_running)
        close_handle(process, (uv_handle_t *)&process->process);
}

void child_process_quit(ChildProcess *process, Text last)
{
    if (!process->is_running) {
        child_process_close(process);
        return;
    }
    child_process_say(process, last);
    process->is_closed = true;
    line_reader_stop(&process->lines);
    line_reader_stop(&process->error_lines);
    uv_timer_start(&process->timer, child_process_on_timer, QUIT_WAIT_MS, 0);
}

int child_process_id(const ChildProcess *process)
{
    return process->process.pid;
}
