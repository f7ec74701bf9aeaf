/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example.h - config/castled.conf.example, written from the tables of keys. */
#pragma once
#include "engine/base/buf.h"

/* Every key with its help, range and default, commented out. False when `out` is full. */
bool example_write(Buf *out) MUST_CHECK;
