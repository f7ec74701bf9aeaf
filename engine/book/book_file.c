/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_at(int fd, uint8_t *out, size_t size, size_t at, Error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, out + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            error_set(err, ERR_IO, "cannot be read: %s",
                      got < 0 ? strerror(errno) : "the file has become shorter");
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

/* Reads a small file whole, after which it need not stay open. */
static bool take_into_memory(BookFile *file, Error *err)
{
    uint8_t *copy = malloc(file->size);
    if (!copy) {
        error_set(err, ERR_MEMORY, "no memory for a book");
        return false;
    }
    if (!read_at(file->fd, copy, file->size, 0, err)) {
        free(copy);
        return false;
    }
    close(file->fd);
    file->fd = -1;
    file->bytes = file->copy = copy;
    return true;
}

bool book_file_init(BookFile *out, const char *path, Error *err)
{
    struct stat st;
    /* Opening a FIFO must not block. */
    BookFile file = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
    if (file.fd < 0 || fstat(file.fd, &st) != 0) {
        error_set(err, ERR_IO, "cannot be opened: %s", strerror(errno));
        book_file_release(&file);
        return false;
    }
    file.size = (size_t)st.st_size;
    if (!S_ISREG(st.st_mode) || st.st_size <= 0)
        error_set(err, ERR_INVALID, S_ISREG(st.st_mode) ? "is empty" : "is not a file");
    else if (file.size > BOOK_FILE_IN_MEMORY_MAX || take_into_memory(&file, err)) {
        *out = file;
        return true;
    }
    book_file_release(&file);
    return false;
}

BookFile book_file_view(const uint8_t *bytes, size_t size)
{
    return (BookFile){ .bytes = bytes, .size = size, .fd = -1 };
}

const uint8_t *book_file_read(const BookFile *file, size_t at, size_t size, uint8_t *room,
                              Error *err)
{
    if (file->bytes)
        return file->bytes + at;
    return read_at(file->fd, room, size, at, err) ? room : NULL;
}

void book_file_release(BookFile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->copy);
    *file = (BookFile){ .fd = -1 };
}
