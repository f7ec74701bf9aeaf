/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - all parts of a running daemon, and the order in which they are made and ended. Private
 * to bot/daemon. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/account/event_stream.h"
#include "bot/account/online_check.h"
#include "bot/account/remote_lists.h"
#include "bot/account/signon.h"
#include "bot/account/token_expiry.h"
#include "bot/admin/alerts.h"
#include "bot/admin/control_commands.h"
#include "bot/admin/status_page.h"
#include "bot/daemon/service_manager.h"
#include "bot/game/game_set.h"
#include "bot/game/slots.h"
#include "bot/lichess/recording.h"
#include "bot/ops/clock_watch.h"
#include "bot/ops/counters.h"
#include "bot/ops/exit_status.h"
#include "bot/ops/notify.h"
#include "bot/pairing/pairing_shell.h"
#include "bot/policy/engine_names.h"
#include "bot/policy/recent_games.h"

#include <uv.h>

enum { NEW_TYPES_MAX = 16, NEW_TYPE_SIZE = 32 };

typedef struct Daemon Daemon;

struct Daemon {
    uv_loop_t loop;
    uv_timer_t ending; /* set when it is time to end */
    uv_timer_cb on_ending;
    uv_timer_t draining; /* looks whether all games are over */
    uv_timer_t reloading;
    uv_timer_t playing;  /* until it is time to finish */
    int64_t finish_ms;   /* as in PlayTime */
    bool term_drains;    /* likewise, until the first one */
    int64_t reloaded_ms; /* by a signal, the latest time */
    int64_t drained_at_ms;
    uv_work_t first_work;
    uv_signal_t on_term, on_int, on_hup;
    Config *config;
    const char *config_path;
    const char *token; /* NULL once the parts have it */
    int record_file;   /* -1: none, or the recording's */
    uint64_t seed;
    Notify notify;
    Http *http;
    Recording *recording; /* NULL: none */
    Ratelimit limit;
    Slots slots;
    RecentGames recent_games;
    Counters counters;
    EngineNames *engine_names;
    RemoteLists *lists;
    BotContext context;

    Signon *signon;
    TokenExpiry *token_expiry;
    EventStream *events;
    OnlineCheck *online_check;
    GameSet *games;
    ServiceManager *service_manager;
    ControlCommands *control;
    StatusPage *page;
    PairingShell *pairing;
    Alerts *alerts;
    ClockWatch *clock_watch;

    char new_types[NEW_TYPES_MAX][NEW_TYPE_SIZE]; /* of events that we don't know, and have told */
    int new_type_count;
    int part_count; /* so many of `parts` have been made, or were tried */
    bool has_parts; /* all of them */
    bool is_stopping;
    ExitStatus status;
};

/* Makes them from the lowest to the highest. False and an Error, or false alone where a signal came
 * meanwhile; parts_end() then ends those that are there. */
bool parts_make(Daemon *daemon, Error *err) MUST_CHECK;

/* Ends all that was made or tried, from the highest to the lowest; a second call does nothing. The
 * memory goes in close callbacks (I8). */
void parts_end(Daemon *daemon);
