/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_file.h"

#include "engine/base/text_format.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
    #define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif

enum { SCRIPT_MAX = 1 << 20, READ_SIZE = 65536 };

static void take_facts(ExternalFileFacts *out, const struct stat *facts)
{
    *out = (ExternalFileFacts){ .device = facts->st_dev,
                                .inode = facts->st_ino,
                                .size = facts->st_size,
                                .changed = facts->st_mtim };
}

static bool are_same(const ExternalFileFacts *a, const ExternalFileFacts *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Where the engine would look for it. */
static bool argument_path(char out[PATH_MAX], const ExternalConfig *config, const char *word)
{
    const bool is_whole = word[0] == '/' || config->directory[0] == '\0';
    return text_format_fits(out, PATH_MAX, "%s%s%s", is_whole ? "" : config->directory,
                            is_whole ? "" : "/", word);
}

void external_file_look(ExternalFile *out, const ExternalConfig *config, uint32_t left_out)
{
    ChildCommand command;
    struct stat facts;
    char path[PATH_MAX];
    memset(out, 0, sizeof *out);
    if (!child_command_parse(&command, config->command, NULL) ||
        !child_command_find(&command, NULL) || stat(command.program, &facts) != 0)
        return;
    memcpy(out->program, command.program, sizeof out->program);
    out->left_out = left_out;
    take_facts(&out->facts[0], &facts);
    for (int i = 1; i < CHILD_ARGS_MAX && command.argv[i]; i++)
        if (!(left_out >> i & 1U) && argument_path(path, config, command.argv[i]) &&
            stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
            take_facts(&out->facts[i], &facts);
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
static bool digest(EVP_MD_CTX *context, int file, int copy)
{
    char bytes[READ_SIZE];
    ssize_t len = 0;
    bool ok = true;
    while (ok && (len = read(file, bytes, sizeof bytes)) > 0)
        ok = EVP_DigestUpdate(context, bytes, (size_t)len) &&
             (copy < 0 || write_all(copy, bytes, (size_t)len));
    return ok && len == 0;
}

/* One that we may not read, or that was replaced meanwhile, adds nothing: the next look sees it. */
static bool digest_arguments(EVP_MD_CTX *context, const ExternalFile *file,
                             const ExternalConfig *config)
{
    ChildCommand command;
    char path[PATH_MAX];
    bool ok = child_command_parse(&command, config->command, NULL);
    for (int i = 1; i < CHILD_ARGS_MAX && ok && command.argv[i]; i++) {
        const bool is_file =
            file->facts[i].inode != 0 && argument_path(path, config, command.argv[i]);
        int fd = is_file ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        if (fd < 0)
            continue;
        ok = digest(context, fd, -1);
        close(fd);
    }
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

/* False: there is no hash; `copy` may be incomplete then. */
static bool read_all(ExternalFile *file, const ExternalConfig *config, int fd, int copy)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) &&
              digest(context, fd, copy) && digest_arguments(context, file, config) &&
              EVP_DigestFinal_ex(context, bytes, NULL);
    EVP_MD_CTX_free(context);
    if (ok)
        write_hash(file->hash, bytes);
    return ok;
}

int external_file_hold(ExternalFile *file, const ExternalConfig *config)
{
    struct stat facts;
    ExternalFileFacts opened;
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
        is_it = are_same(&opened, &file->facts[0]);
    }
    if (!is_it) { /* replaced since it was looked at */
        close(fd);
        return -1;
    }
    int copy = is_readable && is_script(fd, facts.st_size) ? new_copy() : -1;
    if (is_readable && read_all(file, config, fd, copy) && copy >= 0 &&
        fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) {
        close(fd);
        return copy;
    }
    if (copy >= 0)
        close(copy);
    return fd;
}

uint32_t external_file_differing(const ExternalFile *a, const ExternalFile *b)
{
    uint32_t out = 0;
    for (int i = 0; i < CHILD_ARGS_MAX; i++)
        if (!((a->left_out | b->left_out) >> i & 1U) && !are_same(&a->facts[i], &b->facts[i]))
            out |= 1U << i;
    return out;
}

bool external_file_is_same(const ExternalFile *a, const ExternalFile *b)
{
    return external_file_differing(a, b) == 0 && strcmp(a->program, b->program) == 0;
}

bool external_file_is_in_place(const ExternalFile *file)
{
    ExternalFileFacts now;
    struct stat facts;
    if (stat(file->program, &facts) != 0)
        return false;
    take_facts(&now, &facts);
    return are_same(&now, &file->facts[0]);
}
