/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks what most operators want to set, and writes a first configuration. All answers are checked
 * as the file would be; nothing is written before the last. */
#include "bot/cli/service_unit.h"
#include "bot/cli/command.h"
#include "bot/cli/shown.h"
#include "bot/config/external_config.h"
#include "bot/config/schema.h"
#include "bot/ops/file_replace.h"
#include "bot/ops/printable.h"
#include "bot/ops/writable.h"
#include "bot/child/child_command.h"
#include "engine/base/text_format.h"
#include "engine/search/engine.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 16, ANSWER_SIZE = CONFIG_TEXT_SIZE };

/* The sections stand together, as in the file. */
static const struct {
    const char *section, *name;
    const char *words;
    bool only_if_seeking; /* asked if castled is to look for opponents */
} questions[] = {
    { "account", "token_file", "The file for the token, which castled login gets", false },
    { "engine", "elo", "Strength: 0 for all of it, or a rating (600 to 2800)", false },
    { "games", "concurrency", "How many games at once", false },
    { "challenge", "speeds", "Which speeds to accept", false },
    { "challenge", "modes", "Casual games, rated ones, or both", false },
    { "challenge", "opponents", "Which opponents: human, bot, or both", false },
    { "matchmaking", "play", "Challenge other bots when there is nothing to do (yes or no)",
      false },
    { "matchmaking", "clocks", "… to which clocks", true },
    { "status", "http", "A page with the live games: off, a port such as 8080, or IP:PORT", false },
};
enum { ELO_QUESTION = 1, QUESTIONS = sizeof questions / sizeof *questions };

typedef struct {
    char path[CONFIG_PATH_SIZE];
    ServiceUnit unit; /* that plays by it, where `has_unit` */
    bool has_unit;
    char answers[QUESTIONS][ANSWER_SIZE];
    char engine[ANSWER_SIZE]; /* the command of an engine of the operator's; "no": none */
    bool is_terminal;
    bool is_ended; /* no more answers: from a pipe the defaults hold */
    Buf text;
} Init;

static ExitStatus fail(ExitStatus status, const char *words)
{
    fputs("castled: init: ", stderr);
    printable_print(stderr, text_of(words));
    fputc('\n', stderr);
    return status;
}

/* What people say to such questions, as the file has it. */
static void translate(const KeySpec *key, char answer[ANSWER_SIZE])
{
    enum { PAIR = 2 };
    static const struct {
        const char *said, *meant;
    } yes_no[] = { { "y", "yes" }, { "Y", "yes" }, { "Yes", "yes" }, { "YES", "yes" },
                   { "n", "no" },  { "N", "no" },  { "No", "no" },   { "NO", "no" } },
      page[] = { { "no", "off" },   { "n", "off" },  { "none", "off" }, { "0", "off" },
                 { "yes", "8080" }, { "y", "8080" }, { "on", "8080" } };
    const char *meant = NULL;
    for (size_t i = 0; key->kind == KEY_BOOL && i < sizeof yes_no / sizeof *yes_no; i++)
        meant = strcmp(answer, yes_no[i].said) == 0 ? yes_no[i].meant : meant;
    for (size_t i = 0; key->kind == KEY_ADDRESS && i < sizeof page / sizeof *page; i++)
        meant = strcmp(answer, page[i].said) == 0 ? page[i].meant : meant;
    if (key->kind == KEY_SET && key->words->count == PAIR && strcmp(answer, "both") == 0)
        meant = key->standard; /* of such keys it is both */
    if (meant)
        memcpy(answer, meant, strlen(meant) + 1);
}

/* Where the other commands will find it. */
static bool find_place(const CommandOptions *options, Init *init, Error *err)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int len;
    if (options->config_file)
        len = snprintf(init->path, sizeof init->path, "%s", options->config_file);
    else if (geteuid() == 0)
        len = snprintf(init->path, sizeof init->path, "/etc/castled/castled.conf");
    else if (xdg && xdg[0] == '/')
        len = snprintf(init->path, sizeof init->path, "%s/castled/castled.conf", xdg);
    else
        len = snprintf(init->path, sizeof init->path, "%s/.config/castled/castled.conf",
                       home ? home : "");
    if (len <= 0 || (size_t)len >= sizeof init->path) {
        error_set(err, ERR_RANGE, "the configuration's path is too long");
        return false;
    }
    init->has_unit = service_unit_of_config(&init->unit, init->path);
    return true;
}

