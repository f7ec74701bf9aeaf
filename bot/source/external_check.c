/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_check.h"

#include "bot/config/did_you_mean.h"
#include "bot/child/child_process.h"
#include "bot/source/uci_talk.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { WAIT_MS = 10000, SAID_SIZE = 200 };

typedef struct {
    const ExternalConfig *config;
    const ChildSecrets *secrets;
    void (*say)(void *user, bool is_fault, const char *words);
    void *user;
    uv_loop_t loop;
    uv_timer_t timer;
    ChildProcess *process;
    UciTalk talk;
    char said[SAID_SIZE]; /* the last line of its standard error */
    bool has_fault;
} Check;

static void PRINTF_LIKE(2, 3) fault(Check *check, const char *format, ...)
{
    char words[700];
    va_list arguments;
    va_start(arguments, format);
    text_format_cut_v(words, sizeof words, format, arguments);
    va_end(arguments);
    check->has_fault = true;
    check->say(check->user, true, words);
}

static void finish(Check *check)
{
    if (check->process)
        child_process_quit(check->process, text_of("quit\n"));
    check->process = NULL;
    if (!uv_is_closing((uv_handle_t *)&check->timer))
        uv_close((uv_handle_t *)&check->timer, NULL);
}

static void check_setting(Check *check, const ExternalSetting *setting)
{
    const UciTalk *talk = &check->talk;
    const char *names[UCI_OPTIONS_MAX];
    int64_t number;
    const UciOption *option = uci_talk_option(talk, setting->name);
    for (size_t i = 0; i < talk->option_count; i++)
        names[i] = talk->options[i].name;
    const char *meant = option ? NULL : did_you_mean(setting->name, names, talk->option_count);
    if (!option)
        fault(check, "it has no option \"%s\"%s%s%s", setting->name,
              meant ? "; did you mean \"" : "", meant ? meant : "", meant ? "\"?" : "");
    else if (option->type == UCI_OPTION_SPIN &&
             !number_parse(setting->value, strlen(setting->value), option->lo, option->hi, &number,
                           NULL))
        fault(check, "option.%s = %s: not within %" PRId64 "..%" PRId64, setting->name,
              setting->value, option->lo, option->hi);
    else if (option->type == UCI_OPTION_CHECK && strcmp(setting->value, "true") != 0 &&
             strcmp(setting->value, "false") != 0)
        fault(check, "option.%s = %s: neither true nor false", setting->name, setting->value);
}

static void check_variant(Check *check, Variant variant)
{
    const UciTalk *talk = &check->talk;
    if (variant == VARIANT_CHESS960 && !uci_talk_option(talk, "UCI_Chess960"))
        fault(check, "variants: it does not play chess960 (it has no option UCI_Chess960)");
    if (variant_is_chess(variant) && !talk->has_variants)
        return;
    if (!talk->has_variants)
        fault(check, "variants: it does not play %s (it has no option UCI_Variant)",
              variant_name(variant));
    else if (!(talk->variants >> variant & 1))
        fault(check, "variants: it does not play %s (\"%s\" is not in its UCI_Variant)",
              variant_name(variant), uci_variant_name(variant));
}

static void check_options(Check *check)
{
    for (size_t i = 0; i < check->config->setting_count; i++)
        check_setting(check, &check->config->settings[i]);
    for (int i = VARIANT_UNKNOWN + 1; i < VARIANT_COUNT; i++) {
        if (config_set_has(check->config->variants, i))
            check_variant(check, (Variant)i);
    }
}

static void external_check_on_line(void *user, Text line)
{
    Check *check = user;
    UciInput input;
    Buf text;
    buf_init(&text, UCI_SAY_MAX);
    bool ok = uci_talk_read(&check->talk, line, &input, &text);
    if (ok && input == UCI_INPUT_UCIOK) {
        check_options(check);
        ok = uci_talk_ping(&check->talk, &text);
    }
    if (ok)
        child_process_say(check->process, (Text){ text.text, text.len });
    buf_release(&text);
    if (input != UCI_INPUT_READY)
        return;
    if (!check->has_fault)
        check->say(check->user, false, check->talk.name);
    finish(check);
}

static void external_check_on_error_line(void *user, Text line)
{
    Check *check = user;
    text_format_cut(check->said, sizeof check->said, "%.*s", TEXT_ARGS(line));
}

static void external_check_on_end(void *user, const char *why)
{
    Check *check = user;
    fault(check, "it has ended: %s%s%s%s", why, check->said[0] ? ": " : "", check->said,
          geteuid() == 0 ? "; check has started it as nobody, and the service's user has no more "
                           "rights: its files and their folders must be readable for all"
                         : "");
    child_process_close(check->process);
    check->process = NULL;
    finish(check);
}

static void external_check_on_timer(uv_timer_t *timer)
{
    Check *check = timer->data;
    fault(check, "no %s in %d s: %s", check->talk.state == UCI_GREETING ? "uciok" : "readyok",
          WAIT_MS / 1000, "is it a UCI engine?");
    finish(check);
}

static bool start(Check *check, Error *err)
{
    const ChildCallbacks callbacks = { .on_line = external_check_on_line,
                                       .on_error_line = external_check_on_error_line,
                                       .on_end = external_check_on_end,
                                       .user = check };
    ChildCommand command;
    Buf text;
    if (!child_command_parse(&command, check->config->command, err))
        return false;
    command.directory = check->config->directory;
    command.as_nobody = true;
    if (!child_command_find(&command, err) ||
        !child_process_new(&check->process, &check->loop, &command,
                           check->config->sandbox ? check->secrets : NULL, &callbacks, err))
        return false;
    buf_init(&text, UCI_SAY_MAX);
    if (uci_talk_greet(&check->talk, &text))
        child_process_say(check->process, (Text){ text.text, text.len });
    buf_release(&text);
    return true;
}

bool external_check(const ExternalConfig *config, const ChildSecrets *secrets,
                    void (*say)(void *user, bool is_fault, const char *words), void *user)
{
    Check check = { .config = config, .secrets = secrets, .say = say, .user = user };
    Error err = { 0 };
    int failure = uv_loop_init(&check.loop);
    if (failure) {
        say(user, true, uv_strerror(failure));
        return false;
    }
    uv_timer_init(&check.loop, &check.timer);
    check.timer.data = &check;
    uci_talk_init(&check.talk);
    if (start(&check, &err)) {
        uv_timer_start(&check.timer, external_check_on_timer, WAIT_MS, 0);
    } else {
        fault(&check, "%s", err.text);
        finish(&check);
    }
    uv_run(&check.loop, UV_RUN_DEFAULT);
    uv_loop_close(&check.loop);
    return !check.has_fault;
}
