#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a few games of castled against itself: the same seed gives the same bytes, a run that was ended or killed goes on,
# and what is wrong is said.
#
# Usage: datagen.sh CASTLED_DATAGEN CASTLED_EXPAND NETWORK TEACHER MAKE_POLICY: the network that is built in;
# constant_teacher.c; make_policy.c
set -euo pipefail
datagen=$1 expand=$2 network=$3 teacher=$4 make_policy=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir a b

fail() { echo "datagen.sh: $*"; exit 1; }

make_until() { # FOLDER BYTES: until the shard of seed 5 has this size, then ends the run in its usual way
    "$datagen" --nodes 100 --seed 5 --jobs 2 --out "$1" 2>"$1.log" &
    local run=$!
    for _ in $(seq 2400); do # a bound for hangs: the machine may stand still for long
        sleep 0.05
        [ "$(cat "$1"/selfplay-*-5-0.games.part 2>/dev/null | wc -c)" -lt "$2" ] || break
    done
    kill -TERM $run
    wait $run || { cat "$1.log"; fail "a run that is told to end fails"; }
    [ -z "$(ls "$1"/*.part 2>/dev/null)" ] || fail "a shard has no final name"
}
make_until a 3000
make_until b 1500
make_until b 4000
shard=$(basename a/selfplay-*-5-0.games)
size=$(stat -c %s a/"$shard")
[ "$(stat -c %s b/"$shard")" -ge 4000 ] || fail "the second run did not go on"
shorter=$((size < $(stat -c %s b/"$shard") ? size : $(stat -c %s b/"$shard")))
cmp -n "$shorter" a/"$shard" b/"$shard" || fail "the same seed gave other games"
grep -q 'games, .* positions/s' a.log || fail "no progress"

"$expand" --out records a/*.games >report || fail "no records"
[ "$(stat -c %s records)" -eq $((32 * $(sed -n 's/^records \([0-9]*\),.*/\1/p' report))) ] || fail "records: another size"
[ "$(stat -c %s records)" -gt 0 ] || fail "no record"
grep -q "^$(sha256sum <a/"$shard" | cut -d ' ' -f 1)  $shard$" report || { cat report; fail "no SHA-256 of a shard"; }

# Labels of a teacher, who knows its network by its name, and more positions.
echo constant >constant.nnue
static() { "$expand" --out static --labels static "$@" a/*.games; }
taught=(--teacher "$teacher" --network constant.nnue --k 150)
for beside in "sidelines 0 of a search, 2" "searched 2 of a search, 0"; do
    static "${taught[@]}" --"${beside%% *}" 2 >report || fail "no static labels"
    [ "$(stat -c %s static)" -gt "$(($(stat -c %s records) * 2))" ] || fail "$beside: too few records"
    grep -q "^labels: static evaluation, a teacher's; beside each position ${beside#* } sidelines; 0 perturbed of each$" report ||
        { cat report; fail "static labels: another report"; }
done
few=$(($(stat -c %s static) / 32))
static "${taught[@]}" --searched 2 --perturbed 3 >report || fail "no perturbed positions"
grep -q "2 of a search, 0 sidelines; 3 perturbed of each$" report || { cat report; fail "perturbed: another report"; }
[ "$(stat -c %s static)" -gt "$((few * 32 * 3))" ] || fail "too few perturbed positions"
for file in "$teacher" constant.nnue; do
    grep -q "^$(sha256sum <"$file" | cut -d ' ' -f 1)  ${file##*/}$" report || { cat report; fail "no SHA-256 of $file"; }
done

