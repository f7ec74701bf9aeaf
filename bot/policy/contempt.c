/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/contempt.h"

#include "engine/base/minmax.h"

int contempt_cp(int our_rating, int their_rating)
{
    if (our_rating <= 0 || their_rating <= 0)
        return 0;
    int difference = int_clamp(our_rating - their_rating, 0, CONTEMPT_CAP_DIFFERENCE);
    return CONTEMPT_CAP_CP * difference / CONTEMPT_CAP_DIFFERENCE;
}
