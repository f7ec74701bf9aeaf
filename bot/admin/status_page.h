/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_page.h - the status for browsers and for Prometheus, where [status] page says: / is a
 * page, /metrics what metrics.h writes, /status.json what `castled status --json` says. It shows
 * and does nothing. Loop thread only. */
#pragma once
#include "bot/admin/status_report.h"

typedef struct StatusPage StatusPage;

/* A place that can't be used is logged, and the daemon does without; so is one that others can
 * reach. NULL in *out where it is off. False only without memory. */
bool status_page_new(StatusPage **out, const StatusView *view, Error *err) MUST_CHECK;

/* NULL is fine. */
void status_page_close(StatusPage *page);
