#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes training games on several machines by GNU parallel over ssh: 64 seeds, as many at once as each machine has
# cores. castled-datagen and stockfish are in the PATH of each. A seed that is run again goes on where it ended.
set -euo pipefail
hosts=host1,host2

parallel --sshlogin "$hosts" nice -n 19 castled-datagen --kind teacher --teacher stockfish --nodes 250 \
    --seed '{}' --jobs 1 --minutes 60 --out shards ::: {4000..4063}

# Pool them. Each machine has a manifest of its own: their lines are put together.
mkdir -p pool
for host in ${hosts//,/ }; do
    rsync -a --exclude manifest.txt "$host:shards/" pool/
    # shellcheck disable=SC2029 # the folder's name is meant for the other side
    ssh "$host" cat shards/manifest.txt >>pool/manifest.txt
done
castled-datagen --check pool
