/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages that follow from tables: writes them, or holds those of the tree against the tables.
 *
 *     write_pages --write FOLDER   into FOLDER, which is config/
 *     write_pages --check FOLDER   exit status 1 and a hint when one of them differs */
#include "tests/support/example.h"
#include "tests/pages/completion.h"
#include "tests/pages/man.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_MAX = 1 << 20, EXIT_USAGE = 64 };

static const struct {
    const char *file;
    bool (*write)(Buf *out);
} pages[] = {
    { "castled.conf.example", example_write },  { "completion/castled.bash", completion_bash },
    { "completion/_castled", completion_zsh },  { "completion/castled.fish", completion_fish },
    { "man/castled.1", man_castled },           { "man/castled-uci.1", man_castled_uci },
    { "man/castled.conf.5", man_castled_conf },
};

static bool write_page(const char *path, const Buf *text)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    bool ok = fwrite(buf_view(text), 1, text->len, file) == text->len;
    return (fclose(file) == 0) && ok;
}

static bool check_page(const char *path, const Buf *text)
{
    Buf found;
    buf_init(&found, PAGE_MAX);
    FILE *file = fopen(path, "r");
    bool ok = file && buf_read(&found, file, NULL) && strcmp(buf_view(&found), buf_view(text)) == 0;
    if (!ok)
        printf("%s: differs from its table; make it again: cmake --build build --target pages\n",
               path);
    if (file)
        fclose(file);
    buf_release(&found);
    return ok;
}

int main(int argc, char **argv)
{
    bool is_write = argc == 3 && strcmp(argv[1], "--write") == 0, ok = true;
    if (!is_write && (argc != 3 || strcmp(argv[1], "--check") != 0)) {
        fputs("usage: write_pages --write|--check FOLDER\n", stderr);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        Buf text;
        char path[4096];
        buf_init(&text, PAGE_MAX);
        int len = snprintf(path, sizeof path, "%s/%s", argv[2], pages[i].file);
        bool fits = len > 0 && (size_t)len < sizeof path && pages[i].write(&text);
        ok = fits && (is_write ? write_page(path, &text) : check_page(path, &text)) && ok;
        buf_release(&text);
    }
    return ok ? 0 : 1;
}