/* A line without its end; "" at the end of a pipe. False where it is too long, or at the end of a
 * terminal: who ends it (Ctrl-D) has not said yes. */
static bool read_line(Init *init, char out[ANSWER_SIZE], Error *err)
{
    out[0] = '\0';
    if (init->is_ended || !fgets(out, ANSWER_SIZE, stdin)) {
        init->is_ended = true;
        if (!init->is_terminal)
            return true;
        putchar('\n');
        error_set(err, ERR_NOT_NOW, "no answer; nothing was written");
        return false;
    }
    size_t len = strcspn(out, "\n");
    if (out[len] == '\0' && len == ANSWER_SIZE - 1) {
        error_set(err, ERR_RANGE, "an answer is longer than %d bytes", ANSWER_SIZE - 2);
        return false;
    }
    out[len] = '\0';
    Text kept = text_trimmed(text_of(out), " \t\r");
    memmove(out, kept.at, kept.len);
    out[kept.len] = '\0';
    return true;
}

static bool may_overwrite(Init *init, Error *err)
{
    char answer[ANSWER_SIZE];
    if (access(init->path, F_OK) != 0)
        return true;
    printf("%s is there already. Overwrite it? Type yes: ", init->path);
    fflush(stdout);
    if (!read_line(init, answer, err))
        return false;
    if (!init->is_terminal)
        putchar('\n');
    if (strcmp(answer, "yes") == 0)
        return true;
    error_set(err, ERR_NOT_NOW, "%s stays as it was", init->path);
    return false;
}

/* The unit's, else beside the configuration. */
static void usual_token_file(const Init *init, char out[ANSWER_SIZE])
{
    char real[PATH_MAX];
    const char *slash = strrchr(init->path, '/');
    bool is_relative = init->path[0] != '/' && getcwd(real, sizeof real);
    int folder = slash ? (int)(slash - init->path + 1) : 0;
    int len = init->has_unit ? snprintf(out, ANSWER_SIZE, "%s", init->unit.token_file)
                             : snprintf(out, ANSWER_SIZE, "%s%s%.*stoken", is_relative ? real : "",
                                        is_relative ? "/" : "", folder, init->path);
    if (len < 0 || len >= ANSWER_SIZE)
        out[0] = '\0'; /* to be given by hand */
}

/* What a file may say, and an answer should not. */
static bool is_sensible(const Init *init, const KeySpec *key, const Config *config, Error *err)
{
    if (key->offset == offsetof(Config, game.engine.elo) && config->game.engine.elo > 0 &&
        config->game.engine.elo < ELO_MIN) {
        error_set(err, ERR_RANGE, "neither 0 nor within %d..%d", ELO_MIN, ELO_MAX);
        return false;
    }
    if (key->offset != offsetof(Config, account.token_file))
        return true;
    struct stat about;
    const char *file = config->account.token_file;
    if (init->has_unit && strcmp(file, init->unit.token_file) != 0) {
        error_set(err, ERR_INVALID, "%s.service takes the token from %s", init->unit.name,
                  init->unit.token_file);
        return false;
    }
    if (stat(file, &about) != 0 || !S_ISDIR(about.st_mode))
        return true;
    error_set(err, ERR_INVALID, "is a folder; the name of a file is needed");
    return false;
}

/* As the file's reader will see it. */
static bool is_answer(const Init *init, const KeySpec *key, const char *answer, Error *err)
{
    Config config;
    if (strstr(answer, " ;") || answer[0] == '#' || answer[0] == ';') {
        error_set(err, ERR_INVALID, "\" ;\" begins a comment in the file");
        return false;
    }
    config_init(&config);
    bool ok = key_set(key, &config, answer, err) && is_sensible(init, key, &config, err);
    config_release(&config);
    return ok;
}

