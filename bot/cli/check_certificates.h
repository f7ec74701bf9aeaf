/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_certificates.h - by which certificates servers are judged, for `castled check`. */
#pragma once
#include "bot/config/settings.h"

#include <stdio.h>

/* One line about the file that requests would use; where there is none, about the places that were
 * looked at. False: the server cannot be trusted. Nothing is said where the server has no TLS. */
bool check_certificates(FILE *out, const Config *config);
