/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of an address in lines, "name=value": what they ask for is within bounds. */
#include "bot/admin/archive_query.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static Text next_line(Text *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->at, '\n', rest->len) : NULL;
    Text line = { rest->at, end ? (size_t)(end - rest->at) : rest->len };
    rest->at += line.len + (end != NULL);
    rest->len -= line.len + (end != NULL);
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Text rest = { (const char *)data, size };
    ArchiveQuery query = { .page = 0 };
    while (rest.len > 0) {
        Text line = next_line(&rest);
        const char *equals = line.len > 0 ? memchr(line.at, '=', line.len) : NULL;
        size_t name = equals ? (size_t)(equals - line.at) : line.len;
        Text value = { line.at + name + (equals != NULL), line.len - name - (equals != NULL) };
        archive_query_take(&query, (Text){ line.at, name }, value);
    }
    must(query.page >= 0 && query.page <= ARCHIVE_QUERY_PAGES_MAX);
    must(query.days >= 0 && query.kind >= 0 && query.kind <= STORE_BOTS && query.outcome >= 0 &&
         query.outcome <= STORE_DRAWN && query.speed < SPEED_COUNT);
    must(query.variant < VARIANT_COUNT);
    must(memchr(query.opponent, '\0', sizeof query.opponent));
    must(memchr(query.opening, '\0', sizeof query.opening));
    StoreFilter filter = archive_query_filter(&query, INT64_C(1790000000000));
    must(!filter.opponent || filter.opponent[0] != '\0');
    return 0;
}
