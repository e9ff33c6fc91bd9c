#!/bin/sh
# An array of eight jobs, each with a shard of the run:
#
#     CONFIG=configs/msnbc-s1.yaml sbatch examples/many-machines/slurm-array.sh
#
# When all are done, on any machine that sees their folders:
#
#     shuffle-dp merge results/msnbc-s1-shard-*-of-8 --out results/msnbc-s1
#
# A long test runs this file on a Slurm of one node. It was not tried on a cluster.
#SBATCH --job-name=shuffle-dp
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --requeue

# A job that is requeued, or sent again, goes on from its journal.
exec shuffle-dp run "${CONFIG:?the config to run}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --workers "${SLURM_CPUS_PER_TASK:-1}" \
  --resume
