/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shard_pool.h - all shards of a folder, as copied together from many machines. One thread. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdio.h>

/* Compares each finished shard with its last line in the manifest, then prints what expand.h
 * reports about all of them, growing ones included. False and an Error when a shard is damaged,
 * differs from its line or has none. */
bool shard_pool_check(const char *folder, FILE *report, Error *err) MUST_CHECK;

/* The SHA-256 in hex of the last line about the shard that has one: shards that went on have
 * several lines. A view of the manifest, whose text may be anything; empty: there is none. */
Text shard_manifest_hash(const char *manifest, const char *name);
