#!/usr/bin/env python3
"""Compares the ways to scale a picture: what snap does, and libswscale's other filters, in gamma and in linear light.

    scripts/benchmark/scaling.py --snap .build/static/release/snap [VIDEO ...]

Prints what the tables of docs/benchmarks/scaling.md are made of. Needs ffmpeg and numpy (the Python of `scripts/bench` has it:
.build/bench-python/bin/python). Of each VIDEO named the frame in the middle is taken, beside the pictures made here.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

FILTERS = ["area", "bilinear", "bicubic", "lanczos", "spline"]
FLAGS = "accurate_rnd+full_chroma_int+full_chroma_inp"
PLATE = (1280, 720)
REDUCED = [(640, 360), (320, 180), (160, 90)]
ENLARGED = (1920, 1080)
TIMED = [((1920, 1080), (320, 180)), ((1920, 1080), (1280, 720))]
REPEATS = 7
FRAMES = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--snap", type=Path, required=True)
    parser.add_argument("videos", nargs="*", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compare_plates(options.snap, Path(folder))
        compare_frames(options.snap, Path(folder), options.videos)
        compare_times(Path(folder))
    return 0


# MARK: What is compared


def compare_plates(snap: Path, folder: Path) -> None:
    """A zone plate: what lies beyond the new Nyquist frequency must become flat grey, the rest must stay."""
    print("| zone plate | to | way | aliases, levels rms | contrast kept below half the limit | PSNR, dB |")
    print("|---|---|---|--:|--:|--:|")
    plate = zone_plate(*PLATE)
    video = encoded(np.repeat(plate[:, :, None], 3, 2), folder / "plate.mkv")
    for width, height in REDUCED:
        frequency = plate_frequency(*PLATE)[:: PLATE[1] // height, :: PLATE[0] // width] * (PLATE[0] / width)
        ideal = resampled(plate, width, height)
        for name, picture in ways(snap, video, width, height, folder):
            values = picture[:, :, 1].astype(float)
            beyond = values[frequency > 1.2 * 0.5]
            aliases = np.sqrt(np.mean((beyond - beyond.mean()) ** 2))
            inside = frequency < 0.25
            kept = np.std(values[inside]) / np.std(ideal[inside])
            print(
                f"| {PLATE[0]}x{PLATE[1]} | {width}x{height} | {name} | {aliases:.1f} | {kept:.0%} "
                f"| {psnr(values, ideal):.1f} |"
            )


def compare_frames(snap: Path, folder: Path, videos: list[Path]) -> None:
    """Pictures, against a Lanczos filter of three lobes in floating point, in gamma and in linear light."""
    sources = {"window over a fractal": generated(folder), "text": text(folder)}
    sources |= {video.name: middle_frame(video, folder) for video in videos}
    sizes = [*REDUCED, ENLARGED]
    results: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, pixels in sources.items():
        video = encoded(pixels, folder / "frame.mkv")
        for width, height in sizes:
            gamma = np.stack([resampled(pixels[:, :, c], width, height) for c in range(3)], 2)
            light = np.stack([resampled(to_light(pixels[:, :, c]), width, height) for c in range(3)], 2)
            linear = from_light(light)
            tried = [*ways(snap, video, width, height, folder), ("linear light", linear)]
            for way, picture in tried:
                pair = (psnr(picture, gamma), psnr(picture, linear))
                results.setdefault((way, f"{width}x{height}"), []).append(pair)
        print(f"scaling: {name} done", file=sys.stderr)
    print(f"\nMean of {len(sources)} pictures: {', '.join(sources)}.\n")
    print("| way | " + " | ".join(f"to {w}x{h}" for w, h in sizes) + " |")
    print("|---|" + "--:|" * len(sizes))
    for way in dict.fromkeys(way for way, _ in results):
        cells = []
        for width, height in sizes:
            pairs = results[way, f"{width}x{height}"]
            against = [statistics.mean(min(pair[k], 99) for pair in pairs) for k in (0, 1)]
            cells.append(f"{against[0]:.1f} / {against[1]:.1f}")
        print(f"| {way} | " + " | ".join(cells) + " |")


def compare_times(folder: Path) -> None:
    """The processor time of scaling, as snap asks for it: to 4:4:4 of 16 bits, in one thread."""
    print("\n| way | " + " | ".join(f"{a[0]}x{a[1]} to {b[0]}x{b[1]}" for a, b in TIMED) + " |")
    print("|---|" + "--:|" * len(TIMED))
    rows: dict[str, list[str]] = {name: [] for name in FILTERS}
    for source, target in TIMED:
        path = folder / "frames.yuv"
        make = ["-f", "lavfi", "-i", f"testsrc2=s={source[0]}x{source[1]}", "-frames:v", str(FRAMES)]
        ffmpeg([*make, "-pix_fmt", "yuv420p", "-f", "rawvideo", str(path)])
        read = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{source[0]}x{source[1]}", "-i", str(path)]
        spent: dict[str, list[float]] = {name: [] for name in ["", *FILTERS]}
        for _ in range(REPEATS):
            for name in spent:
                scale = f"scale={target[0]}:{target[1]}:flags={name}+{FLAGS},format=yuv444p16le" if name else "null"
                spent[name].append(processor_time([*read, "-threads", "1", "-vf", scale, "-f", "null", "-"]))
        path.unlink()
        nothing = statistics.median(spent[""])
        each = {name: (statistics.median(spent[name]) - nothing) / FRAMES for name in FILTERS}
        for name in FILTERS:
            rows[name].append(f"{each[name] * 1000:.1f} ms ({each[name] / each['bicubic']:.2f})")
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(cells) + " |")


def ways(snap: Path, video: Path, width: int, height: int, folder: Path) -> list[tuple[str, np.ndarray]]:
    """The picture of each way, by its name."""
    out = folder / "out.png"
    words = ["--at", "0", "--size", f"{width}x{height}", "--fit", "stretch", "--upscale", "-o", str(out), "--quiet"]
    subprocess.run([str(snap), str(video), *words], check=True, stdout=subprocess.DEVNULL)
    found = [("**snap**", decoded(["-i", str(out)], width, height))]
    for name in FILTERS:
        scale = f"scale={width}:{height}:flags={name}+{FLAGS},format=rgb24"
        found.append((f"swscale, {name}", decoded(["-i", str(video), "-vf", scale], width, height)))
    return found


# MARK: Reference


def resampled(values: np.ndarray, width: int, height: int) -> np.ndarray:
    """Lanczos of three lobes, as wide as the larger of the two grids needs, in double precision; edges are repeated."""
    return filtered(filtered(values.astype(float), height).T, width).T


def filtered(values: np.ndarray, length: int) -> np.ndarray:
    old = len(values)
    ratio = max(old / length, 1)
    result = np.empty((length, values.shape[1]))
    for index in range(length):
        centre = (index + 0.5) * old / length - 0.5
        taps = np.arange(int(np.floor(centre - 3 * ratio)), int(np.ceil(centre + 3 * ratio)) + 1)
        x = (taps - centre) / ratio
        weights = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
        result[index] = weights @ values[np.clip(taps, 0, old - 1)] / weights.sum()
    return result


def to_light(levels: np.ndarray) -> np.ndarray:
    """sRGB's curve (IEC 61966-2-1)."""
    v = levels / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def from_light(light: np.ndarray) -> np.ndarray:
    v = np.clip(light, 0, 1)
    return 255 * np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    error = np.mean((np.clip(a.astype(float), 0, 255) - np.clip(b, 0, 255)) ** 2)
    return float(10 * np.log10(255**2 / max(error, 1e-9)))


