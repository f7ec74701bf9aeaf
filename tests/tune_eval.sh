#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays a few games, fits weights to them: they come in the form that the build reads, and predict the games' results
# better than before. Broken input is refused by file and line.
#
# Usage: tune_eval.sh SELF_PLAY TUNE_EVAL
set -euo pipefail
self_play=$1 tune_eval=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "tune_eval.sh: $*"; exit 1; }

"$self_play" --games 600 --nodes 40 --seed 5 >positions
"$self_play" --games 600 --nodes 40 --seed 5 | cmp -s - positions || fail "the same seed gave other games"
"$tune_eval" --output weights.inc --epochs 3 --batch 1000 positions >log || fail "no weights"
before=$(sed -n 's/.*before: loss \([0-9.]*\),.*/\1/p' log)
after=$(sed -n 's/^epoch 3: loss \([0-9.]*\),.*/\1/p' log)
awk -v before="$before" -v after="$after" 'BEGIN { exit !(after > 0 && after < before) }' ||
    { cat log; fail "loss did not fall"; }
count=$(sed -n 's/^\([0-9]*\) weights.*/\1/p' log)
[ "$(grep -o 'S(-\?[0-9]*, -\?[0-9]*),' weights.inc | wc -l)" -eq $((count / 2)) ] || fail "weights are missing"

refused() { # LINE MESSAGE
    printf '%s\n' "$1" >broken
    if "$tune_eval" --output none.inc broken 2>message; then fail "took '$1'"; fi
    grep -q "broken: line 1: .*$2" message || { cat message; fail "'$1': not '$2'"; }
    [ ! -e none.inc ] || fail "'$1' wrote weights"
}
refused "" "FEN | score | result"
refused "8/8/8/8/8/8/8/K1k5 w - - 0 1 | 12" "FEN | score | result"
refused "8/8/8/8/8/8/8/K1k5 w - - 0 1 | 12 | 0.7" "FEN | score | result"
refused "8/8/8/8/8/8/8/K1k5 w - - 0 1 | twelve | 0.5" "whole number"
refused "8/8/8/8/8/8/8/K7 w - - 0 1 | 12 | 0.5" "FEN"
refused "| | 1.0" "FEN | score | result"
