/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_commands.h - the operator's commands to the running daemon over the control socket.
 *     status              how the bot is doing, see status_json.h
 *     game ID [PLIES]    this game with its moves after that many, see game_json.h
 *     drain [SECONDS]     no more games; those that run are played to their end, or for SECONDS
 *     resume              not any more: games begin again
 *     reload              reads the configuration again: { file, changes [..] or problems [..] }
 *     log-level LEVEL     until the next reload; answered with { from, to }
 *     engine-use NAME     games that begin from now on have this external engine; all: as
 * configured abort|resign|draw [GAME]    see game_orders.h say GAME TEXT               see
 * game_orders.h challenge WORDS     (challenge_request.h) answered when it is a game, or is none
 *     schedule UNIX-SECONDS GAMES WORDS       the same at that time; answered with its number
 *     unschedule NUMBER       and not any more
 *     tournament join|leave ID [password=WORD] [team=ID]   answered when we are in, or out
 * Loop thread only. */
#pragma once
#include "bot/pairing/pairing_shell.h"
#include "bot/admin/status_json.h"

typedef struct ControlCommands ControlCommands;

typedef struct {
    StatusView view;
    GameSet *games;
    PairingShell *pairing;
    /* Everything is to end once no game runs any more, or at `deadline_ms` (INT64_MAX: whenever).
     */
    void (*on_drain)(void *user, int64_t deadline_ms);
    /* Games are to begin again; false and an Error: they are not kept from it, or it is too late.
     */
    bool (*on_resume)(void *user, Error *err);
    /* The configuration is to be read again; false: it stays as it was. See reload.h for `lines`.
     */
    bool (*on_reload)(void *user, Buf *lines);
    const char *config_path; /* lent */
    void *user;
} ControlCommandsOptions;

/* Listens where the configuration says. A place that can't be used is logged, and the daemon does
 * without. False only without memory. */
bool control_commands_new(ControlCommands **out, const ControlCommandsOptions *options,
                          Error *err) MUST_CHECK;

/* NULL is fine. */
void control_commands_close(ControlCommands *op);
