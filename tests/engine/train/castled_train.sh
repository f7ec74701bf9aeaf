#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Trains a small network from the command line and lets it play: the same command gives the same
# network with any number of threads, the manifest says what it came from, and wrong arguments are
# refused with a reason.
#
# Usage: castled_train.sh CASTLED_TRAIN DUEL
set -euo pipefail
train=$1 duel=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "castled_train.sh: $*"; exit 1; }

# 3,000 positions of two kings, pawns and a rook: the score is what the rook is worth.
python3 - >records <<'PYTHON'
import random
import struct
import sys

random.seed(1)
for number in range(3000):
    rook_colour = random.randrange(2)
    pieces = [5, 11, 6 * rook_colour + 3] + [6 * random.randrange(2) for _ in range(6)]
    squares = random.sample(range(8, 56), len(pieces))
    board = sorted(zip(squares, pieces))
    codes = [piece for _, piece in board] + [0] * (32 - len(board))
    packed = bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 32, 2))
    flags = random.randrange(2) | (2 if number % 10 == 0 else 0)
    sys.stdout.buffer.write(struct.pack("<Q16shBBBBH", sum(1 << square for square in squares), packed,
                                        -400 if rook_colour else 400, 2 - 2 * rook_colour, flags, 64, 0, 20))
PYTHON

run() { "$train" --width 64 --buckets 8 --passes 30 --batch 200 --reference "${reference:-}" "$@"; }

# Without --reference the network that is built in gives the scale.
"$train" --width 64 --passes 30 --batch 200 --output first --generation t1 --threads 1 records >log ||
    { cat log; fail "no network"; }
for file in first.nnue first.txt first.checkpoint; do
    [ -s "$file" ] || fail "no $file"
done
grep -q "^records: records, 3000 positions, SHA-256 $(sha256sum records | cut -d' ' -f1)$" first.txt ||
    { cat first.txt; fail "the manifest does not name the records"; }
grep -q "^network: t1-[0-9a-f]\{8\}$" first.txt || fail "the manifest does not name the network"
before=$(sed -n 's/^pass 1: .*validation \([0-9.]*\),.*/\1/p' first.txt)
after=$(sed -n 's/^pass 30: .*validation \([0-9.]*\),.*/\1/p' first.txt)
awk -v before="$before" -v after="$after" 'BEGIN { exit !(after > 0 && after < before / 2) }' ||
    { cat log; fail "the loss did not fall"; }

reference=first.nnue
run --output one --threads 1 records >log || { cat log; fail "no network with a reference"; }
run --output two --threads 2 records >log
cmp one.nnue two.nnue || fail "two threads gave another network"
run --output one --threads 1 --continue records >log || fail "did not go on from the end"
cmp one.nnue two.nnue || fail "going on from the end gave another network"

printf 'labels: static\n\nselfplay games\n' >report
run --output three --passes 1 --from one.nnue --note "a test" --notes report records >log ||
    { cat log; fail "did not go on from a network"; }
grep -q "^from: one.nnue, SHA-256 $(sha256sum one.nnue | cut -d' ' -f1)$" three.txt ||
    fail "the manifest does not name where it went on from"
[ "$(grep "^note: " three.txt)" = "$(printf 'note: a test\nnote: labels: static\nnote: selfplay games')" ] ||
    { cat three.txt; fail "the manifest lacks notes"; }
if run --output three --passes 1 --continue records >log 2>reason; then fail "went on without --from"; fi
grep -q "began with other weights (--from)" reason || { cat reason; fail "--from: another message"; }
begun=$(sed -n 's/^pass 1: .*validation \([0-9.]*\),.*/\1/p' three.txt)
awk -v begun="$begun" -v before="$before" 'BEGIN { exit !(begun < before / 2) }' ||
    { cat log; fail "--from did not begin where the network was"; }