# MARK: Pictures


def plate_frequency(width: int, height: int) -> np.ndarray:
    """In cycles a pixel: 0 in the middle, 0.5 at the left and right edge."""
    x, y = np.meshgrid(np.arange(width) - width / 2 + 0.5, np.arange(height) - height / 2 + 0.5)
    return np.hypot(x, y) / width


def zone_plate(width: int, height: int) -> np.ndarray:
    radius = plate_frequency(width, height) * width
    return np.round(127.5 + 100 * np.cos(np.pi * radius**2 / width)).astype(np.uint8)


def generated(folder: Path) -> np.ndarray:
    still = "mandelbrot=s=1280x720:maxiter=400:start_scale=0.02:start_x=-0.743643887:start_y=0.131825904"
    return decoded(["-f", "lavfi", "-i", still, "-frames:v", "1"], *PLATE)


def text(folder: Path) -> np.ndarray:
    lines = "lt(mod(floor(X/3)*7+floor(Y/5)*13,11),4)*lt(mod(Y,24),14)"
    return decoded(["-f", "lavfi", "-i", f"color=s=1280x720,format=gray,geq=lum='255-235*{lines}'", "-frames:v", "1"], *PLATE)


def middle_frame(video: Path, folder: Path) -> np.ndarray:
    words = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(video)]
    length = float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    # In a size whose parts are whole pixels.
    return decoded(["-ss", str(length / 2), "-i", str(video), "-frames:v", "1", "-vf", "scale=1280:720:flags=lanczos"], *PLATE)


def encoded(pixels: np.ndarray, path: Path) -> Path:
    """Without loss, as RGB: matrices and chroma are no part of the question."""
    size = f"{pixels.shape[1]}x{pixels.shape[0]}"
    words = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-i", "-", "-c:v", "ffv1", "-pix_fmt", "gbrp", str(path)]
    ffmpeg(words, pixels.astype(np.uint8).tobytes())
    return path


def decoded(words: list[str], width: int, height: int) -> np.ndarray:
    raw = ffmpeg([*words, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    return np.frombuffer(raw, np.uint8).reshape(height, width, 3)


def ffmpeg(words: list[str], piped: bytes = b"") -> bytes:
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=True, input=piped, capture_output=True).stdout


def processor_time(words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ffmpeg(words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