refuses() { # MESSAGE OPTION...
    if "$expand" --out other "${@:2}" a/*.games 2>message; then fail "took ${*:2}"; fi
    grep -q -e "$1" message || { cat message; fail "${*:2}: another message"; }
}
refuses '--teacher is missing' --labels static
refuses '--teacher and --network belong together' --labels static --teacher "$teacher"
refuses 'either --searched or --sidelines' --labels static "${taught[@]}" --searched 2 --sidelines 2
refuses 'more than 16 to a position' --labels static "${taught[@]}" --searched 4 --perturbed 3
refuses 'are for --labels static' --sidelines 2
refuses 'are for --labels static' --perturbed 1
refuses 'are for --labels static' --labels raw --searched 2
refuses '--labels: best: none of smooth, raw, static' --labels best
refuses 'report: not constant.nnue' --labels static --teacher "$teacher" --network report --k 150
refuses 'report: ' --labels static --teacher ./report --network constant.nnue --k 150

own() { # FOLDER OPTION...: games of castled against itself
    "$datagen" --nodes 50 --out "$@" 2>"$1.log" || { cat "$1.log"; fail "own games: $*"; }
}
mkdir cut whole
"$datagen" --nodes 50 --seed 7 --out cut 2>/dev/null &
run=$!
for _ in $(seq 2400); do
    sleep 0.05
    [ "$(cat cut/selfplay-*-7-0.games.part 2>/dev/null | wc -c)" -lt 2000 ] || break
done
kill -KILL $run
wait $run 2>/dev/null && fail "a killed run succeeds"
truncate -s -3 cut/selfplay-*.part
own cut --seed 7 --games 1
games_of() { # SHARD
    "$expand" --k 150 --out other "$1" >report || fail "$1: no records"
    sed -n 's/^  games \([0-9]*\):.*/\1/p' report
}
games=$(games_of cut/selfplay-*.games)
[ "$games" -ge 1 ] || fail "no games were left of the killed run"
own cut --seed 7 --games $((games + 3))
own whole --seed 7 --games $((games + 3))
grep -q ', 0 s left' whole.log || { cat whole.log; fail "no time left"; }
cmp cut/selfplay-*.games whole/selfplay-*.games || fail "a killed run went on with other games"
[ "$(games_of whole/selfplay-*.games)" -eq $((games + 3)) ] || fail "another number of games"
"$expand" --out own.rec whole/*.games >report || fail "own games: no records"
grep -q '^selfplay games, castled [^ ]*-[0-9a-f]*, 50 nodes' report || { cat report; fail "no network in the header"; }
mkdir by-file
own by-file --seed 7 --games 3 --network "$network"
name=$(basename whole/*.games)
cmp -n "$(stat -c %s by-file/"$name")" by-file/"$name" whole/"$name" || fail "the network that is built in has another name"

# A variant: its records have two halves, and its network another set of rules than that of chess.
mkdir variant
own variant --variant crazyhouse --seed 7 --games 4
"$expand" --out variant.rec variant/crazyhouse-*.games >report || fail "a variant's games: no records"
[ "$(stat -c %s variant.rec)" -eq $((64 * $(sed -n 's/^records \([0-9]*\),.*/\1/p' report))) ] || fail "a variant's records: another size"
"$expand" --out variant.rec --labels static --sidelines 2 --k 400 variant/*.games >report || fail "a variant's static labels"
if "$expand" --out other --labels static --perturbed 1 --k 400 variant/*.games 2>message; then fail "perturbed a variant's"; fi
grep -q 'perturbed is for chess, not for crazyhouse' message || { cat message; fail "perturbed: another message"; }
if "$expand" --out other whole/*.games variant/*.games 2>message; then fail "took games of two sets of rules"; fi
grep -q 'games of crazyhouse among those of chess' message || { cat message; fail "two sets of rules: another message"; }
if "$datagen" --variant atomic --nodes 50 --seed 1 --games 1 --network "$network" --out variant 2>message; then
    fail "took a network of other rules"
fi
grep -q -- '--network: of chess, not of atomic' message || { cat message; fail "other rules: another message"; }

# Games end at once, so there are many starts: 12 % of them Chess960, 5 % endgames.
mkdir starts
own starts --seed 8 --games 200 --won 1 --opening-max 32000
python3 - starts/*.games <<'PYTHON'
import struct
import sys

data = open(sys.argv[1], "rb").read()
at, kinds = 256, {"usual": 0, "chess960": 0, "endgame": 0}
while at < len(data):
    occupied, packed = struct.unpack_from("<Q16s", data, at)
    men = bin(occupied).count("1")
    rank = [packed[i // 2] >> 4 * (i % 2) & 15 for i in range(8)]
    kinds["endgame" if men < 32 else "usual" if rank == [3, 1, 2, 4, 5, 2, 1, 3] else "chess960"] += 1
    at += 32
    while data[at:at + 4] != bytes(4):
        at += 4
    at += 4
if sum(kinds.values()) != 200 or kinds["usual"] < 100 or kinds["chess960"] < 5 or kinds["endgame"] < 1:
    sys.exit(f"datagen.sh: starts of 200 games: {kinds}")
PYTHON

# Games with labels by networks of people's moves: theirs, and people's.
mkdir nets human
for rating in 1100 1500; do "$make_policy" nets/net-$rating.pb.gz; done
human() { # OPTION...
    "$datagen" --kind human --teachers nets --out human "$@" 2>human.log || { cat human.log; fail "--kind human $*"; }
}
human --seed 3 --games 1
grep -q '^256 games, ' human.log || { cat human.log; fail "a set has another size"; }
[ "$(wc -l <human/play-3-0.tsv)" -eq 256 ] || fail "a set has not a line for each game"
cp human/play-3-0.tsv whole.tsv
human --seed 3 --games 257 --jobs 1
grep -q '^256 games, ' human.log || { cat human.log; fail "a set was made twice"; }
cmp human/play-3-0.tsv whole.tsv || fail "a set that was there changed"
cmp -s human/play-3-1.tsv whole.tsv && fail "two sets are the same"
for _ in $(seq 300); do printf '1200\t1600\t600+0\t1-0\tf2f3 e7e5 g2g4 d8h4\n'; done >people.tsv
human --people people.tsv --jobs 2
[ "$(cat human/people-0.tsv human/people-1.tsv | grep -c $'^labels\tf2f3;1100 .*\te7e5;1500 ')" -eq 300 ] ||
    fail "people's games have no labels"
mkdir exact
head -n 256 people.tsv >exact.tsv
human --people exact.tsv --out exact
[ "$(ls exact)" = people-0.tsv ] || fail "behind a whole set there is another, without games"
"$datagen" --kind human --teachers nets --out human --seed 4 2>human.log &
run=$!
for _ in $(seq 2400); do
    sleep 0.05
    [ ! -e human/play-4-0.tsv ] || break
done
kill -TERM $run
wait $run || { cat human.log; fail "labels that are told to end fail"; }
[ -z "$(ls human/*.part 2>/dev/null)" ] || fail "a part of a set was left"

# The whole usage, to its last line.
"$datagen" --help >help && grep -q '^usage: castled-datagen' help && grep -q '^  --won CP' help || fail "--help"
"$expand" --help >help && grep -q '^usage: castled-expand' help && grep -q '^  --score-max CP' help || fail "expand --help"

refused() { # MESSAGE OPTION...
    local text=$1
    shift
    if "$datagen" "$@" </dev/null 2>message; then fail "took $*"; fi
    grep -q -- "$text" message || { cat message; fail "$*: not '$text'"; }
}
refused '--nodes is missing'
refused '--kind: dogs: neither own nor human' --kind dogs
refused '--teachers is missing' --kind human --seed 1 --out a
refused '--nodes: not of this kind' --kind human --teachers nets --seed 1 --out a --nodes 5
refused '--seed: not of this kind' --kind human --teachers nets --people people.tsv --out a --seed 1
refused '--people: not of this kind' --nodes 5 --seed 1 --out a --people people.tsv
refused 'nowhere' --kind human --teachers nowhere --seed 1 --out human
refused 'people-none' --kind human --teachers nets --people people-none --out human
refused '--variant: chequers is no variant' --variant chequers --nodes 100 --seed 1 --out a
refused 'castled-datagen --help tells its usage'
refused '--speed: no such option' --speed 3
refused '-v: no such option' -v
refused '--nodes: its value is missing' --nodes
refused '--nodes: "many" is not a whole number' --nodes many
refused '--seed is missing' --nodes 100 --out a
refused 'not an option' --nodes 100 --seed 1 --out a a/"$shard"
refused 'not within' --nodes 0 --seed 1 --out a
refused 'none/' --nodes 100 --seed 1 --out none
echo "1. e4 e5" >games
if "$expand" --out records games 2>message; then fail "took text for a shard"; fi
grep -q 'games: no shard' message || { cat message; fail "text as a shard: another message"; }
