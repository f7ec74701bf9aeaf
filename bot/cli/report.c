/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts that a helper needs first, in one file that is safe to show. */
#include "bot/cli/build_facts.h"
#include "bot/cli/check.h"
#include "bot/cli/game_transcript.h"
#include "bot/cli/owner_rights.h"
#include "bot/cli/shown.h"
#include "bot/lichess/event.h"
#include "bot/config/rule.h"
#include "bot/config/schema.h"
#include "bot/cli/redact.h"
#include "bot/config/external_config.h"
#include "bot/ops/version.h"
#include "bot/config/config_place.h"
#include "engine/base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>
#ifdef __GLIBC__
typedef __rlimit_resource_t Resource;
#else
typedef int Resource;
#endif

enum { VALUE_MAX = 1 << 20, LOG_TAIL = 256 * 1024 /* bytes */, LOG_LINES = 300 };
enum { GAME_ID_USUAL = 8 /* letters at least: a slip makes no file */ };

/* What the sections speak of. */
typedef struct {
    const char *log_file; /* NULL: none was named; "-": standard input */
    const char *game;     /* NULL: none; so is the next: */
    const char *output;   /* where it goes */
    char path[CONFIG_PATH_SIZE];
    Config config;
    bool has_config;
    Buf problems; /* of the configuration, or why there is none */
    Token token;
    bool has_token;
    Error token_error;
} Report;

static void write_program(FILE *out, const Report *report)
{
    (void)report;
    fprintf(out, "castled  %s\n", version_text());
    build_facts_print(out);
}

/* PRETTY_NAME="…" of os-release(5). */
static void write_distribution(FILE *out)
{
    static const char key[] = "PRETTY_NAME=";
    char line[200];
    FILE *file = fopen("/etc/os-release", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0)
            fprintf(out, "system   %s", line + sizeof key - 1);
    if (file)
        fclose(file);
    fprintf(out, "systemd  %s\n", access("/run/systemd/system", F_OK) == 0 ? "runs" : "none");
}

static void write_cpus(FILE *out)
{
    uv_cpu_info_t *cpus;
    int count;
    if (uv_cpu_info(&cpus, &count) != 0)
        return;
    fprintf(out, "cpu      %d x %s\n", count, count > 0 ? cpus[0].model : "?");
    uv_free_cpu_info(cpus, count);
}

static void write_host(FILE *out, const Report *report)
{
    struct utsname kernel;
    (void)report;
    if (uname(&kernel) == 0)
        fprintf(out, "kernel   %s %s %s\n", kernel.sysname, kernel.release, kernel.machine);
    write_distribution(out);
    write_cpus(out);
    uint64_t total = uv_get_total_memory(), limit = uv_get_constrained_memory();
    fprintf(out, "memory   %" PRIu64 " MiB, %" PRIu64 " MiB free", total >> 20,
            uv_get_free_memory() >> 20);
    if (limit > 0 && limit < total)
        fprintf(out, ", %" PRIu64 " MiB for us", limit >> 20);
    fputc('\n', out);
}

static void write_limits(FILE *out, const Report *report)
{
    static const struct {
        const char *name;
        Resource resource;
    } limits[] = {
        { "open files", RLIMIT_NOFILE },
        { "processes", RLIMIT_NPROC },
        { "address space", RLIMIT_AS },
        { "stack", RLIMIT_STACK },
        { "locked memory", RLIMIT_MEMLOCK },
        { "core dump", RLIMIT_CORE },
        { "nice", RLIMIT_NICE },
    };
    (void)report;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].resource, &limit) != 0)
            continue;
        if (limit.rlim_cur == RLIM_INFINITY)
            fprintf(out, "%-14s unlimited\n", limits[i].name);
        else
            fprintf(out, "%-14s %ju\n", limits[i].name, (uintmax_t)limit.rlim_cur);
    }
}

static void write_keys(FILE *out, const Config *config)
{
    Config standard;
    Buf value, usual;
    size_t count;
    const KeySpec *keys = schema_keys(&count);
    config_init(&standard);
    buf_init(&value, VALUE_MAX);
    buf_init(&usual, VALUE_MAX);
    for (size_t i = 0; i < count; i++) {
        buf_reset(&value);
        buf_reset(&usual);
        if (!key_write(&keys[i], key_at(&keys[i], config), &value) ||
            !key_write(&keys[i], key_at(&keys[i], &standard), &usual) ||
            strcmp(buf_view(&value), buf_view(&usual)) == 0)
            continue;
        fprintf(out, "%s.%s = %s\n", keys[i].section, keys[i].name,
                key_traits(&keys[i])->is_private ? "(set, not shown)" : buf_view(&value));
    }
    buf_release(&value);
    buf_release(&usual);
    config_release(&standard);
}

