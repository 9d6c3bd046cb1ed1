#!/usr/bin/env bash
# Takes pictures of all videos in a list on a Slurm cluster, a shard of the list in each task of an array job.
#
# Usage: sbatch --array=1-64 slurm.sh LIST FOLDER [option of snap batch...]
# Example: sbatch --array=1-64 slurm.sh /shared/videos.txt /shared/out --at 50% --size 320
#
# The list, the videos and the folder must be on storage that all nodes share. A task whose node fails or is taken away
# goes back into the queue and on from where it was. One that ran out of time is started again by hand, and told how
# many shards there were: SHARDS=64 sbatch --array=17 slurm.sh, with the same arguments.
#SBATCH --job-name=snap
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
# To snap, shortly before the time is up: it removes what is half done, and the journal knows the rest.
#SBATCH --signal=TERM@30
set -euo pipefail

list=$1
folder=$2
shift 2
shard=$SLURM_ARRAY_TASK_ID
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p "$folder"/{pictures,journals,receipts}

# Receipts are appended: a task that runs again adds those of what was left.
status=0
srun --cpus-per-task "$SLURM_CPUS_PER_TASK" "${SNAP:-snap}" batch \
    --from-file "$list" --shard "$shard/$shards" \
    --jobs "$SLURM_CPUS_PER_TASK" --max-memory 1500M \
    --journal "$folder/journals/$shard-of-$shards" --resume --ndjson --progress none \
    -o "$folder/pictures/{stem}.jpg" "$@" >>"$folder/receipts/$shard-of-$shards.ndjson" || status=$?

# All or some inputs failed: their receipts say why, and the task is done all the same.
[[ $status == 1 || $status == 3 ]] || exit "$status"
