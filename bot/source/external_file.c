/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_file.h"

#include "bot/source/external_command.h"

#include <openssl/evp.h>
#include <stdio.h>

void external_file_look(ExternalFile *out, const ExternalConfig *config)
{
    ExternalCommand command;
    struct stat facts;
    memset(out, 0, sizeof *out);
    if (!external_command_parse(&command, config->command, NULL) ||
        !external_command_find(&command, NULL) || stat(command.program, &facts) != 0)
        return;
    memcpy(out->program, command.program, sizeof out->program);
    out->device = facts.st_dev;
    out->inode = facts.st_ino;
    out->size = facts.st_size;
    out->changed = facts.st_mtim;
}

static bool digest(FILE *file, unsigned char out[EVP_MAX_MD_SIZE])
{
    char bytes[65536];
    size_t len;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL);
    while (ok && (len = fread(bytes, 1, sizeof bytes, file)) > 0)
        ok = EVP_DigestUpdate(context, bytes, len);
    ok = ok && !ferror(file) && EVP_DigestFinal_ex(context, out, NULL);
    EVP_MD_CTX_free(context);
    return ok;
}

void external_file_hash(ExternalFile *file)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    FILE *from = fopen(file->program, "rbe");
    file->hash[0] = '\0';
    if (!from)
        return;
    if (digest(from, bytes)) {
        for (size_t i = 0; i + 1 < EXTERNAL_HASH_SIZE; i++) {
            unsigned half = (unsigned)bytes[i / 2] >> (i % 2 ? 0 : 4) & 15U;
            file->hash[i] = "0123456789abcdef"[half];
        }
        file->hash[EXTERNAL_HASH_SIZE - 1] = '\0';
    }
    fclose(from);
}

bool external_file_is_same(const ExternalFile *a, const ExternalFile *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           strcmp(a->program, b->program) == 0;
}
