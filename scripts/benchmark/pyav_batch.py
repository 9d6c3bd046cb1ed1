"""A picture of each video named on standard input, by PyAV with a thread a core: what snap batch is compared with.

It runs with the Python that has PyAV and Pillow. What a careful program would do: each video is opened once, with one
decoder thread, sought to the key frame, and decoded up to the frame that is wanted; the frame is scaled by FFmpeg and
written by Pillow.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import av


def take(video: str, options: argparse.Namespace) -> None:
    with av.open(video) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        stream.thread_type = "NONE"
        if options.keyframe:
            stream.codec_context.skip_frame = "NONKEY"
        at = int(Fraction(options.at) / stream.time_base) + (stream.start_time or 0)
        container.seek(at, stream=stream)
        for frame in container.decode(stream):
            if options.keyframe or frame.pts >= at:
                break
        else:
            raise ValueError(f"{video}: no frame at {options.at} s")
        if options.pictures:
            height = round(frame.height * options.width / frame.width / 2) * 2
            picture = frame.to_image(width=options.width, height=height)
            picture.save(options.pictures / f"{video}.jpg", quality=85)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--at", required=True, help="seconds from the first frame, at which a frame begins")
    parser.add_argument("--keyframe", action="store_true", help="the key frame at or before that time")
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--pictures", type=Path, help="the folder for them; without it, videos are only decoded")
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(lambda video: take(video, options), sys.stdin.read().splitlines()):
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
