/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_certificates.h"

#include "bot/cli/check.h"
#include "bot/http/ca_file.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_SIZE = CONFIG_TEXT_SIZE + 200 };

static bool say_no_place(FILE *out)
{
    Buf words;
    buf_init(&words, WORDS_SIZE);
    bool ok = buf_put_text(&words, "found nowhere; name a file by SSL_CERT_FILE or by ca_file in "
                                   "[account]. Looked at:");
    for (const char *const *place = ca_file_places(); ok && *place; place++)
        ok = buf_printf(&words, " %s", *place);
    check_say(out, CHECK_WRONG, "certificates", buf_view(&words));
    buf_release(&words);
    return false;
}

bool check_certificates(FILE *out, const Config *config)
{
    char words[WORDS_SIZE];
    bool is_named = config->account.ca_file[0] != '\0';
    const char *file = is_named ? config->account.ca_file : ca_file_find();
    if (strncmp(config->account.url, "https:", 6) != 0)
        return true;
    if (!file)
        return say_no_place(out);
    bool ok = access(file, R_OK) == 0;
    text_format_cut(words, sizeof words, "%s%s%s%s", file, ok ? "" : ": ",
                    ok ? "" : strerror(errno), is_named || ok ? "" : ", named by SSL_CERT_FILE");
    check_say(out, ok ? CHECK_OK : CHECK_WRONG, "certificates", words);
    return ok;
}
