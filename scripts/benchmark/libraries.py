"""Pictures of one video by a Python library: PyAV, OpenCV or decord, which snap is compared with.

It runs with the Python that has them, and prints what the work took as JSON: the interpreter's start and the imports,
which a service does once, are left out. Each is used in its best way that is exact, with as many threads as it likes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

# Wider than high, as all videos here are.
SHAPE = Fraction(9, 16)


def by_pyav(video: str, times: list[Fraction], width: int | None, is_keyframe: bool) -> Iterator[object]:
    with av.open(video) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        if is_keyframe:
            stream.codec_context.skip_frame = "NONKEY"
        for each in times:
            at = int(each / stream.time_base) + (stream.start_time or 0)
            container.seek(at, stream=stream)
            frame = next(frame for frame in container.decode(stream) if is_keyframe or frame.pts >= at)
            size = {"width": width, "height": int(width * SHAPE)} if width else {}
            yield lambda path, frame=frame, size=size: frame.to_image(**size).save(path, quality=85)


def by_opencv(video: str, times: list[Fraction], width: int | None, rate: int) -> Iterator[object]:
    capture = cv2.VideoCapture(video)
    for each in times:
        capture.set(cv2.CAP_PROP_POS_FRAMES, int(each * rate))
        found, frame = capture.read()
        if not found:
            raise ValueError(f"{video}: no frame at {each}")
        if width:
            frame = cv2.resize(frame, (width, int(width * SHAPE)), interpolation=cv2.INTER_AREA)
        yield lambda path, frame=frame: cv2.imwrite(str(path), frame, [cv2.IMWRITE_JPEG_QUALITY, 85])


def by_decord(video: str, times: list[Fraction], width: int | None, rate: int) -> Iterator[object]:
    size = {"width": width, "height": int(width * SHAPE)} if width else {}
    reader = decord.VideoReader(video, **size)
    for each in times:
        frame = reader[int(each * rate)].asnumpy()
        yield lambda path, frame=frame: Image.fromarray(frame).save(path, quality=85)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=["pyav", "opencv", "decord"])
    parser.add_argument("video")
    parser.add_argument("--at", required=True, help="seconds, with commas between them, at which frames begin")
    parser.add_argument("--rate", type=int, required=True, help="frames a second, for those that count frames")
    parser.add_argument("--keyframe", action="store_true", help="the key frame at or before that time: PyAV only")
    parser.add_argument("--width", type=int, help="of the pictures; as the video is when not given")
    parser.add_argument("--pictures", type=Path, required=True, help="the folder for 1.jpg, 2.jpg and so on")
    options = parser.parse_args()

    times = [Fraction(word) for word in options.at.split(",")]
    global Image, av, cv2, decord
    if options.library == "pyav":
        import av
        import PIL.JpegImagePlugin  # the first picture would load it
    elif options.library == "opencv":
        import cv2
    else:
        import decord
        import PIL.JpegImagePlugin
        from PIL import Image

    started, used = time.perf_counter(), os.times()
    if options.library == "pyav":
        pictures = by_pyav(options.video, times, options.width, options.keyframe)
    elif options.library == "opencv":
        pictures = by_opencv(options.video, times, options.width, options.rate)
    else:
        pictures = by_decord(options.video, times, options.width, options.rate)
    for number, write in enumerate(pictures, start=1):
        write(options.pictures / f"{number}.jpg")
    seconds, now = time.perf_counter() - started, os.times()
    print(json.dumps({"seconds": seconds, "processorSeconds": now.user + now.system - used.user - used.system}))


if __name__ == "__main__":
    main()
