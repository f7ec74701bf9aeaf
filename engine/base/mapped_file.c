/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool mapped_file_init(MappedFile *file, const char *path, Error *err)
{
    struct stat st;
    void *mapping = MAP_FAILED;
    /* Opening a FIFO must not block. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0)
        error_set(err, ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode) || st.st_size <= 0)
        error_set(err, ERR_INVALID, "%s: %s", path,
                  S_ISREG(st.st_mode) ? "is empty" : "is not a file");
    else if ((mapping = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0)) == MAP_FAILED)
        error_set(err, ERR_IO, "%s: cannot be mapped: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (mapping == MAP_FAILED)
        return false;
    *file = (MappedFile){ .bytes = mapping, .size = (size_t)st.st_size };
    return true;
}

void mapped_file_release(MappedFile *file)
{
    if (file->bytes)
        munmap((void *)file->bytes, file->size);
    *file = (MappedFile){ 0 };
}

void mapped_file_expect_scattered(const MappedFile *file)
{
    posix_madvise((void *)file->bytes, file->size, POSIX_MADV_RANDOM);
}
