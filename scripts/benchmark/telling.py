"""The case `telling`: how often what is chosen without a time is worth a picture."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import clips
from report import Report

TITLE = "A frame that is worth a picture, chosen without a time"
CLIP_COUNT = 40
SECONDS = 3
SIZE = "s=480x270:r=25"
RINGS = f"mandelbrot={SIZE}:start_x=-0.743:start_y=0.131:start_scale=0.05:maxiter=400"
# By the name of a scene: how ffmpeg makes it.
CONTENT = {
    "rings": RINGS,
    "coast": f"mandelbrot={SIZE}:start_x=0.28:start_y=0.53:start_scale=0.1:maxiter=300,hue=h=140",
    "dusk": f"mandelbrot={SIZE}:start_x=-1.25:start_y=0.02:start_scale=0.05:maxiter=300,hue=h=60,eq=brightness=-0.1",
    "blocks": f"testsrc2={SIZE}",
    "growth": f"life={SIZE}:mold=10:ratio=0.1:death_color=#207040:life_color=#f0e0a0:mold_color=#4060a0,gblur=sigma=1",
}
TEXT = "lt(mod(floor(X/4)*7+floor(Y/8)*13,11),4)*lt(mod(Y,32),12)*between(X,130,350)"
FILLING = {
    "black": f"color=black:{SIZE}",
    "white": f"color=white:{SIZE}",
    "grey": f"color=gray:{SIZE}",
    "bars": f"smptebars={SIZE}",
    "credits": f"color=black:{SIZE},format=gray,geq=lum='if({TEXT},235,16)',format=yuv420p",
    "slate": f"color=#103070:{SIZE},drawbox=60:60:360:6:white:fill,drawbox=60:110:250:6:white:fill,"
    "drawbox=60:160:300:6:white:fill",
    "fade": RINGS + ",eq=contrast=0.15:brightness=-0.3",
    "blurred": RINGS + ",gblur=sigma=20",
}
INTRODUCTION = f"""\
{CLIP_COUNT} videos of four to eight scenes of {SECONDS} s, a key frame every 2 s, by lot: one to three scenes of each have content
({", ".join(CONTENT)}), the others are fillers ({", ".join(FILLING)}). Each tool chooses
a frame of each video, and what counts is how often it is of a scene with content. *By lot* is how often a frame
anywhere would be. ffmpeg's `thumbnail` filter looks at every frame of the video; ffmpegthumbnailer has nothing to
choose, and takes the frame at 10 %, as scripts around ffmpeg do. The scenes are generated: that fillers are told from
content is all that the numbers say, not that the picture is the finest of a film."""
METHOD = """\
The labels are from the making of the videos. A picture is compared with a frame of every fifth of a second of its
video, small; it is of the scene of the nearest."""
SMALL = (32, 18)
STEP = 5


@dataclass(frozen=True)
class Video:
    path: Path
    scenes: list[str]

    @property
    def content_share(self) -> float:
        return sum(scene in CONTENT for scene in self.scenes) / len(self.scenes)


def measure(snap: Path) -> Report:
    """Each tool over all videos, once: they choose the same every time."""
    videos = _videos()
    takers: dict[str, Callable[[Video, Path], list[str]]] = {
        "snap": lambda video, out: [str(snap), str(video.path), "-o", str(out), "--quiet"],
        "ffmpeg, thumbnail filter": lambda video, out: [
            *("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", str(video.path), "-frames:v", "1"),
            *("-vf", f"thumbnail={len(video.scenes) * SECONDS * clips.RATE}", str(out)),
        ],
        "ffmpeg, at 10 %": lambda video, out: [
            *("ffmpeg", "-v", "error", "-nostdin", "-y", "-ss", str(len(video.scenes) * SECONDS / 10)),
            *("-i", str(video.path), "-frames:v", "1", str(out)),
        ],
    }
    if shutil.which("ffmpegthumbnailer"):
        takers["ffmpegthumbnailer"] = lambda video, out: ["ffmpegthumbnailer", "-i", str(video.path), "-o", str(out)]
    found: dict[str, list[str]] = {name: [] for name in takers}
    with TemporaryDirectory() as folder:
        for video in videos:
            frames = _small_frames(video.path, f"select=not(mod(n\\,{STEP}))")
            for name, command in takers.items():
                picture = Path(folder) / "picture.jpg"
                picture.unlink(missing_ok=True)
                subprocess.run(command(video, picture), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                nearest = _nearest(_small_frames(picture, "null")[0], frames)
                found[name].append(video.scenes[min(nearest * STEP // (SECONDS * clips.RATE), len(video.scenes) - 1)])
    return _report(videos, found)


def _report(videos: list[Video], found: dict[str, list[str]]) -> Report:
    lines = ["| chosen by | of content | else, most often |", "|---|--:|---|"]
    results: list[dict[str, object]] = []
    shares = {}
    for name, scenes in found.items():
        shares[name] = sum(scene in CONTENT for scene in scenes) / len(scenes)
        fillers = Counter(scene for scene in scenes if scene in FILLING).most_common(3)
        label = f"**{name}**" if name == "snap" else name
        lines.append(f"| {label} | {shares[name]:.0%} | {', '.join(f'{kind} {count}' for kind, count in fillers)} |")
        results.append({"name": name, "scenes": scenes})
    lines.append(f"| by lot | {sum(video.content_share for video in videos) / len(videos):.0%} | |")
    best = max(share for name, share in shares.items() if name != "snap")
    failed = [] if shares["snap"] >= best else [f"snap chose content less often than another: {shares}"]
    return Report(TITLE, INTRODUCTION, METHOD, "\n".join(lines), results, failed, [])


def _videos() -> list[Video]:
    folder = clips.cached("telling", _make_videos)
    return [Video(folder / f"{number:02}.mp4", scenes) for number, scenes in enumerate(_plan())]


def _plan() -> list[list[str]]:
    lot = random.Random(11)
    plan = []
    for _ in range(CLIP_COUNT):
        content = lot.sample(sorted(CONTENT), lot.randint(1, 3))
        scenes = content + lot.choices(sorted(FILLING), k=lot.randint(3, 5))
        lot.shuffle(scenes)
        plan.append(scenes)
    return plan


def _make_videos(folder: Path) -> None:
    for number, scenes in enumerate(_plan()):
        sources = {**CONTENT, **FILLING}
        parts = [
            f"{sources[scene]},trim=duration={SECONDS},setsar=1,format=yuv420p[v{place}];"
            for place, scene in enumerate(scenes)
        ]
        labels = "".join(f"[v{place}]" for place in range(len(scenes)))
        graph = f"{''.join(parts)}{labels}concat=n={len(scenes)}"
        group = str(clips.GROUP_SECONDS * clips.RATE)
        clips.ffmpeg(["-f", "lavfi", "-i", graph, *clips.X264, "-g", group, str(folder / f"{number:02}.mp4")])


def _small_frames(path: Path, select: str) -> list[bytes]:
    words = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-vf", f"{select},scale={SMALL[0]}:{SMALL[1]}"]
    words += ["-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    output = subprocess.run(words, check=True, capture_output=True).stdout
    size = SMALL[0] * SMALL[1] * 3
    return [output[start : start + size] for start in range(0, len(output), size)]


def _nearest(picture: bytes, frames: list[bytes]) -> int:
    return min(range(len(frames)), key=lambda index: sum(abs(a - b) for a, b in zip(picture, frames[index])))
