/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_server.h - tests/support/local_server.py as a child of a test program. Linux only. */
#pragma once
#include "tests/support/unit.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    pid_t pid;
    int stdin_fd; /* its end is the server's end */
    int port;     /* 0: --http2 without an nginx */
    char origin[64];
    char ca_file[256];
} LocalServer;

/* `option` may be NULL or "--http2". False when it does not come up. */
static inline bool local_server_start(LocalServer *server, const char *option)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    server->pid = fork();
    if (server->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execlp("python3", "python3", LOCAL_SERVER, option, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    server->stdin_fd = in[1];
    FILE *lines = fdopen(out[0], "r");
    server->port = 0;
    bool ok =
        server->pid > 0 && lines && fscanf(lines, "%d %255s", &server->port, server->ca_file) == 2;
    if (lines)
        fclose(lines);
    int n = snprintf(server->origin, sizeof server->origin, "https://127.0.0.1:%d", server->port);
    return ok && n > 0;
}

static inline void local_server_stop(LocalServer *server)
{
    close(server->stdin_fd);
    waitpid(server->pid, NULL, 0);
}
