/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_file.h"

#include "bot/source/external_command.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
    #define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif

enum { SCRIPT_MAX = 1 << 20, READ_SIZE = 65536 };

static void take_facts(ExternalFile *out, const struct stat *facts)
{
    out->device = facts->st_dev;
    out->inode = facts->st_ino;
    out->size = facts->st_size;
    out->changed = facts->st_mtim;
}

void external_file_look(ExternalFile *out, const ExternalConfig *config)
{
    ExternalCommand command;
    struct stat facts;
    memset(out, 0, sizeof *out);
    if (!external_command_parse(&command, config->command, NULL) ||
        !external_command_find(&command, NULL) || stat(command.program, &facts) != 0)
        return;
    memcpy(out->program, command.program, sizeof out->program);
    take_facts(out, &facts);
}

static bool write_all(int to, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t written = write(to, bytes, len);
        if (written <= 0)
            return false;
        bytes += written;
        len -= (size_t)written;
    }
    return true;
}

/* `copy`: gets all of it, too; -1: nobody does. */
static bool digest(int file, int copy, unsigned char out[EVP_MAX_MD_SIZE])
{
    char bytes[READ_SIZE];
    ssize_t len = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL);
    while (ok && (len = read(file, bytes, sizeof bytes)) > 0)
        ok = EVP_DigestUpdate(context, bytes, (size_t)len) &&
             (copy < 0 || write_all(copy, bytes, (size_t)len));
    ok = ok && len == 0 && EVP_DigestFinal_ex(context, out, NULL);
    EVP_MD_CTX_free(context);
    return ok;
}

static void write_hash(char out[EXTERNAL_HASH_SIZE], const unsigned char *bytes)
{
    for (size_t i = 0; i + 1 < EXTERNAL_HASH_SIZE; i++)
        out[i] = "0123456789abcdef"[(unsigned)bytes[i / 2] >> (i % 2 ? 0 : 4) & 15U];
    out[EXTERNAL_HASH_SIZE - 1] = '\0';
}

static bool is_script(int fd, off_t size)
{
    char first[2];
    return size <= SCRIPT_MAX && pread(fd, first, sizeof first, 0) == (ssize_t)sizeof first &&
           first[0] == '#' && first[1] == '!';
}

/* In memory; -1: the kernel has none that can be run. */
static int new_copy(void)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("engine", flags | MFD_EXEC);
    return fd >= 0 ? fd : memfd_create("engine", flags);
}

int external_file_hold(ExternalFile *file)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    struct stat facts;
    ExternalFile opened = *file;
    int fd = open(file->program, O_RDONLY | O_CLOEXEC);
    const bool is_readable = fd >= 0;
    file->hash[0] = '\0';
    if (!is_readable)
        fd = open(file->program, O_PATH | O_CLOEXEC); /* enough to run it */
    if (fd < 0)
        return -1;
    bool is_it = fstat(fd, &facts) == 0;
    if (is_it) {
        take_facts(&opened, &facts);
        is_it = external_file_is_same(&opened, file);
    }
    if (!is_it) { /* replaced since it was looked at */
        close(fd);
        return -1;
    }
    int copy = is_readable && is_script(fd, facts.st_size) ? new_copy() : -1;
    bool ok = is_readable && digest(fd, copy, bytes);
    if (ok)
        write_hash(file->hash, bytes);
    if (ok && copy >= 0 &&
        fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) {
        close(fd);
        return copy;
    }
    if (copy >= 0)
        close(copy);
    return fd;
}

bool external_file_is_same(const ExternalFile *a, const ExternalFile *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           strcmp(a->program, b->program) == 0;
}

bool external_file_is_in_place(const ExternalFile *file)
{
    ExternalFile now = *file;
    struct stat facts;
    if (stat(file->program, &facts) != 0)
        return false;
    take_facts(&now, &facts);
    return external_file_is_same(&now, file);
}
