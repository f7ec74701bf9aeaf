/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_version.h - an external engine as it is at one time: its settings and its file. Games
 * keep the version that they began with, so a version lives as long as one of them uses it. Loop
 * thread only. */
#pragma once
#include "bot/source/external_file.h"
#include "bot/source/external_worker.h"

typedef struct {
    ExternalConfig config;
    ExternalEngine engine; /* with this `config` and this `file` */
    ExternalFile file;
    int held; /* as external_file_hold() gives it */
    int users;
} ExternalVersion;

/* With one user. `engine` is copied, but for its configuration; what it lends outlives the version.
 * Its file is not known yet. */
bool external_version_new(ExternalVersion **out, const ExternalEngine *engine,
                          const ExternalConfig *config, Error *err) MUST_CHECK;

/* The file that it is, from its next process on. `held` is the version's from then on. */
void external_version_set_file(ExternalVersion *version, const ExternalFile *file, int held);

ExternalVersion *external_version_use(ExternalVersion *version);
void external_version_leave(ExternalVersion *version); /* NULL is fine */

/* The tighter of the request's limits and the section's. */
SearchLimits external_version_limit(const ExternalVersion *version, const SearchLimits *limits);

enum { ENGINE_IDENTITY_SIZE = 256 };

/* What was played with, for archive and PGN: "far: Stockfish 15.1 (3f2a91bc0d12) Hash=16". Cut
 * where there are many options; bytes that are no text are left out. */
void external_version_identify(const ExternalVersion *version, const char *program,
                               char out[ENGINE_IDENTITY_SIZE]);
