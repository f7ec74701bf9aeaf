/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon read its configuration again, and says what came of it. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"
#include "engine/base/number.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t print_lines(FILE *out, const struct json_object *said, const char *key)
{
    const struct json_object *lines = jsonread_array(said, key);
    size_t count = lines ? json_object_array_length(lines) : 0;
    for (size_t i = 0; i < count; i++) {
        const char *line = json_object_get_string(json_object_array_get_idx(lines, i));
        fprintf(out, "%s\n", shown(text_of(line)).text);
    }
    return count;
}

/* systemd tells its ExecReload= whom to reload. A new file may name another socket than the running
 * daemon's, or none. False: nobody was told. */
static bool reload_by_signal(void)
{
    const char *word = getenv("MAINPID");
    int64_t pid;
    if (!word || !number_parse(word, strlen(word), 2, INT32_MAX, &pid, NULL) ||
        kill((pid_t)pid, SIGHUP) != 0)
        return false;
    printf("process %s was told by SIGHUP to reload; its log says what came of it\n", word);
    return true;
}

static ExitStatus cmd_reload(const CommandOptions *options)
{
    static const char kept[] = "castled: nothing was reloaded: what is wrong comes first\n";
    Config config;
    char path[CONFIG_PATH_SIZE], *answer;
    if (!command_read_config(options, &config, path)) {
        fputs(kept, stderr);
        return EXIT_CONFIG;
    }
    config_release(&config);
    ExitStatus exit = ask_daemon(options, "reload", &answer);
    if (exit == EXIT_UNREACHABLE && reload_by_signal())
        return EXIT_FINE;
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    if (print_lines(stderr, said, "problems") > 0) {
        fputs(kept, stderr);
        exit = EXIT_CONFIG;
    } else {
        size_t changes = print_lines(stdout, said, "changes");
        printf("reloaded %s%s\n", shown(jsonread_text(said, "file")).text,
               changes == 0 ? ": no changes" : "");
    }
    json_object_put(said);
    free(answer);
    return exit;
}

const CliCommand command_reload = {
    .name = "reload",
    .run = cmd_reload,
    .help = "have the running daemon read its configuration again",
    .text = "Prints what has changed and what needs a restart, or what is wrong. A file with a "
            "mistake changes nothing. Games that run keep their settings.",
    .example = "castled reload",
    .example_help = "applies an edited castled.conf",
};
