#!/usr/bin/env bash
# Takes pictures of all videos in a list on several machines, with GNU parallel over ssh.
#
# Usage: samples/many-machines/parallel.sh LIST HOST[,HOST...] [option of snap batch...] >receipts.ndjson
# Example: parallel.sh videos.txt video1,video2,me@video3 --at 50% -o '/shared/pictures/{stem}.jpg' >receipts.ndjson
#
# Each host needs snap and perl, and must see the videos and the folder for pictures under the same names; the list is
# only read here. A host named : is this machine. SNAP names the command on the hosts, CHUNK the inputs of one call.
set -euo pipefail

list=$1
hosts=$2
shift 2
batch=$(printf '%q ' "${SNAP:-snap}" batch --from-file - --ndjson --progress none "$@")

# --jobs 1: one snap batch a host at a time, which keeps all cores of the host busy by itself.
# --pipe -N: the list goes to them in chunks, each to the next host that is free, so that a slow one holds nothing up.
# --retries: a chunk that failed is sent to another host. Receipts are printed when a chunk is done, those of the last
# attempt only: each input is in them once. (Its "index" counts within a chunk.)
#
# Exit statuses 1 and 3 of snap batch say that all or some inputs failed, which their receipts tell; no other host would
# do better. Any other status, also that of an ssh without a connection, is a chunk to try again.
sort -u "$list" | grep . |
    parallel --pipe -N "${CHUNK:-500}" --jobs 1 --sshlogin "$hosts" --retries 3 \
        "$batch; s=\$?; [ \$s = 1 ] || [ \$s = 3 ] || exit \$s"