/* On a terminal until the answer can be used; else the first that can't ends it all. */
static bool ask_question(Init *init, int number, Error *err)
{
    const KeySpec *key = schema_find(questions[number].section, questions[number].name);
    char *answer = init->answers[number], usual[ANSWER_SIZE];
    text_format(usual, sizeof usual, "%s", key->standard);
    if (number == 0)
        usual_token_file(init, usual);
    for (;;) {
        Error why = { 0 };
        printf("%s [%s]: ", questions[number].words, usual);
        fflush(stdout);
        if (!read_line(init, answer, err))
            return false;
        if (!init->is_terminal)
            printf("%s\n", answer);
        if (answer[0] == '\0')
            memcpy(answer, usual, sizeof usual);
        translate(key, answer);
        if (answer[0] != '\0' && is_answer(init, key, answer, &why))
            return true;
        error_set(&why, ERR_INVALID, "an answer is needed");
        if (!init->is_terminal || init->is_ended) {
            error_set(err, why.code, "%s.%s = %s: %s", key->section, key->name, answer, why.text);
            return false;
        }
        printf("  %s\n", shown_error(&why).text);
    }
}

static bool is_asked(const Init *init, int number)
{
    return !questions[number].only_if_seeking || strcmp(init->answers[number - 1], "yes") == 0;
}

/* ---- an engine of the operator's ---- */

/* Of engines that distributions have and that speak UCI without further words. */
static const char *const known_engines[] = { "stockfish",      "lc0",   "fairy-stockfish",
                                             "ethereal-chess", "toga2", "fruit",
                                             "glaurung" };

static void say_engines_here(void)
{
    bool is_first = true;
    for (size_t i = 0; i < sizeof known_engines / sizeof *known_engines; i++) {
        ChildCommand command;
        if (!child_command_parse(&command, known_engines[i], NULL) ||
            !child_command_find(&command, NULL))
            continue;
        printf("%s%s", is_first ? "UCI engines on this machine: " : ", ", command.program);
        is_first = false;
    }
    if (!is_first)
        puts("");
}

static bool is_engine(const char *answer, Error *err)
{
    ChildCommand command;
    return strcmp(answer, "no") == 0 ||
           (child_command_parse(&command, answer, err) && child_command_find(&command, err));
}

/* A weakened castled plays by itself. */
static bool ask_engine(Init *init, Error *err)
{
    memcpy(init->engine, "no", sizeof "no");
    if (strcmp(init->answers[ELO_QUESTION], "0") != 0)
        return true;
    say_engines_here();
    for (;;) {
        Error why = { 0 };
        printf("A UCI engine of yours that is to play, as a command, or no [no]: ");
        fflush(stdout);
        if (!read_line(init, init->engine, err))
            return false;
        if (!init->is_terminal)
            printf("%s\n", init->engine);
        if (init->engine[0] == '\0')
            memcpy(init->engine, "no", sizeof "no");
        if (is_engine(init->engine, &why))
            return true;
        if (!init->is_terminal || init->is_ended) {
            error_set(err, ERR_INVALID, "the engine's command: %s", why.text);
            return false;
        }
        printf("  %s\n", shown_error(&why).text);
    }
}

static bool write_engine(const Init *init, Buf *out)
{
    if (strcmp(init->engine, "no") == 0)
        return true;
    return buf_printf(out,
                      "\n[" EXTERNAL_SECTION " mine]\n"
                      "# The engine that plays; castled's own stands in where it fails.\n"
                      "command = %s\n",
                      init->engine);
}

static bool ask_all(Init *init, Error *err)
{
    if (init->is_terminal)
        puts("An empty answer takes what stands in brackets. Everything can be changed later.");
    for (int i = 0; i < QUESTIONS; i++)
        if (is_asked(init, i) && !ask_question(init, i, err))
            return false;
    return ask_engine(init, err);
}

static bool write_text(Init *init)
{
    Buf *out = &init->text;
    const char *section = "";
    bool ok = buf_put_text(out, "# castled's configuration, begun by castled init. castled.conf(5) "
                                "describes all keys,\n# castled check --show prints their values. "
                                "A text after \" ;\" is a comment.\n");
    for (int i = 0; i < QUESTIONS && ok; i++) {
        const KeySpec *key = schema_find(questions[i].section, questions[i].name);
        if (!is_asked(init, i))
            continue;
        if (strcmp(section, key->section) != 0)
            ok = buf_printf(out, "\n[%s]\n", key->section);
        section = key->section;
        ok = ok && buf_printf(out, "# %s", key->help) && key_write_choices(key, out) &&
             buf_printf(out, "\n%s = %s\n", key->name, init->answers[i]);
    }
    return ok && write_engine(init, out);
}

