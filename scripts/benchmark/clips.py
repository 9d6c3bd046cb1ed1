"""The clips that the benchmarks read: made once with ffmpeg, and kept outside the repository.

Every frame carries its number (see pattern.py) over a detailed picture that moves, so that coders have real work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pattern

RATE = 25
GROUP_SECONDS = 2
SEGMENT_SECONDS = 4
LADDER_SECONDS = 60
MOVIE_SECONDS = 160
MOVIE_INDEX_FIRST = "index-first.mp4"
MOVIE_INDEX_LAST = "index-last.mp4"
HEAP_CLIPS = 200
HEAP_CLIP_SECONDS = 4
X264 = ("-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-sc_threshold", "0")

# Raised when a recipe below changes, so that clips of before are not taken for those of now.
RECIPES = 1


class ClipError(Exception):
    """A clip that could not be made, in words."""


@dataclass(frozen=True)
class Rung:
    """A variant of the ladder."""

    width: int
    height: int
    bits: int

    @property
    def name(self) -> str:
        return f"{self.width}x{self.height}"


# The largest first, as masters often list them: players begin with the first.
RUNGS = [Rung(960, 540, 1_500_000), Rung(640, 360, 600_000), Rung(256, 144, 150_000)]


def ladder() -> Path:
    """A folder with the same video as HLS from MPEG-TS (ts/master.m3u8) and from fragmented MP4 (fmp4/master.m3u8)."""
    return cached("ladder", _make_ladder)


def movie() -> Path:
    """A folder with one long video twice: with the index before the pictures, and behind them."""
    return cached("movie", _make_movie)


def heap() -> Path:
    """A folder with many short videos, 0000.mp4 and so on; their frames are counted on from one to the next."""
    return cached("heap", _make_heap)


def _make_ladder(folder: Path) -> None:
    videos = {rung: folder / f"{rung.name}.mp4" for rung in RUNGS}
    _encode(videos, seconds=LADDER_SECONDS)
    for container, segment_type in (("ts", "mpegts"), ("fmp4", "fmp4")):
        for rung, video in videos.items():
            _segment(video, folder / container / rung.name, segment_type)
        (folder / container / "master.m3u8").write_text(_master())
    for video in videos.values():
        video.unlink()


def _make_movie(folder: Path) -> None:
    last = folder / MOVIE_INDEX_LAST
    _encode({Rung(1280, 720, 5_000_000): last}, seconds=MOVIE_SECONDS)
    ffmpeg(["-i", str(last), "-c", "copy", "-movflags", "+faststart", str(folder / MOVIE_INDEX_FIRST)])


def _make_heap(folder: Path) -> None:
    # One video, cut where groups of pictures begin: quicker than a process for each.
    cut = ["-f", "segment", "-segment_time", str(HEAP_CLIP_SECONDS), "-reset_timestamps", "1"]
    _encode({Rung(640, 360, 600_000): folder / "%04d.mp4"}, HEAP_CLIPS * HEAP_CLIP_SECONDS, cut)


def _encode(videos: dict[Rung, Path], seconds: int, muxing: Sequence[str] = ()) -> None:
    """Encodes one video in several sizes."""
    largest = next(iter(videos))
    group = str(GROUP_SECONDS * RATE)
    outputs = []
    for rung, path in videos.items():
        coding = [*X264, "-g", group, "-keyint_min", group, "-b:v", str(rung.bits)]
        coding += ["-maxrate", str(rung.bits * 6 // 5), "-bufsize", str(2 * rung.bits), *muxing, str(path)]
        outputs.append(((rung.width, rung.height), coding))
    draw((largest.width, largest.height), seconds, outputs)


def draw(size: tuple[int, int], seconds: int, outputs: Sequence[tuple[tuple[int, int], list[str]]]) -> None:
    """Draws one video, and codes it in several sizes; an output is its size, and the words for ffmpeg behind it."""
    width, height = size
    # A window that wanders over a still: cheap to make, and neither trivial nor noise to a coder. The filter that draws
    # it can't draw it larger than this.
    drawn = min(2 * width, 3840)
    enlarged = f"scale={2 * width}:{2 * height}," if drawn < 2 * width else ""
    still = (
        f"mandelbrot=s={drawn}x{drawn * height // width}:maxiter=400:start_scale=0.02:inner=black:"
        f"start_x=-0.743643887:start_y=0.131825904,trim=end_frame=1,{enlarged}format=yuv420p,loop=-1:1,"
        f"settb=1/{RATE},setpts=N,crop={width}:{height}:x='(iw-ow)/2*(1+0.9*sin(t/3))':y='(ih-oh)/2*(1+0.9*cos(t/4))'"
    )
    numbers = f"[0]scale={width}:{height}:flags=neighbor,format=yuv420p[numbers]"
    scaled = [f"[picture{index}]scale={each[0]}:{each[1]}[out{index}]" for index, (each, _) in enumerate(outputs)]
    graph = [
        numbers,
        f"{still}[still]",
        "[numbers][still]blend=all_mode=normal:all_opacity=0.7:shortest=1,noise=c0s=6:c0f=t,"
        f"split={len(outputs)}" + "".join(f"[picture{index}]" for index in range(len(outputs))),
        *scaled,
    ]
    blocks = f"{pattern.COLUMNS}x{pattern.ROWS}"
    command = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", blocks, "-r", str(RATE), "-i", "-"]
    command += ["-filter_complex", ";".join(graph)]
    for index, (_, coding) in enumerate(outputs):
        command += ["-map", f"[out{index}]", *coding]
    ffmpeg(command, b"".join(pattern.pictures(seconds * RATE)))


def _segment(video: Path, folder: Path, segment_type: str) -> None:
    """A media playlist of all frames, and one of the key frames only."""
    folder.mkdir(parents=True)
    common = ["-i", str(video), "-c", "copy", "-f", "hls"]
    common += ["-hls_playlist_type", "vod", "-hls_segment_type", segment_type]
    ffmpeg([*common, "-hls_time", str(SEGMENT_SECONDS), str(folder / "index.m3u8")])
    # With nothing but key frames left, a segment of a group's length is one frame.
    only_keys = ["-bsf:v", "noise=drop=not(key)", "-hls_time", str(GROUP_SECONDS), "-hls_flags", "single_file"]
    keys = folder / "keys.m3u8"
    ffmpeg([*common, *only_keys, str(keys)])
    keys.write_text(keys.read_text().replace("#EXTM3U\n", "#EXTM3U\n#EXT-X-I-FRAMES-ONLY\n", 1))


def _master() -> str:
    codecs = 'CODECS="avc1.64001f"'
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    for rung in RUNGS:
        facts = f"BANDWIDTH={rung.bits * 6 // 5},AVERAGE-BANDWIDTH={rung.bits},RESOLUTION={rung.name},{codecs}"
        lines += [f"#EXT-X-STREAM-INF:{facts},FRAME-RATE={RATE}.000", f"{rung.name}/index.m3u8"]
    for rung in RUNGS:
        facts = f"BANDWIDTH={rung.bits // 4},RESOLUTION={rung.name},{codecs}"
        lines.append(f'#EXT-X-I-FRAME-STREAM-INF:{facts},URI="{rung.name}/keys.m3u8"')
    return "\n".join(lines) + "\n"


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, made when it isn't there: whole, or not at all."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snap-bench"
    folder = cache / f"{name}-{RECIPES}"
    if not folder.exists():
        print(f"bench: making the clips of {name} (once, minutes)", file=sys.stderr)
        unfinished = cache / f"{name}-{RECIPES}.{os.getpid()}"
        unfinished.mkdir(parents=True)
        try:
            make(unfinished)
            unfinished.rename(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def ffmpeg(arguments: list[str], piped: bytes | None = None) -> None:
    command = ["ffmpeg", "-v", "error", "-y", *arguments]
    done = subprocess.run(command, input=piped or b"", capture_output=True, check=False)
    if done.returncode != 0:
        raise ClipError(f"ffmpeg could not make a clip: {done.stderr.decode(errors='replace').strip()}")
