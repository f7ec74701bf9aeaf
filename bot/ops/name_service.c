/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/name_service.h"

#if defined(CASTLED_STATIC) && defined(__GLIBC__)
    #include <nss.h>

void name_service_choose(void)
{
    /* Both are part of glibc itself since 2.34. It fails without memory only. */
    (void)__nss_configure_lookup("hosts", "files dns");
    (void)__nss_configure_lookup("passwd", "files");
    (void)__nss_configure_lookup("group", "files");
}
#else
void name_service_choose(void)
{
}
#endif
