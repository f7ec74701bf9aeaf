/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer's head, as lines: whatever is kept of it lies where it belongs. */
#include "bot/lichess/http_head.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_text(Text text, const char *field, size_t size)
{
    must(text.len < size && (!text.at || text.at == field));
    must(text.at || text.len == 0);
    must(memchr(text.at ? text.at : "", '\n', text.len) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    HttpHeadReader reader = { 0 };
    const HttpHead *head = &reader.head;
    for (size_t at = 0; at < size;) {
        const uint8_t *newline = memchr(data + at, '\n', size - at);
        size_t len = newline ? (size_t)(newline - data) - at + 1 : size - at;
        char *line = malloc(len); /* so that a byte too many is seen */
        must(line != NULL);
        memcpy(line, data + at, len);
        http_head_line(&reader, line, len);
        free(line);
        at += len;
    }
    check_text(head->content_type, reader.content_type, sizeof reader.content_type);
    check_text(head->oauth_scopes, reader.oauth_scopes, sizeof reader.oauth_scopes);
    check_text(head->etag, reader.etag, sizeof reader.etag);
    must(head->retry_after_s >= 0 && head->retry_after_s <= 86400);
    must(head->status == 0 && head->http_version == 0);
    return 0;
}
