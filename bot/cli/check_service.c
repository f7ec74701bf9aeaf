/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_service.h"

#include "bot/cli/service_unit.h"
#include "bot/config/external_config.h"
#include "bot/ops/address.h"
#include "bot/child/child_command.h"
#include "bot/source/books.h"
#include "engine/base/text_format.h"
#include "engine/human/policy_network.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRIVILEGED_PORTS = 1024 };

typedef struct {
    FILE *out;
    const ServiceUnit *unit;
    CheckMark mark; /* of what does not work */
    bool has_found;
} Look;

static void PRINTF_LIKE(2, 3) wrong(Look *look, const char *format, ...)
{
    static const char mended[] = " (unless your changes of the unit mend it)";
    char words[2 * CONFIG_TEXT_SIZE + sizeof mended];
    va_list arguments;
    va_start(arguments, format);
    text_format_cut_v(words, sizeof words - sizeof mended, format, arguments);
    va_end(arguments);
    if (look->mark == CHECK_WARNING)
        memcpy(words + strlen(words), mended, sizeof mended);
    check_say(look->out, look->mark, "service", words);
    look->has_found = true;
}

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* By the unit's ProtectHome= and PrivateTmp=. */
static const char *unit_hides(const char *path)
{
    static const char *const homes[] = { "/home", "/root", "/run/user" };
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        if (is_below(path, homes[i]))
            return "the service sees no home folder (ProtectHome)";
    if (is_below(path, "/tmp") || is_below(path, "/var/tmp"))
        return "the service has a /tmp of its own (PrivateTmp)";
    return NULL;
}

/* For somebody who neither owns it nor is in its group. */
static const char *rights_hide(const char *path)
{
    char part[PATH_MAX];
    struct stat about;
    size_t len = strlen(path);
    memcpy(part, path, len + 1);
    if (stat(part, &about) != 0)
        return NULL;
    if ((about.st_mode & S_IROTH) == 0)
        return "the service's user may not read it: chmod o+r";
    for (char *slash = strrchr(part, '/'); slash && slash != part; slash = strrchr(part, '/')) {
        *slash = '\0';
        if (stat(part, &about) == 0 && (about.st_mode & S_IXOTH) == 0)
            return "the service's user may not enter a folder above it: chmod o+x";
    }
    return NULL;
}

/* Why the service's user cannot read this file or folder, for words behind its path; NULL: it can,
 * or nothing is there. */
static const char *why_hidden(const char *path)
{
    char real[PATH_MAX];
    const char *why = path[0] == '/' ? unit_hides(path) : NULL;
    if (why || path[0] != '/' || !realpath(path, real))
        return why;
    why = unit_hides(real);
    return why ? why : rights_hide(real);
}

static void check_path(Look *look, const char *what, const char *path)
{
    const char *why = why_hidden(path);
    if (why)
        wrong(look, "%s %s: %s", what, path, why);
}

static void check_paths(Look *look, const char *what, const char *list)
{
    char path[CONFIG_TEXT_SIZE];
    for (Text rest = text_of(list); config_next_path(&rest, path);)
        check_path(look, what, path);
}

static void check_books(Look *look, const char *files)
{
    BookName name;
    for (Text rest = text_of(files); book_name_next(&rest, &name);)
        check_path(look, "book", name.path);
}

static void check_command_line(Look *look, const char *what, const char *line)
{
    ChildCommand command;
    if (line[0] != '\0' && child_command_parse(&command, line, NULL) &&
        child_command_find(&command, NULL))
        check_path(look, what, command.program);
}

static void check_external(Look *look, const ExternalConfig *external)
{
    check_command_line(look, "engine", external->command);
    check_path(look, "engine's directory", external->directory);
    for (size_t i = 0; i < external->setting_count; i++)
        check_paths(look, external->settings[i].name, external->settings[i].value);
}

static void check_token_file(Look *look, const char *token_file)
{
    const ServiceUnit *unit = look->unit;
    if (token_file[0] != '\0' && strcmp(token_file, unit->token_file) != 0)
        wrong(look,
              "%s.service takes the token from %s, whatever token_file says: write that there, or "
              "change LoadCredential= by systemctl edit %s",
              unit->name, unit->token_file, unit->name);
    else if (access(unit->token_file, F_OK) != 0)
        wrong(look, "%s: the token of %s.service is not there: castled login", unit->token_file,
              unit->name);
}

static void check_writing(Look *look, const char *what, const char *path)
{
    const ServiceUnit *unit = look->unit;
    if (path[0] == '/' && !is_below(path, unit->state_folder) &&
        !is_below(path, unit->runtime_folder))
        wrong(look, "%s %s: %s.service writes only into %s and %s (ProtectSystem)", what, path,
              unit->name, unit->state_folder, unit->runtime_folder);
}

static void check_port(Look *look, const Config *config)
{
    Address address;
    if (strcmp(config->status.page, "off") == 0 ||
        !address_parse(&address, config->status.page, NULL))
        return;
    int port =
        ntohs(address.ip4.sin_family == AF_INET ? address.ip4.sin_port : address.ip6.sin6_port);
    if (port < PRIVILEGED_PORTS)
        wrong(look,
              "status.http = %s: %s.service may not use ports below %d, and would play without "
              "its page",
              config->status.page, look->unit->name, PRIVILEGED_PORTS);
}

static bool is_in_etc(const char *name, const char *suffix)
{
    char path[PATH_MAX];
    return text_format_fits(path, sizeof path, "/etc/systemd/system/%s%s", name, suffix) &&
           access(path, F_OK) == 0;
}

/* Somebody has changed the unit, by systemctl edit or a unit of the same name. */
static bool is_changed(const ServiceUnit *unit)
{
    bool is_instance = unit->instance[0] != '\0';
    return is_in_etc(unit->name, ".service") || is_in_etc(unit->name, ".service.d") ||
           (is_instance &&
            (is_in_etc("castled@", ".service") || is_in_etc("castled@", ".service.d")));
}

bool check_service(FILE *out, const Config *config, const char *config_file)
{
    ServiceUnit unit;
    if (access("/run/systemd/system", F_OK) != 0 || !service_unit_of_config(&unit, config_file))
        return true;
    Look look = { .out = out,
                  .unit = &unit,
                  .mark = is_changed(&unit) ? CHECK_WARNING : CHECK_WRONG };
    check_token_file(&look, config->account.token_file);
    check_path(&look, "configuration", config_file);
    check_path(&look, "ca_file", config->account.ca_file);
    const char *text;
    for (size_t i = 0; (text = config_text_named(config, "book", "files", i)); i++)
        check_books(&look, text);
    check_paths(&look, "tables", config->engine.syzygy);
    for (size_t i = 0; (text = config_text_named(config, "engine", "human", i)); i++)
        if (policy_is_file(text))
            check_path(&look, "network", text);
    for (size_t i = 0; i < config->external_count; i++)
        check_external(&look, &config->externals[i]);
    check_command_line(&look, "notify command", config->notify.command);
    check_writing(&look, "archive", config->archive.file);
    check_writing(&look, "PGN folder", config->archive.pgn);
    check_writing(&look, "socket", config->status.socket);
    check_port(&look, config);
    if (!look.has_found)
        check_say(out, CHECK_OK, "service", unit.name);
    return !look.has_found || look.mark != CHECK_WRONG;
}
