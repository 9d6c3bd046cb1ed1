"""The case `telling`: how often what is chosen without a time is worth a picture."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import clips
import scenes
from report import Report
from scenes import SECONDS, SceneSet, Video

TITLE = "A frame that is worth a picture, chosen without a time"
INTRODUCTION = f"""\
Videos of four to eight scenes of {SECONDS} s, a key frame every {clips.GROUP_SECONDS} s, by lot: one to three scenes of each have content, the
others are fillers. Each tool chooses a frame of each video, and what counts is how often it is of a scene with content.
*By lot* is how often a frame anywhere would be. ffmpeg's `thumbnail` filter looks at every frame of the video;
ffmpegthumbnailer has nothing to choose, and takes the frame at 10 %, as scripts around ffmpeg do.

There are three sets of videos (scripts/benchmark/scenes.py). The weights of snap's choice were set with the first in
sight, so that its number says little. The scenes of the others, drawn and filmed, and their fillers were
made afterwards, from what else a video is filled with, and nothing was changed for their sake. The filmed
ones are from public test suites, and are left out where these are not beside the project. That fillers are told from content
is all that the numbers say, not that the picture is the finest of a film."""
METHOD = """\
The labels are from the making of the videos. A picture is compared with a frame of every fifth of a second of its
video, small; it is of the scene of the nearest."""
SMALL = (32, 18)
STEP = 5
FOUND = dict[str, list[str]]


def measure(snap: Path) -> Report:
    """Each tool over all videos, once: they choose the same every time."""
    filmed = scenes.footage()
    sets = [scenes.TUNED, scenes.NEW, *([filmed] if filmed else [])]
    return _report([(each, _chosen(each, snap)) for each in sets])


def _chosen(scene_set: SceneSet, snap: Path) -> FOUND:
    """The scenes that each tool chose."""
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
    found: FOUND = {name: [] for name in takers}
    with TemporaryDirectory() as folder:
        for video in scene_set.videos():
            frames = _small_frames(video.path, f"select=not(mod(n\\,{STEP}))")
            for name, command in takers.items():
                picture = Path(folder) / "picture.jpg"
                picture.unlink(missing_ok=True)
                subprocess.run(command(video, picture), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                nearest = _nearest(_small_frames(picture, "null")[0], frames)
                found[name].append(video.scenes[min(nearest * STEP // (SECONDS * clips.RATE), len(video.scenes) - 1)])
    return found


def _report(sets: list[tuple[SceneSet, FOUND]]) -> Report:
    tables: list[str] = []
    results: list[dict[str, object]] = []
    failed: list[str] = []
    for scene_set, found in sets:
        lines = [
            f"## {scene_set.name[0].upper()}{scene_set.name[1:]}: {scene_set.count} videos\n",
            f"Content: {', '.join(scene_set.content)}. Fillers: {', '.join(scene_set.fillers)}.\n",
            "| chosen by | of content | else, most often |",
            "|---|--:|---|",
        ]
        counts = {}
        for name, chosen in found.items():
            counts[name] = sum(scene in scene_set.content for scene in chosen)
            fillers = Counter(scene for scene in chosen if scene in scene_set.fillers).most_common(3)
            label = f"**{name}**" if name == "snap" else name
            right = f"{counts[name]} of {len(chosen)}"
            lines.append(f"| {label} | {right} | {', '.join(f'{kind} {count}' for kind, count in fillers)} |")
            results.append({"set": scene_set.name, "name": name, "scenes": chosen})
        lines.append(f"| by lot | {scene_set.count * scene_set.content_share():.1f} | |")
        tables.append("\n".join(lines))
        best = max(count for name, count in counts.items() if name != "snap")
        if counts["snap"] < best:
            failed.append(f"snap chose content less often than another ({scene_set.name}): {counts}")
    return Report(TITLE, INTRODUCTION, METHOD, "\n\n".join(tables), results, failed, [])


def _small_frames(path: Path, select: str) -> list[bytes]:
    words = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-vf", f"{select},scale={SMALL[0]}:{SMALL[1]}"]
    words += ["-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    output = subprocess.run(words, check=True, capture_output=True).stdout
    size = SMALL[0] * SMALL[1] * 3
    return [output[start : start + size] for start in range(0, len(output), size)]


def _nearest(picture: bytes, frames: list[bytes]) -> int:
    return min(range(len(frames)), key=lambda index: sum(abs(a - b) for a, b in zip(picture, frames[index])))
