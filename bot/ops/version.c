/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/version.h"

const char *version_text(void)
{
    return CASTLED_VERSION CASTLED_REVISION;
}
