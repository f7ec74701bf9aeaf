/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/token.h"

#include "bot/ops/file_replace.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the token out of bytes that may have blanks and a newline around it. `where` in words. */
static bool accept_text(Token *out, const char *bytes, size_t len, const char *where, Error *err)
{
    while (len > 0 && isspace((unsigned char)bytes[len - 1]))
        len--;
    while (len > 0 && isspace((unsigned char)*bytes)) {
        bytes++;
        len--;
    }
    if (len == 0) {
        error_set(err, ERR_INVALID, "%s holds no token", where);
        return false;
    }
    if (len >= sizeof out->text) {
        error_set(err, ERR_INVALID, "%s holds more than a token", where);
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)bytes[i]) && bytes[i] != '_') {
            error_set(err, ERR_INVALID,
                      "%s holds something else than a token (letters, digits and _ only)", where);
            return false;
        }
    }
    memcpy(out->text, bytes, len);
    out->text[len] = '\0';
    return true;
}

typedef enum { FILE_OF_SYSTEMD, FILE_OF_OPERATOR } FileKind;

static bool load_file(Token *out, const char *path, FileKind kind, Error *err)
{
    bool ok = false;
    char bytes[TOKEN_SIZE + 64];
    size_t len = 0;
    ssize_t n = 0;
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &about) != 0) {
        error_set(err, ERR_IO, "%s: cannot open: %s", path, strerror(errno));
        goto out;
    }
    if (!S_ISREG(about.st_mode)) {
        error_set(err, ERR_IO, "%s: not a file", path);
        goto out;
    }
    /* What systemd hands over is guarded by its directory. */
    if (kind == FILE_OF_OPERATOR && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        error_set(err, ERR_INVALID, "%s: others can read the token (mode %03o): chmod 600 %s", path,
                  (unsigned)(about.st_mode & 0777), path);
        goto out;
    }
    while (len < sizeof bytes && (n = read(fd, bytes + len, sizeof bytes - len)) > 0)
        len += (size_t)n;
    if (n < 0) {
        error_set(err, ERR_IO, "%s: cannot read: %s", path, strerror(errno));
        goto out;
    }
    ok = accept_text(out, bytes, len, path, err);
out:
    OPENSSL_cleanse(bytes, sizeof bytes);
    if (fd >= 0)
        close(fd);
    return ok;
}

static void set_source(Token *out, const char *what)
{
    text_format_cut(out->source, sizeof out->source, "%s", what);
}

/* Where systemd has put one; false: nowhere. */
static bool find_credential(char *path, size_t size)
{
    const char *directory = getenv("CREDENTIALS_DIRECTORY");
    return directory && text_format_fits(path, size, "%s/token", directory) &&
           access(path, F_OK) == 0;
}

static bool load_variable(Token *out, const char *variable, Error *err)
{
    set_source(out, "CASTLED_TOKEN");
    return accept_text(out, variable, strlen(variable), "CASTLED_TOKEN", err);
}

static bool load_by_hand(Token *out, const char *variable, const char *token_file, Error *err)
{
    if (variable)
        return load_variable(out, variable, err);
    if (token_file && token_file[0]) {
        set_source(out, token_file);
        return load_file(out, token_file, FILE_OF_OPERATOR, err);
    }
    error_set(err, ERR_INVALID,
              "no token: castled login gets one; or set token_file in [account], CASTLED_TOKEN, or "
              "the systemd credential \"token\"");
    return false;
}

/* The unit's credential is a blank where its file is not there. */
static bool load_from_anywhere(Token *out, const char *variable, const char *token_file, Error *err)
{
    char path[4096];
    struct stat about;
    if (!find_credential(path, sizeof path))
        return load_by_hand(out, variable, token_file, err);
    if (stat(path, &about) != 0 || about.st_size > 1) {
        set_source(out, "systemd credential");
        return load_file(out, path, FILE_OF_SYSTEMD, err);
    }
    if (variable || load_by_hand(out, variable, token_file, NULL))
        return load_by_hand(out, variable, token_file, err);
    error_set(err, ERR_INVALID,
              "systemd handed over no token: the file that the unit names (LoadCredential=; "
              "/etc/castled/token, of an instance /etc/castled/NAME.token) is missing or empty; "
              "castled login writes it");
    return false;
}

bool token_load(Token *out, const char *token_file, Error *err)
{
    char *variable = getenv("CASTLED_TOKEN");
    token_guard_process();
    bool ok = load_from_anywhere(out, variable, token_file, err);
    if (variable) {
        OPENSSL_cleanse(variable, strlen(variable)); /* /proc/PID/environ shows this memory */
        unsetenv("CASTLED_TOKEN");
    }
    return ok;
}

bool token_save(const char *path, const char *text, Error *err)
{
    const Text parts[] = { text_of(text), text_of("\n") };
    return file_replace(path, FILE_OF_OWNER, parts, 2, err);
}

void token_erase(Token *token)
{
    OPENSSL_cleanse(token->text, sizeof token->text);
}

void token_guard_process(void)
{
    int failure = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    assert(failure == 0 && "the kernel takes 0 always");
    (void)failure;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The first token in the text and its length, or NULL. */
static const char *find_token(const char *text, size_t *len)
{
    static const char *const prefixes[] = { "lip_", "lio_" };
    enum { PREFIX = 4, SHORTEST = PREFIX + 8 };
    for (const char *at = text; *at; at++) {
        if (at > text && is_word(at[-1]))
            continue;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            if (strncmp(at, prefixes[i], PREFIX) != 0)
                continue;
            *len = PREFIX;
            while (is_word(at[*len]))
                ++*len;
            if (*len >= SHORTEST)
                return at;
        }
    }
    return NULL;
}

bool token_is_in(const char *text)
{
    size_t len;
    return find_token(text, &len) != NULL;
}

void token_mask(char *text)
{
    size_t len;
    const char *found;
    while ((found = find_token(text, &len))) {
        text += found - text;
        memset(text, '*', len);
        text += len;
    }
}
