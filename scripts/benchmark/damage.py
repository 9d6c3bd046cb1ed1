#!/usr/bin/env python3
"""Counts how many frames of damaged videos come out visibly damaged, and how many of those without a word.

    .build/bench-python/bin/python scripts/benchmark/damage.py --snap .build/static/release/snap [CODEC ...]

Prints the table of docs/formats.md. Needs ffmpeg, and the Python of `scripts/bench` (PyAV, numpy). The packets of short
videos are damaged, lost or marked wrongly; every fourth frame is asked for, each from a video opened anew, and compared
with what the undamaged video shows at the time of the frame that came.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import numpy as np

import clips

SIZE = (320, 192)
SECONDS = 4
ASKED_EVERY = 4
SEED = 1
# In dB: a picture that is less like the right one is visibly damaged.
VISIBLE = 30
GROUP = ("-g", str(clips.RATE), "-keyint_min", str(clips.RATE))
X264 = (*clips.X264, "-crf", "23", *GROUP)
X265 = ("-c:v", "libx265", "-preset", "veryfast", "-crf", "25", "-x265-params")
X265_GROUP = f"log-level=error:scenecut=0:keyint={clips.RATE}"
MPEG = ("-bf", "2", "-q:v", "4", "-sc_threshold", "1000000000", *GROUP)
VPX = ("-deadline", "good", "-cpu-used", "5", "-b:v", "800k", *GROUP)
CODECS = {
    "H.264, 1 slice": (*X264, "-x264-params", "slices=1"),
    "H.264, 4 slices, open groups": (*X264, "-x264-params", "slices=4:open-gop=1"),
    "H.264, intra refresh": (*X264, "-bf", "0", "-x264-params", "intra-refresh=1"),
    "HEVC": (*X265, X265_GROUP),
    "HEVC, 4 slices, open groups": (*X265, X265_GROUP + ":slices=4:open-gop=1"),
    "HEVC with a hash of each picture": (*X265, X265_GROUP + ":hash=1"),
    "MPEG-2": ("-c:v", "mpeg2video", *MPEG),
    "MPEG-4": ("-c:v", "mpeg4", *MPEG),
    "VP8": ("-c:v", "libvpx", *VPX),
    "VP9": ("-c:v", "libvpx-vp9", *VPX),
    "Theora": ("-c:v", "libtheora", "-q:v", "6", "-g", str(clips.RATE)),
}

# Bytes, presentation time, decoding time, whether it is called a key frame.
Packet = tuple[bytes, int, int, bool]
Damage = Callable[[list[Packet], random.Random], list[Packet]]


def wrong_bytes(packets: list[Packet], lot: random.Random) -> list[Packet]:
    return changed(packets, lot.sample(range(1, len(packets)), 8), lambda data: scattered(data, lot))


def wrong_bytes_in_keys(packets: list[Packet], lot: random.Random) -> list[Packet]:
    return changed(packets, keys(packets), lambda data: scattered(data, lot))


def zeros(packets: list[Packet], lot: random.Random) -> list[Packet]:
    chosen = lot.sample(range(1, len(packets)), 8)
    return changed(packets, chosen, lambda data: data[: len(data) // 3] + bytes(len(data) - len(data) // 3))


def holes(packets: list[Packet], lot: random.Random) -> list[Packet]:
    chosen = lot.sample(range(1, len(packets)), 8)
    return changed(packets, chosen, lambda data: middle_zeroed(data, len(data) // 3))


def cut(packets: list[Packet], lot: random.Random) -> list[Packet]:
    return changed(packets, lot.sample(range(1, len(packets)), 8), lambda data: data[: len(data) // 2])


def lost(packets: list[Packet], lot: random.Random) -> list[Packet]:
    gone = lot.sample([index for index in range(1, len(packets)) if not packets[index][3]], 4)
    return [packet for index, packet in enumerate(packets) if index not in gone]


def lost_keys(packets: list[Packet], lot: random.Random) -> list[Packet]:
    gone = keys(packets)[::-1][::2]
    return [packet for index, packet in enumerate(packets) if index not in gone]


def all_called_keys(packets: list[Packet], lot: random.Random) -> list[Packet]:
    return [(*packet[:3], True) for packet in packets]


def begun_in_the_middle(packets: list[Packet], lot: random.Random) -> list[Packet]:
    first, *rest = packets[10:]
    return [(*first[:3], True), *rest]


DAMAGES: dict[str, list[Damage]] = {
    "wrong, zeroed or cut bytes": [wrong_bytes, wrong_bytes_in_keys, zeros, cut],
    "holes of zeros": [holes],
    "lost packets": [lost, lost_keys],
    "false key frames": [all_called_keys, begun_in_the_middle],
}


def keys(packets: list[Packet]) -> list[int]:
    """All but the first."""
    return [index for index, packet in enumerate(packets) if packet[3]][1:]


def changed(packets: list[Packet], chosen: list[int], change: Callable[[bytes], bytes]) -> list[Packet]:
    packets = list(packets)
    for index in chosen:
        packets[index] = (change(packets[index][0]), *packets[index][1:])
    return packets


def scattered(data: bytes, lot: random.Random) -> bytes:
    result = bytearray(data)
    for _ in range(3):
        result[lot.randrange(len(result) // 8, len(result))] = lot.randrange(256)
    return bytes(result)


def middle_zeroed(data: bytes, third: int) -> bytes:
    return data[:third] + bytes(third) + data[2 * third :]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--snap", type=Path, required=True)
    parser.add_argument("codecs", nargs="*", default=list(CODECS), metavar="CODEC")
    options = parser.parse_args()
    print("| codec | " + " | ".join(DAMAGES) + " |\n|---|" + "--:|" * len(DAMAGES))
    with TemporaryDirectory() as name:
        for codec in options.codecs:
            cells = [cell(count) for count in measured(options.snap, CODECS[codec], Path(name))]
            print(f"| {codec} | " + " | ".join(cells) + " |", flush=True)
    return 0


def cell(count: Counter[str]) -> str:
    return f"{count['said']} + {count['silent']} of {count['asked']}"


def measured(snap: Path, coding: tuple[str, ...], folder: Path) -> list[Counter[str]]:
    sound = folder / "sound.mkv"
    clips.draw(SIZE, SECONDS, [(SIZE, [*coding, "-pix_fmt", "yuv420p", str(sound)])])
    packets = read(sound)
    reference = {time: picture for _, time, picture in taken(snap, sound, 1, folder)}
    counts = []
    for damages in DAMAGES.values():
        count: Counter[str] = Counter()
        for damage in damages:
            damaged = folder / "damaged.mkv"
            write(sound, damaged, damage(packets, random.Random(SEED)))
            count["asked"] += len(range(0, SECONDS * clips.RATE, ASKED_EVERY))
            for status, time, picture in taken(snap, damaged, ASKED_EVERY, folder):
                if psnr(picture, reference[time]) < VISIBLE:
                    count["silent" if status == "ok" else "said"] += 1
        counts.append(count)
    return counts


def taken(snap: Path, video: Path, step: int, folder: Path) -> list[tuple[str, int, np.ndarray]]:
    """Status, presentation time and pixels of each picture that comes."""
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for old in pictures.iterdir():
        old.unlink()
    requests = "".join(
        json.dumps(
            {
                "id": index,
                "source": str(video),
                "at": f"{index / clips.RATE:.2f}",
                "output": str(pictures / f"{index:05}.png"),
            }
        )
        + "\n"
        for index in range(0, SECONDS * clips.RATE, step)
    )
    words = [str(snap), "worker", "-j", "2", "--keep-open", "0"]
    said = subprocess.run(words, input=requests, capture_output=True, text=True, check=True).stdout
    replies = {reply["id"]: reply for reply in map(json.loads, said.splitlines()) if "id" in reply}
    names = sorted(pictures.iterdir())
    read = ["-pattern_type", "glob", "-i", str(pictures / "*.png"), "-vsync", "0"]
    words = ["ffmpeg", "-v", "error", *read, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(words, check=True, capture_output=True).stdout
    pixels = np.frombuffer(raw, np.uint8).reshape(len(names), SIZE[1], SIZE[0], 3)
    found = [replies[int(name.stem)] for name in names]
    return [(reply["status"], reply["actual"]["pts"], picture) for reply, picture in zip(found, pixels)]


def read(video: Path) -> list[Packet]:
    with av.open(str(video)) as container:
        packets = container.demux(container.streams.video[0])
        return [(bytes(packet), packet.pts, packet.dts, packet.is_keyframe) for packet in packets if packet.size]


def write(template: Path, video: Path, packets: list[Packet]) -> None:
    with av.open(str(template)) as source, av.open(str(video), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0], opaque=True)
        for data, presentation, decoding, is_key in packets:
            packet = av.Packet(data)
            packet.stream, packet.time_base = stream, source.streams.video[0].time_base
            packet.pts, packet.dts, packet.is_keyframe = presentation, decoding, is_key
            target.mux(packet)


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    error = np.mean((a.astype(float) - b) ** 2)
    return float(10 * np.log10(255**2 / max(error, 1e-9)))


if __name__ == "__main__":
    sys.exit(main())