/* Others may read it, as the service's user has to; it holds no secret. */
static bool make_folders(const char *path, Error *err)
{
    char folder[CONFIG_PATH_SIZE];
    memcpy(folder, path, strlen(path) + 1);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
            error_set(err, ERR_IO, "%s: cannot make the folder: %s", folder, strerror(errno));
            return false;
        }
        *slash = '/';
    }
    return true;
}

static bool save(Init *init, Error *err)
{
    Config config;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = write_text(init);
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory");
    if (ok &&
        !config_parse(&config, init->path, buf_view(&init->text), init->text.len, &problems)) {
        error_set(err, ERR_INVALID, "%s", buf_view(&problems));
        ok = false;
    } else if (ok) {
        config_release(&config);
    }
    buf_release(&problems);
    const Text text = { buf_view(&init->text), init->text.len };
    if (!ok || !make_folders(init->path, err) ||
        !file_replace(init->path, FILE_OF_OWNER, &text, 1, err))
        return false;
    if (chmod(init->path, 0644) == 0)
        return true;
    error_set(err, ERR_IO, "%s: %s", init->path, strerror(errno));
    return false;
}

/* As the operator has to type it. */
static void say_command(const Init *init, const CommandOptions *options, const char *command)
{
    const char *sudo = getenv("SUDO_UID") ? "sudo " : "", *option = "", *value = "";
    if (init->has_unit && init->unit.instance[0] != '\0') {
        option = " --instance ";
        value = init->unit.instance;
    } else if (options->config_file) {
        option = " --config ";
        value = options->config_file;
    }
    printf("  %scastled%s%s %-10s ", sudo, option, value, command);
}

static void say_what_is_next(const Init *init, const CommandOptions *options)
{
    printf("\nWrote %s. What is next:\n", init->path);
    say_command(init, options, "login");
    puts("gets a token by your consent in a browser");
    say_command(init, options, "upgrade");
    puts("makes the account a BOT account, for good");
    say_command(init, options, "check");
    puts("looks whether all is well");
    if (init->has_unit) {
        printf("  %ssystemctl enable --now %s    plays, now and after every boot\n",
               getenv("SUDO_UID") ? "sudo " : "", init->unit.name);
    } else {
        say_command(init, options, "run");
        puts("plays");
    }
}

/* "No" is not done, which is EXIT_FAULT, as in all commands. */
static ExitStatus exit_status_of(const Error *err)
{
    return err->code == ERR_INVALID || err->code == ERR_RANGE ? EXIT_USAGE
           : err->code == ERR_IO                              ? EXIT_CONFIG
                                                              : EXIT_FAULT;
}

static ExitStatus cmd_init(const CommandOptions *options)
{
    Init init = { .is_terminal = isatty(STDIN_FILENO) };
    Error err = { 0 };
    buf_init(&init.text, FILE_MAX);
    bool ok = find_place(options, &init, &err) &&
              writable_look(init.path, FOLDER_MAY_BE_MADE, &err) && may_overwrite(&init, &err) &&
              ask_all(&init, &err) && save(&init, &err);
    buf_release(&init.text);
    if (!ok)
        return fail(exit_status_of(&err), err.text);
    say_what_is_next(&init, options);
    return EXIT_FINE;
}

const CliCommand command_init = {
    .name = "init",
    .run = cmd_init,
    .help = "ask a few questions and write a first configuration",
    .text = "It is written to --config FILE, else to /etc/castled/castled.conf for root and to "
            "$XDG_CONFIG_HOME/castled/castled.conf for others. The answers may come from a pipe, "
            "one a line; an empty or missing one takes the default. On a terminal Ctrl-D ends it, "
            "and nothing is written. A file that is there is overwritten only after a yes, which "
            "then comes first.",
    .example = "castled init",
    .example_help = "writes a configuration, and says what to do next",
};
