/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/variant_start.h"

#include "engine/core/variant_rules.h"

const char *variant_start_fen(Variant variant)
{
    return variant_rules_table[variant_ruleset(variant)].start_fen;
}

bool variant_start_read(Position *out, Variant variant, const char *fen, FenMode mode, int *dropped,
                        Error *err)
{
    if (variant == VARIANT_UNKNOWN) {
        error_set(err, ERR_INVALID, "the rules of this variant are not known");
        return false;
    }
    const char *text = fen && fen[0] != '\0' ? fen : variant_start_fen(variant);
    if (!fen_read_as(out, variant_ruleset(variant), text, mode, dropped, err))
        return false;
    if (variant == VARIANT_CHESS960)
        out->rules.chess960 = true;
    return true;
}
