/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/postgres_route.h"

#include "engine/base/clock.h"
#include "engine/base/text.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of libpq; a service that says so cannot be told from one that says nothing. */
static const char default_mode[] = "prefer";

enum { LIST_MAX = 4096, HOST_SIZE = 256, LOOK_MS = 10 };

/* ---- the address ---- */

/* "" where neither the address nor the environment has it. */
static const char *value_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options && options->keyword; options++) {
        if (strcmp(options->keyword, keyword) != 0)
            continue;
        const char *value =
            options->val || !options->envvar ? options->val : getenv(options->envvar);
        return value ? value : "";
    }
    return "";
}

static bool is_socket(Text host)
{
    return host.len == 0 || host.at[0] == '/' || host.at[0] == '@';
}

static bool is_numeric(const char *host)
{
    struct in6_addr room;
    return inet_pton(AF_INET, host, &room) == 1 || inet_pton(AF_INET6, host, &room) == 1;
}

static bool is_near(Text host)
{
    char word[HOST_SIZE];
    struct in_addr four;
    struct in6_addr six;
    if (is_socket(host) || text_is(host, "localhost"))
        return true;
    if (!text_copy(word, sizeof word, host))
        return false;
    return (inet_pton(AF_INET, word, &four) == 1 && ntohl(four.s_addr) >> 24 == 127) ||
           (inet_pton(AF_INET6, word, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

/* The next of a list with commas; false after the last. `rest->at` NULL: it is over. */
static bool next_of(Text *rest, Text *out)
{
    if (!rest->at)
        return false;
    const char *comma = rest->len > 0 ? memchr(rest->at, ',', rest->len) : NULL;
    *out = (Text){ rest->at, comma ? (size_t)(comma - rest->at) : rest->len };
    *rest = comma ? (Text){ comma + 1, rest->len - out->len - 1 } : (Text){ NULL, 0 };
    return true;
}

static bool are_all_near(const char *list)
{
    Text rest = text_of(list), host;
    while (next_of(&rest, &host))
        if (!is_near(host))
            return false;
    return true;
}

static bool is_far_by(const PQconninfoOption *options)
{
    const char *by_address = value_of(options, "hostaddr");
    return !are_all_near(by_address[0] != '\0' ? by_address : value_of(options, "host"));
}

/* What service= stands for is in a file of libpq's, which it reads before it refuses the last of
 * these words; so it reaches for no server. */
static PQconninfoOption *read_service(const char *address)
{
    static const char *const keywords[] = { "dbname", "target_session_attrs", NULL };
    const char *const values[] = { address, "none of them", NULL };
    PGconn *never = PQconnectStartParams(keywords, values, 1);
    PQconninfoOption *options = PQconninfo(never);
    PQfinish(never);
    return options;
}

PostgresSafety postgres_safety(const char *address)
{
    static const char *const sure[] = { "require", "verify-ca", "verify-full" };
    PQconninfoOption *options = PQconninfoParse(address, NULL), *service = NULL;
    if (value_of(options, "service")[0] != '\0')
        service = read_service(address);
    const char *mode = value_of(options, "sslmode");
    if (mode[0] == '\0' && strcmp(value_of(service, "sslmode"), default_mode) != 0)
        mode = value_of(service, "sslmode");
    bool is_asked = mode[0] != '\0', is_sure = !is_asked;
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
        is_sure = is_sure || strcmp(mode, sure[i]) == 0;
    bool is_far = options && is_far_by(service ? service : options);
    PQconninfoFree(service);
    PQconninfoFree(options);
    return (PostgresSafety){ .ssl_mode = is_far && !is_asked ? "verify-full" : "",
                             .may_be_bare = is_far && !is_sure };
}

/* ---- names ---- */

/* Shared by who waits and the thread, which a name service may keep for long: the last one frees
 * it. */
typedef struct {
    atomic_int owners;
    atomic_bool is_done;
    int failure;
    struct addrinfo *found;
    char host[HOST_SIZE];
} Lookup;

static void let_go(Lookup *lookup)
{
    if (atomic_fetch_sub(&lookup->owners, 1) > 1)
        return;
    if (lookup->found)
        freeaddrinfo(lookup->found);
    free(lookup);
}

static void *look_up(void *user)
{
    Lookup *lookup = user;
    const struct addrinfo wanted = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    lookup->failure = getaddrinfo(lookup->host, NULL, &wanted, &lookup->found);
    atomic_store(&lookup->is_done, true);
    let_go(lookup);
    return NULL;
}

static Lookup *begin_lookup(const char *host, Error *err)
{
    Lookup *lookup = calloc(1, sizeof *lookup);
    pthread_t thread;
    if (!lookup) {
        error_set(err, ERR_MEMORY, "no memory");
        return NULL;
    }
    atomic_store(&lookup->owners, 2);
    memcpy(lookup->host, host, strlen(host) + 1);
    int failure = pthread_create(&thread, NULL, look_up, lookup);
    if (failure) {
        error_set(err, ERR_MEMORY, "no thread to look up %s: %s", host, strerror(failure));
        free(lookup);
        return NULL;
    }
    pthread_detach(thread);
    return lookup;
}

static bool await(const Lookup *lookup, const atomic_bool *stop, int64_t until_ms, Error *err)
{
    const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
    while (!atomic_load(&lookup->is_done)) {
        bool is_stopped = stop && atomic_load(stop);
        if (is_stopped || clock_now_ms() >= until_ms) {
            error_set(err, ERR_IO, "%s: %s", lookup->host,
                      is_stopped ? "given up, as castled stops" : "its name is not answered for");
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

/* ---- the lists ---- */

static bool put(PostgresRoute *route, Text host, const char *host_address, Text port)
{
    const char *comma = route->hosts.len > 0 ? "," : "";
    return buf_printf(&route->hosts, "%s%.*s", comma, TEXT_ARGS(host)) &&
           buf_printf(&route->host_addresses, "%s%s", comma, host_address) &&
           buf_printf(&route->ports, "%s%.*s", comma, TEXT_ARGS(port));
}

static bool put_found(PostgresRoute *route, Text host, Text port, const struct addrinfo *found)
{
    char address[INET6_ADDRSTRLEN];
    bool ok = true;
    for (; ok && found; found = found->ai_next)
        if (getnameinfo(found->ai_addr, found->ai_addrlen, address, sizeof address, NULL, 0,
                        NI_NUMERICHOST) == 0)
            ok = put(route, host, address, port);
    return ok;
}

/* One host of the address, with its IP addresses. */
static bool add_address(PostgresRoute *route, Text host, Text port, const atomic_bool *stop,
                        int64_t until_ms, Error *err)
{
    char word[HOST_SIZE];
    if (!text_copy(word, sizeof word, host)) {
        error_set(err, ERR_IO, "a host's name is too long");
        return false;
    }
    if (is_socket(host) || is_numeric(word))
        return put(route, host, is_socket(host) ? "" : word, port);
    Lookup *lookup = begin_lookup(word, err);
    if (!lookup)
        return false;
    bool ok = await(lookup, stop, until_ms, err);
    if (ok && lookup->failure) {
        error_set(err, ERR_IO, "%s: %s", word, gai_strerror(lookup->failure));
        ok = false;
    }
    ok = ok && put_found(route, host, port, lookup->found);
    let_go(lookup);
    return ok;
}

/* One that can't be found does not keep us from the others. */
static bool add_all(PostgresRoute *route, const PQconninfoOption *options, const atomic_bool *stop,
                    int64_t until_ms, Error *err)
{
    Text hosts = text_of(value_of(options, "host")), ports = text_of(value_of(options, "port"));
    Text host, port = { 0 };
    Error why = { 0 };
    while (next_of(&hosts, &host)) {
        (void)next_of(&ports, &port); /* one may be all hosts' */
        if (!add_address(route, host, port, stop, until_ms, &why) && stop && atomic_load(stop))
            break;
    }
    if (route->hosts.len > 0)
        return true;
    error_set(err, why.code == ERR_NONE ? ERR_MEMORY : why.code, "%s",
              why.code == ERR_NONE ? "no memory" : why.text);
    return false;
}

bool postgres_route_find(PostgresRoute *out, const char *address, const atomic_bool *stop,
                         int64_t until_ms, Error *err)
{
    buf_init(&out->hosts, LIST_MAX);
    buf_init(&out->host_addresses, LIST_MAX);
    buf_init(&out->ports, LIST_MAX);
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    bool is_named = options && value_of(options, "hostaddr")[0] == '\0' &&
                    !is_socket(text_of(value_of(options, "host")));
    bool ok = !is_named || add_all(out, options, stop, until_ms, err);
    PQconninfoFree(options);
    return ok;
}

void postgres_route_release(PostgresRoute *route)
{
    buf_release(&route->hosts);
    buf_release(&route->host_addresses);
    buf_release(&route->ports);
}
