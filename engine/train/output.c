/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/output.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

bool output_path(char path[OUTPUT_PATH_SIZE], const char *prefix, const char *suffix, Error *err)
{
    int length = snprintf(path, OUTPUT_PATH_SIZE, "%s%s", prefix, suffix);
    if (length > 0 && length < OUTPUT_PATH_SIZE)
        return true;
    error_set(err, ERR_RANGE, "--output: longer than %d bytes", OUTPUT_PATH_SIZE);
    return false;
}

bool output_write(const char *prefix, const char *suffix, const void *bytes, size_t size,
                  Error *err)
{
    char path[OUTPUT_PATH_SIZE];
    if (!output_path(path, prefix, suffix, err))
        return false;
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0)
        ok = false;
    if (!ok)
        error_set(err, ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return ok;
}

bool output_hash(uint8_t hash[OUTPUT_HASH_SIZE], const void *bytes, size_t size, Error *err)
{
    if (EVP_Digest(bytes, size, hash, NULL, EVP_sha256(), NULL) == 1)
        return true;
    error_set(err, ERR_MEMORY, "SHA-256 cannot be computed");
    return false;
}

void output_hash_print(FILE *out, const uint8_t hash[OUTPUT_HASH_SIZE])
{
    for (int i = 0; i < OUTPUT_HASH_SIZE; i++)
        fprintf(out, "%02x", hash[i]);
}

bool output_hash_line(FILE *out, const MappedFile *file, Error *err)
{
    uint8_t hash[OUTPUT_HASH_SIZE];
    if (!output_hash(hash, file->bytes, file->size, err))
        return false;
    fprintf(out, ", SHA-256 ");
    output_hash_print(out, hash);
    fprintf(out, "\n");
    return true;
}

bool output_name_file(FILE *out, const char *what, const char *path, Error *err)
{
    MappedFile file;
    if (!mapped_file_init(&file, path, err))
        return false;
    fprintf(out, "%s: %s", what, path);
    bool ok = output_hash_line(out, &file, err);
    mapped_file_release(&file);
    return ok;
}
