"""The case `hls`: one frame of a recorded HLS stream with three variants, 41 s into it."""

from __future__ import annotations

from pathlib import Path

import clips
from contest import PICTURE, Budget, Contest, Entrant

TITLE = "One frame of an HLS stream"
INTRODUCTION = """\
A stream of 60 s in 4 s segments, 25 frames a second, a key frame every 2 s, B-frames, in three variants: 960x540 at
1.5 Mbit/s (listed first), 640x360 at 600 kbit/s and 256x144 at 150 kbit/s; once as MPEG-TS, once as fragmented MP4. The
frame at 41 s is wanted: 1 s into the eleventh segment, half a group of pictures behind a key frame.

ffmpeg runs in the best form that was found for each picture: with `-http_multiple 0`, so that it doesn't fetch the next
segments ahead. *ffmpeg, master* gets the same URL as snap and is told which of the variants to take; *ffmpeg, variant*
gets that variant's own playlist, which somebody has to look up first; *ffmpeg, from the start* decodes all that comes
before, as seeking in fragmented MP4 brings it no picture."""

AT = 41
FRAME = AT * clips.RATE
KEY_AT = AT // clips.GROUP_SECONDS * clips.GROUP_SECONDS

DELAYS = [0.0, 0.05]

# The playlists, an initialization section or a key, and a segment.
REQUESTS = 4

prepare = clips.ladder


def contests(snap: Path, url: str) -> list[Contest]:
    """The pictures to be taken."""
    largest, middle, smallest = clips.RUNGS
    chosen = [
        ("thumbnail, 256 px", smallest, 256, Budget(requests=REQUESTS, received=60_000, seconds=0.3)),
        ("thumbnail, 320 px", middle, 320, Budget(requests=REQUESTS)),
        ("full size", largest, None, Budget(requests=REQUESTS)),
    ]
    found = []
    for source, folder in (("MPEG-TS", f"{url}/ts"), ("fMP4", f"{url}/fmp4")):
        for picture, rung, size, budget in chosen:
            entrants = [_snap(snap, folder, size), *_ffmpeg(folder, rung, size)]
            found.append(Contest(picture, source, FRAME, entrants, budget))
        entrants = [_snap(snap, folder, 320, "--keyframe"), *_ffmpeg(folder, middle, 320, key_frame=True)]
        budget = Budget(requests=REQUESTS)
        found.append(Contest("key frame, 320 px", source, KEY_AT * clips.RATE, entrants, budget))
    return found


def _snap(snap: Path, folder: str, size: int | None, *more: str) -> Entrant:
    scaling = ["--size", str(size)] if size else []
    return Entrant("snap", [str(snap), f"{folder}/master.m3u8", "--at", str(AT), *more, *scaling, "-o", PICTURE])


def _ffmpeg(folder: str, rung: clips.Rung, size: int | None, key_frame: bool = False) -> list[Entrant]:
    quiet = ["ffmpeg", "-nostdin", "-v", "error", "-http_multiple", "0"]
    scaling = ["-vf", f"scale={size}:-2"] if size else []
    # Passed through, so that the frame before the time asked for isn't taken for one that is too early to be written.
    end = ["-fps_mode", "passthrough", "-frames:v", "1", *scaling, "-y", PICTURE]
    keys = ["-skip_frame", "nokey"] if key_frame else []
    seek = [*keys, *(["-noaccurate_seek"] if key_frame else []), "-ss", str(AT)]
    master, variant = f"{folder}/master.m3u8", f"{folder}/{rung.name}/index.m3u8"
    mapped = ["-map", f"0:v:{clips.RUNGS.index(rung)}"]
    entrants = [
        Entrant("ffmpeg, master", [*quiet, *seek, "-i", master, *mapped, *end]),
        Entrant("ffmpeg, variant", [*quiet, *seek, "-i", variant, *end]),
    ]
    if folder.endswith("fmp4"):
        seek_output = ["-ss", str(KEY_AT if key_frame else AT)]
        entrants.append(Entrant("ffmpeg, from the start", [*quiet, *keys, "-i", variant, *seek_output, *end]))
    return entrants
