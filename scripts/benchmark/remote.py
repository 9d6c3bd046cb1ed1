"""The case `remote`: one frame from the middle of a large MP4 on a server."""

from __future__ import annotations

from pathlib import Path

import clips
from contest import PICTURE, Contest, Entrant

TITLE = "One frame of a large MP4 on a server"
INTRODUCTION = f"""\
A video of {clips.MOVIE_SECONDS} s, 1280x720, some 100 MB, 25 frames a second, a key frame every 2 s, B-frames, with
its index (`moov`) at the start or at the end of the file. The frame in the middle is wanted, half a group of pictures
behind a key frame. ffmpeg seeks on its input, which is exact here and its best form."""

DELAYS = [0.0, 0.05]
AT = clips.MOVIE_SECONDS // 2 + 1

prepare = clips.movie


def contests(snap: Path, url: str) -> list[Contest]:
    """The pictures to be taken."""
    found = []
    for source, name in (("index at the start", clips.MOVIE_INDEX_FIRST), ("index at the end", clips.MOVIE_INDEX_LAST)):
        video = f"{url}/{name}"
        ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-ss", str(AT), "-i", video]
        entrants = [
            Entrant("snap", [str(snap), video, "--at", str(AT), "--size", "320", "-o", PICTURE]),
            Entrant("ffmpeg", [*ffmpeg, "-frames:v", "1", "-vf", "scale=320:-2", "-y", PICTURE]),
        ]
        found.append(Contest("thumbnail, 320 px", source, AT * clips.RATE, entrants))
    return found
