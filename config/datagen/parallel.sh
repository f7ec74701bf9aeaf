#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes training games on several machines by GNU parallel over ssh, for an hour on all cores of each. castled-datagen,
# the same build, is in the PATH of each. Every machine has seeds of its own, one for each core: run again, it goes on
# where it ended.
set -euo pipefail
hosts=(host1 host2)
seeds=(4000 5000)

parallel -j0 --tag --line-buffer "ssh {1} 'mkdir -p shards && nice -n 19 castled-datagen --nodes 200 \
    --opening-max 200 --won 800 --seed {2} --jobs \$(nproc) --minutes 60 --out shards'" \
    ::: "${hosts[@]}" :::+ "${seeds[@]}"

# Pool what is finished.
mkdir -p pool
for host in "${hosts[@]}"; do
    rsync -a --include '*.games' --exclude '*' "$host:shards/" pool/
done
