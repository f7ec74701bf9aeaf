/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_page.h"

#include "bot/cli/ask_daemon.h"
#include "bot/ops/address.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STATUS_TIMEOUT_MS = 2000 };

/* 0, or the errno that a daemon would get. */
static int try_to_listen(const Address *address)
{
    bool is_ip4 = address->ip4.sin_family == AF_INET;
    const struct sockaddr *at =
        is_ip4 ? (const struct sockaddr *)&address->ip4 : (const struct sockaddr *)&address->ip6;
    socklen_t size = is_ip4 ? sizeof address->ip4 : sizeof address->ip6;
    int yes = 1, failure = 0;
    int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, at, size) != 0 || listen(fd, 1) != 0)
        failure = errno;
    if (fd >= 0)
        close(fd);
    return failure;
}

/* It serves the page, by the same configuration. */
static bool a_daemon_runs(const Config *config)
{
    char *answer;
    if (!ask_daemon_quietly(config, "status", STATUS_TIMEOUT_MS, &answer, NULL))
        return false;
    free(answer);
    return true;
}

void check_page(FILE *out, const Config *config)
{
    Address address;
    char words[CONFIG_TEXT_SIZE + 100];
    if (strcmp(config->status.page, "off") == 0 ||
        !address_parse(&address, config->status.page, NULL))
        return;
    int failure = try_to_listen(&address);
    bool is_daemons = failure == EADDRINUSE && a_daemon_runs(config);
    if (failure == 0)
        text_format_cut(words, sizeof words, "%s: free", config->status.page);
    else if (is_daemons)
        text_format_cut(words, sizeof words, "%s: the running daemon's", config->status.page);
    else
        text_format_cut(words, sizeof words, "%s: %s: castled would play without its page",
                        config->status.page, strerror(failure));
    check_say(out, failure == 0 || is_daemons ? CHECK_OK : CHECK_WARNING, "page", words);
}
