#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes training games in a Slurm array of 64 tasks with one core each: sbatch slurm.sh. castled-datagen is in the PATH.
# All write into one shared folder; a task that is run again goes on where it ended.
#SBATCH --job-name=castled-datagen
#SBATCH --array=0-63
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=01:10:00
#SBATCH --signal=B:TERM@60
set -euo pipefail
mkdir -p shards
exec castled-datagen --nodes 200 --opening-max 200 --won 800 \
    --seed $((4000 + SLURM_ARRAY_TASK_ID)) --jobs 1 --minutes 60 --out shards
