/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of an address in lines, "name=value": what they ask for is within bounds, and the form
 * that shows it again has the tags and attributes of a form that shows nothing. */
#include "bot/admin/archive_query.h"

#include <stdlib.h>
#include <string.h>

enum { FORM_MAX = 1 << 16 };

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

static int count(const Buf *form, char c)
{
    int found = 0;
    for (size_t i = 0; i < form->len; i++)
        found += form->text[i] == c;
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Text rest = { (const char *)data, size };
    ArchiveQuery query = { .page = 0 };
    Buf form, plain;
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
    must(memchr(query.opponent, '\0', sizeof query.opponent));
    StoreFilter filter = archive_query_filter(&query, INT64_C(1790000000000));
    must(!filter.opponent || filter.opponent[0] != '\0');
    buf_init(&form, FORM_MAX);
    buf_init(&plain, FORM_MAX);
    must(archive_query_put_form(&form, &query, ARCHIVE_FORM_GAMES));
    query.opponent[0] = '\0';
    must(archive_query_put_form(&plain, &query, ARCHIVE_FORM_GAMES));
    must(count(&form, '<') == count(&plain, '<') && count(&form, '>') == count(&plain, '>') &&
         count(&form, '"') == count(&plain, '"') && count(&form, '\'') == 0);
    buf_release(&form);
    buf_release(&plain);
    return 0;
}
