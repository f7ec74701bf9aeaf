/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_networks.h - the networks of people's moves that the configuration names, each loaded once
 * for all games. Loop thread only, but for the networks themselves: any thread reads them. */
#pragma once
#include "bot/config/settings.h"
#include "bot/ops/log.h"
#include "engine/human/policy_network.h"

typedef struct HumanNetworks HumanNetworks;

/* None yet. The caller frees, when no engine has a network of them any more. */
bool human_networks_new(HumanNetworks **out, Log *log, Error *err) MUST_CHECK;
void human_networks_free(HumanNetworks *networks); /* NULL is fine */

/* The network in a file, or in a folder (policy_folder.h) the one for a mover of rating `elo`.
 * The first time takes some 10 ms, in a folder for each of its networks; they stay as they were
 * then. NULL: it cannot be read, which is logged once, and tried again a minute later at the
 * earliest. */
const PolicyNetwork *human_networks_get(HumanNetworks *networks, const char *path, int elo);
