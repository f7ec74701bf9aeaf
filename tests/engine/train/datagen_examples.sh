#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the examples of config/datagen as they stand, but for two games a seed: the program takes their options, a second
# run goes on, and what the machines made makes one pool. Programs of the same names stand for ssh, rsync and parallel.
#
# Usage: datagen_examples.sh CASTLED_DATAGEN CASTLED_EXPAND FOLDER_OF_EXAMPLES
set -euo pipefail
datagen=$1 expand=$2 examples=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/host1" "$scratch/host2" "$scratch/slurm"
export PATH="$scratch/bin:$PATH" scratch

fail() { echo "datagen_examples.sh: $*"; exit 1; }

program() { # NAME: its text is on standard input
    cat >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
program castled-datagen <<PROGRAM
#!/bin/sh
exec "$datagen" "\$@" --games 2
PROGRAM
program nproc <<'PROGRAM'
#!/bin/sh
echo 2
PROGRAM
program ssh <<'PROGRAM'
#!/bin/sh
cd "$scratch/$1" && shift && exec sh -c "$*"
PROGRAM
program rsync <<'PROGRAM'
#!/bin/sh
[ "$1 $2 $3 $4 $5" = "-a --include *.games --exclude *" ] || exit 1
cp "$scratch/${6%%:*}"/shards/*.games "$7"
PROGRAM
program parallel <<'PROGRAM'
#!/usr/bin/env python3
import subprocess
import sys

arguments = sys.argv[1:]
assert arguments[:3] == ["-j0", "--tag", "--line-buffer"], arguments
command = arguments[3]
first, second = arguments.index(":::"), arguments.index(":::+")
for one, two in zip(arguments[first + 1:second], arguments[second + 1:]):
    subprocess.run(command.replace("{1}", one).replace("{2}", two), shell=True, check=True)
PROGRAM

games_are() { # FOLDER SEED: two games in the shard
    "$expand" --k 150 --out "$scratch/records" "$1"/selfplay-*-"$2"-0.games >"$scratch/report" || fail "$1: no records of seed $2"
    grep -q '^  games 2:' "$scratch/report" || { cat "$scratch/report"; fail "$1: no two games of seed $2"; }
}

cd "$scratch"
for run in first second; do
    bash "$examples/parallel.sh" 2>log || { cat log; fail "parallel.sh: the $run run"; }
done
for seed in 4000 4001 5000 5001; do
    games_are pool $seed
done
[ "$(ls pool | wc -l)" -eq 4 ] || { ls pool; fail "parallel.sh: another number of shards"; }
grep -q '^selfplay games, castled .* 200 nodes' report || { cat report; fail "another kind of games"; }

cd slurm
SLURM_ARRAY_TASK_ID=3 bash "$examples/slurm.sh" 2>../log || { cat ../log; fail "slurm.sh"; }
games_are shards 4003

cd "$scratch"
mkdir shards
command=$(sed -n '/^ *- exec/,/^ *resources:/p' "$examples/kubernetes.yaml" | sed 's/^ *- //; /resources:/d' | tr '\n' ' ')
JOB_COMPLETION_INDEX=5 bash -c "${command//\/shards/$scratch/shards}" 2>log || { cat log; fail "kubernetes.yaml: $command"; }
games_are shards 4005
