#!/usr/bin/env bash
# Six small pictures of every video in a folder: what a contact sheet, or a page of search results, is made of.
#
# Usage: samples/pipeline.sh [folder with videos] [folder for pictures]
# SNAP names the command; without it, scripts/snap of this checkout runs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
snap=${SNAP:-$here/../scripts/snap}
videos=${1:-$here}
pictures=${2:-thumbnails}
mkdir -p "$pictures"

# Names end in a zero byte on their way, so that spaces and line breaks in them do no harm.
failed=0
while IFS= read -r -d '' video; do
    # One call opens the video once. Percent are of its own length, so short and long ones give as many pictures.
    # The paths of the pictures come out on stdout, one a line; what went wrong comes out on stderr.
    "$snap" "$video" --at 0%,20%,40%,60%,80%,end --size 320x180 -o "$pictures/{stem}-{index}.jpg" || {
        echo "no pictures of $video" >&2
        failed=1
    }
done < <(find "$videos" -maxdepth 1 -type f \( -name '*.mp4' -o -name '*.webm' -o -name '*.ts' \) -print0 | sort -z)
exit $failed
