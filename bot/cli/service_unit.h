/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_unit.h - the systemd units that play: castled.service, and castled@NAME.service for one
 * of several bots. Where each looks for its files; systemd/castled.service says the same to
 * systemd. Pure text: nothing here looks at the disk. */
#pragma once
#include <stdbool.h>

enum { INSTANCE_NAME_MAX = 64, UNIT_PATH_SIZE = INSTANCE_NAME_MAX + 40 };

typedef struct {
    char instance[INSTANCE_NAME_MAX + 1]; /* "alba"; "": castled.service */
    char name[INSTANCE_NAME_MAX + 12];    /* "castled", "castled@alba" */
    char config_file[UNIT_PATH_SIZE];     /* "/etc/castled/alba.conf" */
    char token_file[UNIT_PATH_SIZE];      /* that systemd hands over: "/etc/castled/alba.token" */
    char state_folder[UNIT_PATH_SIZE];    /* "/var/lib/castled-alba" */
    char runtime_folder[UNIT_PATH_SIZE];  /* "/run/castled-alba" */
} ServiceUnit;

/* The instance of that name. False: no unit can be called so. */
bool service_unit_of_instance(ServiceUnit *out, const char *name);

/* The unit that plays by this configuration, or takes its token from this file. False: none. */
bool service_unit_of_config(ServiceUnit *out, const char *config_file);
bool service_unit_of_token(ServiceUnit *out, const char *token_file);