# Training finer king buckets begins where the coarser ones ended.
run --king-buckets 8 --output finer --passes 1 --rate 1 --from one.nnue records \
    >log || { cat log; fail "finer king buckets did not begin with coarser ones"; }
grep -q "^shape: 768hmx8-(64)x2-16-32-1x8$" finer.txt || { cat finer.txt; fail "the manifest hides the shape"; }
ended=$(sed -n 's/^pass 30: .*validation \([0-9.]*\),.*/\1/p' one.txt)
begun=$(sed -n 's/^pass 1: .*validation \([0-9.]*\),.*/\1/p' finer.txt)
awk -v begun="$begun" -v ended="$ended" 'BEGIN { exit !(begun < ended + 0.002) }' ||
    fail "loss $ended of coarser king buckets, $begun of finer ones that began with them"

run --activation products --width 128 --output pairs --passes 10 records >log || { cat log; fail "no products"; }
grep -q "^shape: 768hmx4-(128p)x2-16-32-1x8$" pairs.txt || { cat pairs.txt; fail "the manifest hides products"; }

# What others learn comes and goes as parameters.
run --output begin --passes 0 --from one.nnue records >log || { cat log; fail "did not write what it began with"; }
grep -q "^no pass: validation 0" begin.txt || { cat begin.txt; fail "no loss without a pass"; }
run --output again --passes 0 --begin begin.floats records >log || { cat log; fail "did not take parameters"; }
cmp begin.floats again.floats || fail "parameters that nothing trained changed"
grep -q "^begin: begin.floats, SHA-256 $(sha256sum begin.floats | cut -d' ' -f1)$" again.txt ||
    fail "the manifest does not name the parameters"

echo "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -" >openings.epd
"$duel" --nodes 50 --pairs 1 --openings openings.epd EvalFile=one.nnue -- EvalFile=pairs.nnue |
    grep -q "^+[0-9] =[0-9] -[0-9] pairs" || fail "the networks did not play"

"$train" --help >help && grep -q "^usage: castled-train" help && grep -q "^  --help" help || fail "--help"

refused() { # MESSAGE ARGUMENT...
    local message=$1
    shift
    if "$train" --output none "$@" 2>reason >/dev/null; then fail "took '$*'"; fi
    grep -q -- "$message" reason || { cat reason; fail "'$*': not '$message'"; }
    [ ! -e none.nnue ] || fail "'$*' wrote a network"
}
refused "no file of records"
refused "castled-train --help tells its usage"
refused "--speed: no such option" --speed 3 records
refused "--width: its value is missing" --width
refused "--passes: \"all\" is not a whole number" --passes all records
refused "not within 0..10000" --passes -1 records
refused "either --from or --begin" --from one.nnue --begin begin.floats records
refused "bytes, where the parameters of this shape take" --begin begin.floats records
{ printf '\0\0\300\177' && tail -c +5 begin.floats; } >nan.floats
refused "parameter 0 is nan, not within" --width 64 --buckets 8 --begin nan.floats records
refused "a width of 96: not a multiple of 64" --width 96 records
refused "3 output buckets" --buckets 3 records
refused "missing" missing
refused "missing.nnue" --from missing.nnue records
refused "no notes: cannot be opened" --notes "no notes" records
refused "one.nnue: no text" --notes one.nnue records
refused "has width 64 of squares, 4 king and 8 output buckets: nothing to begin 128" --from one.nnue records
refused "nothing to begin 256 of products" --activation products --width 256 --buckets 8 --from one.nnue records
refused "a width of 64: not a multiple of 128" --activation products --width 64 records
refused "cubes is neither squares nor products" --activation cubes records
refused "5 king buckets: not 4 or 8" --king-buckets 5 records
head -c 100 records >cut
refused "not a multiple of 32" cut
refused "none.checkpoint" --continue records
if "$duel" --openings openings.epd EvalFile=records 2>reason; then fail "duel took records for a network"; fi
grep -q "not a network" reason || fail "duel does not say why it refuses"
