"""The case `batch`: a small picture of each of many short videos, with all cores."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import clips
import race
from race import PICTURES, Contest, Entrant, Score
from report import Machine, Report, spread

TITLE = "A picture of each of many short videos"
INTRODUCTION = f"""\
{clips.HEAP_CLIPS} videos of {clips.HEAP_CLIP_SECONDS} s, 640x360, H.264 at 600 kbit/s, 25 frames a second, B-frames,
a key frame every 2 s; a JPEG of each, 320 wide. *Exact* is the frame at 3 s, 25 frames behind a key frame; *key frame*
is that key frame, which is cheaper. All use all cores: snap batch by itself; PyAV in a short program with a thread a
core (pyav_batch.py); ffmpeg and ffmpegthumbnailer by `xargs -P`, with a process for each video. ffmpeg seeks on its
input, which is exact here and its best form, and has one decoder thread, as has PyAV. ffmpegthumbnailer takes only the
next key frame behind a time, and is told the time of the right one. *PyAV, decoding only* is the same program without
scaling, JPEG and files: about the least for a program that decodes every frame from the key frame on."""
METHOD = """\
A time is from the start of the first process to the end of the last, the median of {repeats} runs in turns, with the
shortest and the longest; the files were read before, so that they come from memory. *CPU* is the time of all processes,
in user and system mode; *memory* is that of the largest process. Every frame has its number drawn into it, counted on
from one video to the next, and the number is read from every picture: a time counts only when all are the right frames
of the right videos."""

AT = 3
FRAME = AT * clips.RATE
KEY_AT = AT // clips.GROUP_SECONDS * clips.GROUP_SECONDS
FRAMES_IN_CLIP = clips.HEAP_CLIP_SECONDS * clips.RATE
PICTURE_WIDTH = 320

PYAV_PROGRAM = Path(__file__).with_name("pyav_batch.py")
PYAV_PYTHON = PYAV_PROGRAM.parents[2] / ".build" / "bench-python" / "bin" / "python"


def measure(snap: Path, machine: Machine, repeats: int) -> Report:
    """Everybody in turns."""
    scores = race.hold(_contests(snap, machine.cores), repeats)
    tools = {str(snap): "snap", str(PYAV_PYTHON): "python", str(PYAV_PROGRAM): PYAV_PROGRAM.name}
    return Report(
        title=TITLE,
        introduction=INTRODUCTION,
        method=METHOD.format(repeats=repeats) + f"\n\nCompared with {', '.join(_versions())}.",
        table=_table(scores),
        results=[race.raw(score, tools) for score in scores],
        failed=race.failures(scores),
        slow=race.shortfalls(scores),
    )


def _contests(snap: Path, cores: int) -> list[Contest]:
    videos = [path.name for path in sorted(clips.heap().glob("*.mp4"))]
    # Every entrant names a picture after its video, and reads the names of the videos.
    common = {"given": "".join(f"{name}\n" for name in videos), "names": tuple(f"{name}.jpg" for name in videos)}

    to_each = ["xargs", "-P", str(cores), "-I", "{}"]
    ffmpeg = [*to_each, "ffmpeg", "-nostdin", "-v", "error", "-threads", "1"]
    one_frame = ["-i", "{}", "-frames:v", "1", "-vf", f"scale={PICTURE_WIDTH}:-2", "-y", f"{PICTURES}/{{}}.jpg"]
    batch = [str(snap), "batch", "--from-file", "-", "--at", str(AT), "--size", str(PICTURE_WIDTH)]
    batch += ["-o", f"{PICTURES}/{{name}}.jpg"]
    pyav = [str(PYAV_PYTHON), "-B", str(PYAV_PROGRAM), "--jobs", str(cores), "--at", str(AT)]
    draw = ["--width", str(PICTURE_WIDTH), "--pictures", PICTURES]
    key_seek = ["-skip_frame", "nokey", "-noaccurate_seek", "-ss", str(AT)]
    key_frame = [*key_seek, *one_frame[:2], "-fps_mode", "passthrough", *one_frame[2:]]

    exact = [
        Entrant("snap batch", batch, **common),
        Entrant("xargs ffmpeg", [*ffmpeg, "-ss", str(AT), *one_frame], least=4.7, **common),
    ]
    keys = [
        Entrant("snap batch", [*batch, "--keyframe"], **common),
        Entrant("xargs ffmpeg", [*ffmpeg, *key_frame], **common),
    ]
    if shutil.which("ffmpegthumbnailer"):
        thumbnailer = ["ffmpegthumbnailer", "-i", "{}", "-o", f"{PICTURES}/{{}}.jpg", "-s", str(PICTURE_WIDTH)]
        command = [*to_each, *thumbnailer, "-t", f"00:00:{KEY_AT:02}"]
        keys.append(Entrant("xargs ffmpegthumbnailer", command, least=10, **common))
    if _has_pyav():
        exact.append(Entrant("PyAV, threads", [*pyav, *draw], least=1.4, **common))
        exact.append(Entrant("PyAV, decoding only", pyav, least=0.9, takes_pictures=False, **common))
        keys.append(Entrant("PyAV, threads", [*pyav, *draw, "--keyframe"], least=1, **common))
    firsts = range(0, len(videos) * FRAMES_IN_CLIP, FRAMES_IN_CLIP)
    frames = [[first + frame for first in firsts] for frame in (FRAME, KEY_AT * clips.RATE)]
    return [Contest("exact", frames[0], exact, clips.heap), Contest("key frame", frames[1], keys, clips.heap)]


def _table(scores: list[Score]) -> str:
    lines = ["| picture | taken by | right frames | s | files/s | peer/snap | at least | CPU s | memory MB |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for score in scores:
        right = str(min(run.right for run in score.runs)) if score.wanted else "takes none"
        cells = [score.contest.name, score.entrant.name, right]
        if score.is_right:
            measured = race.ratio(score, scores)
            cells += [spread(score.all_seconds, digits=2), f"{clips.HEAP_CLIPS / score.seconds:.0f}"]
            cells += [f"{measured:.1f}x" if measured else "–", score.least]
            cells += [f"{score.processor_seconds:.1f}", f"{score.memory / 1e6:.0f}"]
        else:
            cells += [f"exit {score.runs[-1].cost.status}", "–", "–", "", "–", "–"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _has_pyav() -> bool:
    check = [str(PYAV_PYTHON), "-c", "import av, PIL"]
    return PYAV_PYTHON.exists() and subprocess.run(check, capture_output=True, check=False).returncode == 0


def _versions() -> list[str]:
    """Of those that the machine's facts don't tell."""
    versions = []
    if shutil.which("ffmpegthumbnailer"):
        said = subprocess.run(["ffmpegthumbnailer", "-v"], capture_output=True, text=True, check=False).stdout
        versions.append("ffmpegthumbnailer " + said.split("version:")[-1].strip().split("\n")[0])
    else:
        print("bench: no ffmpegthumbnailer here: left out", file=sys.stderr)
    if _has_pyav():
        ask = "import av; print(av.__version__, 'with FFmpeg', av.ffmpeg_version_info)"
        said = subprocess.run([PYAV_PYTHON, "-c", ask], capture_output=True, text=True, check=False).stdout
        versions.append("PyAV " + said.strip())
    else:
        print("bench: no PyAV here: left out", file=sys.stderr)
    return versions or ["nothing but ffmpeg"]
