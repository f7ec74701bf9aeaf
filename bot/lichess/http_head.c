/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/http_head.h"

#include "engine/base/number.h"

#include <string.h>
#include <strings.h>

enum { RETRY_AFTER_MAX_S = 86400 };

static Text value_of(const char *line, size_t len, const char *name)
{
    size_t name_len = strlen(name);
    if (len <= name_len || line[name_len] != ':' || strncasecmp(line, name, name_len) != 0)
        return (Text){ 0 };
    Text value = { line + name_len + 1, len - name_len - 1 };
    return text_trimmed(value, " \t\r\n");
}

static Text keep(char *field, size_t size, Text value)
{
    if (value.len >= size)
        return (Text){ 0 };
    memcpy(field, value.at, value.len);
    return (Text){ field, value.len };
}

static void read_field(HttpHeadReader *reader, const char *line, size_t len)
{
    HttpHead *head = &reader->head;
    Text value = value_of(line, len, "content-type");
    if (value.at)
        head->content_type = keep(reader->content_type, sizeof reader->content_type, value);
    value = value_of(line, len, "x-oauth-scopes");
    if (value.at) {
        head->oauth_scopes = keep(reader->oauth_scopes, sizeof reader->oauth_scopes, value);
        head->has_oauth_scopes = head->oauth_scopes.at != NULL;
    }
    value = value_of(line, len, "etag");
    if (value.at)
        head->etag = keep(reader->etag, sizeof reader->etag, value);
    value = value_of(line, len, "retry-after");
    int64_t seconds;
    if (value.at && number_parse(value.at, value.len, 0, RETRY_AFTER_MAX_S, &seconds, NULL))
        head->retry_after_s = seconds;
}

bool http_head_line(HttpHeadReader *reader, const char *line, size_t len)
{
    if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
        reader->head = (HttpHead){ 0 };
    else if (len > 0 && (line[0] == '\r' || line[0] == '\n'))
        return true;
    else
        read_field(reader, line, len);
    return false;
}
