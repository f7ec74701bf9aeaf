/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/redirect.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANSWER_MAX = 2000 };

/* One browser's connection: freed when both its handles are closed. */
typedef struct Client {
    Redirect *redirect;
    struct Client *next;
    uv_tcp_t tcp;
    uv_timer_t timer;
    int handles;
    uv_write_t writing;
    uv_shutdown_t ending;
    size_t len;
    char head[REDIRECT_HEAD_MAX], answer[ANSWER_MAX];
} Client;

struct Redirect {
    uv_tcp_t tcp;
    int port;
    RedirectHandler *handler;
    void *user;
    Client *clients;
    int count;
};

static void on_client_closed(uv_handle_t *handle)
{
    Client *client = handle->data;
    if (--client->handles == 0)
        free(client);
}

static void hang_up(Client *client)
{
    if (uv_is_closing((uv_handle_t *)&client->tcp))
        return;
    Redirect *redirect = client->redirect;
    Client **at = &redirect->clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    redirect->count--;
    uv_close((uv_handle_t *)&client->tcp, on_client_closed);
    uv_close((uv_handle_t *)&client->timer, on_client_closed);
}

static void on_late(uv_timer_t *timer)
{
    hang_up(timer->data);
}

static void on_ended(uv_shutdown_t *ending, int status)
{
    (void)status;
    hang_up(ending->handle->data);
}

static void on_written(uv_write_t *writing, int status)
{
    Client *client = writing->handle->data;
    if (status != 0 || uv_shutdown(&client->ending, writing->handle, on_ended) != 0)
        hang_up(client);
}

static void answer(Client *client, const RedirectAnswer *said)
{
    char page[ANSWER_MAX / 2];
    int page_len = snprintf(page, sizeof page,
                            "<!doctype html><meta charset=utf-8><title>castled</title>"
                            "<p style=\"font:1.2em sans-serif;margin:3em\">%s</p>\n",
                            said->words);
    int len = snprintf(client->answer, sizeof client->answer,
                       "HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\n"
                       "Content-Length: %d\r\nConnection: close\r\nCache-Control: no-store\r\n"
                       "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
                       "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'"
                       "\r\n\r\n%s",
                       said->status, said->status == 200 ? "OK" : "No", page_len, page);
    if (page_len < 0 || (size_t)page_len >= sizeof page || len < 0 ||
        (size_t)len >= sizeof client->answer) {
        hang_up(client);
        return;
    }
    uv_buf_t bytes = uv_buf_init(client->answer, (unsigned)len);
    if (uv_write(&client->writing, (uv_stream_t *)&client->tcp, &bytes, 1, on_written) != 0)
        hang_up(client);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    Client *client = handle->data;
    (void)wanted;
    *out = uv_buf_init(client->head + client->len, (unsigned)(sizeof client->head - client->len));
}

static void on_bytes(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes)
{
    Client *client = stream->data;
    Redirect *redirect = client->redirect;
    static const RedirectAnswer too_long = { 431, "That is more than a browser would ask." };
    (void)bytes;
    if (count < 0) {
        hang_up(client);
        return;
    }
    client->len += (size_t)count;
    const char *end = memmem(client->head, client->len, "\r\n\r\n", 4);
    if (!end && client->len < sizeof client->head)
        return;
    uv_read_stop(stream);
    if (!end) {
        answer(client, &too_long);
        return;
    }
    const char *line_end = memchr(client->head, '\r', client->len);
    const RedirectAnswer said = redirect->handler(
        redirect->user, (Text){ client->head, (size_t)(line_end - client->head) });
    answer(client, &said);
}

static void on_client(uv_stream_t *server, int status)
{
    Redirect *redirect = server->data;
    Client *client = status == 0 ? calloc(1, sizeof *client) : NULL;
    if (!client)
        return;
    client->redirect = redirect;
    client->next = redirect->clients;
    redirect->clients = client;
    redirect->count++;
    client->handles = 2;
    uv_tcp_init(server->loop, &client->tcp);
    uv_timer_init(server->loop, &client->timer);
    client->tcp.data = client;
    client->timer.data = client;
    if (uv_accept(server, (uv_stream_t *)&client->tcp) != 0 ||
        redirect->count > REDIRECT_CLIENTS_MAX ||
        uv_read_start((uv_stream_t *)&client->tcp, on_room, on_bytes) != 0) {
        hang_up(client);
        return;
    }
    uv_timer_start(&client->timer, on_late, REDIRECT_CLIENT_MS, 0);
}

static void on_server_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static int listen_at(Redirect *redirect, int port)
{
    struct sockaddr_in address;
    int size = sizeof address;
    int failure = uv_ip4_addr("127.0.0.1", port, &address);
    if (failure == 0)
        failure = uv_tcp_bind(&redirect->tcp, (const struct sockaddr *)&address, 0);
    if (failure == 0)
        failure = uv_listen((uv_stream_t *)&redirect->tcp, REDIRECT_CLIENTS_MAX, on_client);
    if (failure == 0)
        failure = uv_tcp_getsockname(&redirect->tcp, (struct sockaddr *)&address, &size);
    redirect->port = ntohs(address.sin_port);
    return failure;
}

bool redirect_new(Redirect **out, uv_loop_t *loop, int port, RedirectHandler *handler, void *user,
                  Error *err)
{
    Redirect *redirect = calloc(1, sizeof *redirect);
    if (!redirect) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    redirect->handler = handler;
    redirect->user = user;
    uv_tcp_init(loop, &redirect->tcp);
    redirect->tcp.data = redirect;
    int failure = listen_at(redirect, port);
    if (failure) {
        error_set(err, ERR_IO, "127.0.0.1:%d: %s", port, uv_strerror(failure));
        uv_close((uv_handle_t *)&redirect->tcp, on_server_closed);
        return false;
    }
    *out = redirect;
    return true;
}

int redirect_port(const Redirect *redirect)
{
    return redirect->port;
}

void redirect_close(Redirect *redirect)
{
    if (!redirect)
        return;
    while (redirect->clients)
        hang_up(redirect->clients);
    uv_close((uv_handle_t *)&redirect->tcp, on_server_closed);
}
