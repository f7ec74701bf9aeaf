/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web_assets.h - the files of web/, built into the program. */
#pragma once
#include "engine/base/text.h"

/* "page.css". The empty text where there is no such file. */
Text web_asset(const char *name);