static void write_rules(FILE *out, const Config *config)
{
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        fprintf(out, "rule %zu, %d conditions, sets:", i + 1, __builtin_popcount(rule->when.given));
        for (int j = 0; j < rule->change_count; j++)
            fprintf(out, " %s.%s", rule->changes[j].key->section, rule->changes[j].key->name);
        fputc('\n', out);
    }
    for (size_t i = 0; i < config->type_count; i++) {
        const Rule *type = &config->types[i];
        fprintf(out, "type of matchmaking %zu, sets:", i + 1);
        for (int j = 0; j < type->change_count; j++)
            fprintf(out, " %s", type->changes[j].key->name);
        fputc('\n', out);
    }
}

static void write_externals(FILE *out, const Config *config)
{
    size_t count;
    const KeySpec *keys = external_config_keys(&count);
    for (size_t i = 0; i < config->external_count; i++) {
        const ExternalConfig *external = &config->externals[i];
        fprintf(out, "external engine %zu, %zu options, sets:", i + 1, external->setting_count);
        for (size_t j = 0; j < count; j++)
            if (external->key_lines[j] > 0)
                fprintf(out, " %s", keys[j].name);
        fputc('\n', out);
    }
}

/* Folders may be named after people. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_config(FILE *out, const Report *report)
{
    fprintf(out, "file %s\n", base_name(report->path));
    if (!report->has_config) {
        fputs(buf_view(&report->problems), out);
        return;
    }
    fputs("What differs from the defaults:\n", out);
    write_keys(out, &report->config);
    write_rules(out, &report->config);
    write_externals(out, &report->config);
}

static void write_check(FILE *out, const Report *report)
{
    if (!report->has_config) {
        check_say(out, CHECK_WRONG, "configuration", "see above");
        return;
    }
    check_say(out, CHECK_OK, "configuration", base_name(report->path));
    if (!report->has_token) {
        check_say(out, CHECK_WRONG, "token", report->token_error.text);
        return;
    }
    check_say(out, CHECK_OK, "token", base_name(report->token.source));
    check_server(out, &report->config, report->token.text);
}

/* The last bytes of a file, of which the caller has `size` bytes; false when it cannot be read. */
static bool read_tail(FILE *file, char *bytes, size_t size, size_t *len)
{
    size_t used = 0, n;
    while ((n = fread(bytes + used, 1, size - used, file)) > 0) {
        used += n;
        if (used == size) { /* keep the younger half */
            used = size / 2;
            memmove(bytes, bytes + size - used, used);
        }
    }
    *len = used;
    return !ferror(file);
}

/* Where the last LOG_LINES lines begin. */
static size_t last_lines(const char *bytes, size_t len)
{
    int lines = 0;
    for (size_t at = len; at > 0; at--)
        if (bytes[at - 1] == '\n' && at < len && ++lines == LOG_LINES)
            return at;
    return 0;
}

static void write_log(FILE *out, const Report *report)
{
    const char *path = report->log_file;
    if (!path) {
        fputs("None was named. Under systemd:\n"
              "journalctl -u castled -n 300 --no-pager | castled report --log -\n",
              out);
        return;
    }
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *bytes = malloc(LOG_TAIL);
    size_t len = 0;
    if (!file || !bytes || !read_tail(file, bytes, LOG_TAIL, &len)) {
        fprintf(out, "%s: cannot be read: %s\n", path, strerror(errno));
    } else {
        size_t from = last_lines(bytes, len);
        fwrite(bytes + from, 1, len - from, out);
    }
    free(bytes);
    if (file && file != stdin)
        fclose(file);
}

static void write_transcript(FILE *out, const char *head)
{
    Buf text;
    Error err = { 0 };
    buf_init(&text, GAME_TRANSCRIPT_MAX);
    fprintf(out, "-- %s\n", base_name(head));
    if (!game_transcript_read(head, &text, &err))
        fprintf(out, "%s\n", err.text);
    fwrite(buf_view(&text), 1, text.len, out);
    buf_release(&text);
}

/* What was said to external engines in it, with the faults that castled found. */
static void write_game(FILE *out, const Report *report)
{
    GameTranscripts found;
    Error err = { 0 };
    if (!report->game) {
        fputs("None was named: castled report GAME adds what its engines were told.\n", out);
        return;
    }
    fprintf(out, "game %s\n", report->game);
    bool ok =
        report->has_config && game_transcripts_find(&found, &report->config, report->game, &err);
    for (size_t i = 0; ok && i < found.count; i++)
        write_transcript(out, found.heads[i]);
    owner_rights_drop();
    if (!ok)
        fprintf(out, "%s\n", err.text);
}

static const struct {
    const char *title;
    void (*write)(FILE *out, const Report *report);
} sections[] = {
    { "program", write_program }, { "host", write_host },
    { "limits", write_limits },   { "configuration", write_config },
    { "check", write_check },     { "game", write_game },
    { "log", write_log },
};

/* All that is written passes through the redaction. */
static bool write_section(FILE *out, size_t number, const Report *report, const Secrets *secrets)
{
    char *text = NULL;
    size_t len = 0;
    FILE *raw = open_memstream(&text, &len);
    if (!raw)
        return false;
    sections[number].write(raw, report);
    bool ok = fclose(raw) == 0;
    fprintf(out, "\n== %s ==\n", sections[number].title);
    if (ok)
        redact_text(out, secrets, (Text){ text, len });
    free(text);
    return ok;
}

static bool write_report(FILE *out, const Report *report)
{
    char host[256] = "";
    const char *home = getenv("HOME");
    /* Nothing to hide: "/" would take the paths apart. */
    if (home && strlen(home) < sizeof "/x")
        home = NULL;
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    const Secrets secrets = { report->has_token ? report->token.text : NULL, home, host };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof sections / sizeof *sections; i++)
        ok = write_section(out, i, report, &secrets);
    return ok && !ferror(out);
}

/* The file of who called us by sudo is theirs to read. */
static void give_to_caller(int fd)
{
    int64_t user, group;
    const char *user_text = getenv("SUDO_UID"), *group_text = getenv("SUDO_GID");
    if (geteuid() == 0 && user_text && group_text &&
        number_parse(user_text, strlen(user_text), 0, INT32_MAX, &user, NULL) &&
        number_parse(group_text, strlen(group_text), 0, INT32_MAX, &group, NULL) &&
        fchown(fd, (uid_t)user, (gid_t)group) != 0)
        return; /* root can read it all the same */
}

/* A new file: where the user wants it, else in the folder that we are in. */
static FILE *create_file(char *name, size_t size, const char *wanted)
{
    time_t now = time(NULL);
    struct tm local;
    if (wanted && !text_copy(name, size, text_of(wanted))) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (!wanted && (!localtime_r(&now, &local) ||
                    strftime(name, size, "castled-report-%Y%m%d-%H%M%S.txt", &local) == 0))
        return NULL;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        give_to_caller(fd);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file) {
        close(fd);
        unlink(name);
    }
    return file;
}

static void report_gather(Report *report, const CommandOptions *options)
{
    Error err = { 0 };
    buf_init(&report->problems, CONFIG_PROBLEMS_MAX);
    if (!config_place_find(options->config_file, report->path, sizeof report->path, &err)) {
        bool ok = buf_printf(&report->problems, "%s\n", err.text);
        (void)ok; /* without memory there is less to report */
        return;
    }
    report->has_config = config_load_shareable(&report->config, report->path, &report->problems);
    if (report->has_config)
        report->has_token =
            token_load(&report->token, report->config.account.token_file, &report->token_error);
}

static void report_release(Report *report)
{
    token_erase(&report->token);
    buf_release(&report->problems);
    if (report->has_config)
        config_release(&report->config);
}

/* A slip makes no file. */
static bool take_game(const Option *option, void *at, const char *value, Error *err)
{
    if (strlen(value) >= GAME_ID_USUAL)
        return option_game(option, at, value, err);
    error_set(err, ERR_INVALID, "not the id of a game");
    return false;
}

static const Option report_options[] = {
    { .name = "GAME",
      .help = "add what was said to external engines in this game",
      .read = take_game,
      .at = offsetof(Report, game) },
    { .name = "--log",
      .value = "FILE",
      .help = "add the last lines of this log; -: standard input",
      .read = option_text,
      .at = offsetof(Report, log_file) },
    { .name = "--output",
      .value = "FILE",
      .help = "where to write it, a file that is not there; default: a new one in the folder that "
              "you are in",
      .read = option_text,
      .at = offsetof(Report, output) },
    { .name = NULL },
};

static ExitStatus cmd_report(const CommandOptions *options)
{
    char name[PATH_MAX] = "castled-report.txt";
    Report report = { .log_file = NULL };
    if (!command_read_words(options, (void *[]){ &report }))
        return EXIT_USAGE;
    FILE *out = create_file(name, sizeof name, report.output);
    if (!out) {
        fprintf(stderr, "castled report: %s: cannot be made: %s\n", name, strerror(errno));
        return EXIT_FAULT;
    }
    command_outlive_peers();
    report_gather(&report, options);
    bool ok = write_report(out, &report);
    report_release(&report);
    ok = fclose(out) == 0 && ok;
    if (ok)
        printf("%s: secrets%s; read it before you show it\n", name,
               report.log_file
                   ? " are left out; its log names players, quotes their chat and has paths"
                   : ", paths and people are left out");
    else
        fprintf(stderr, "castled report: %s: cannot be written: %s\n", name, strerror(errno));
    return ok ? EXIT_FINE : EXIT_FAULT;
}

const CliCommand command_report = {
    .name = "report",
    .run = cmd_report,
    .help = "write a report for those who help you, without secrets",
    .forms = { "[GAME] [--log FILE] [--output FILE]" },
    .text =
        "It holds versions, host, configuration without paths and names, and whether the server "
        "takes the token and the account. A log is added as it is, without tokens: it names "
        "players and quotes their chat.",
    .options = { report_options },
    .example = "journalctl -u castled -n 500 | castled report --log -",
    .example_help = "adds the last lines of the service's log",
};
