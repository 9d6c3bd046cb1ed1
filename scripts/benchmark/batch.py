"""The case `batch`: a small picture of each of many short videos, with all cores."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import clips
import pattern
from contest import Entrant
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

# Stands in a command for the folder that the pictures are to be written to.
PICTURES = "{pictures}"
PYAV_PROGRAM = Path(__file__).with_name("pyav_batch.py")
PYAV_PYTHON = PYAV_PROGRAM.parents[2] / ".build" / "bench-python" / "bin" / "python"

# Longer than anything here should take: what takes longer hangs.
PATIENCE = 300.0


@dataclass(frozen=True)
class Contest:
    """The frame, counted in its video, that all entrants take of each video; the first of them is snap."""

    picture: str
    frame: int
    entrants: list[Entrant]


@dataclass(frozen=True)
class Run:
    """What one run of an entrant came to; `right` is how many pictures are of the right frame."""

    status: int
    right: int
    seconds: float
    processor_seconds: float
    memory: int
    message: str


@dataclass
class Score:
    """All runs of an entrant in a contest."""

    contest: Contest
    entrant: Entrant
    runs: list[Run] = field(default_factory=list)

    @property
    def takes_pictures(self) -> bool:
        return any(PICTURES in word for word in self.entrant.command)

    @property
    def is_right(self) -> bool:
        wanted = clips.HEAP_CLIPS if self.takes_pictures else 0
        return all(run.status == 0 and run.right == wanted for run in self.runs)

    @property
    def seconds(self) -> float:
        return statistics.median(run.seconds for run in self.runs)

    @property
    def processor_seconds(self) -> float:
        return statistics.median(run.processor_seconds for run in self.runs)

    @property
    def memory(self) -> int:
        return max(run.memory for run in self.runs)


def measure(snap: Path, machine: Machine, repeats: int) -> Report:
    """Runs everybody in turns, after a round that warms up and does not count."""
    folder = clips.heap()
    scores = [Score(contest, entrant) for contest in _contests(snap, machine.cores) for entrant in contest.entrants]
    for repeat in range(-1, repeats):
        print(f"bench: round {repeat + 1} of {repeats}" if repeat >= 0 else "bench: warming up", file=sys.stderr)
        # Every other round goes backwards: nobody always runs after the same one.
        for score in scores if repeat % 2 == 0 else reversed(scores):
            # One whose pictures are wrong is not run again: its time would not count.
            if score.is_right:
                if repeat == 0:
                    score.runs.clear()
                score.runs.append(_run(score.entrant, score.contest.frame, folder))
    return Report(
        title=TITLE,
        introduction=INTRODUCTION,
        method=METHOD.format(repeats=repeats) + f"\n\nCompared with {', '.join(_versions())}.",
        table=_table(scores),
        results=[_result(score) for score in scores],
        failed=_failures(scores),
        slow=[],
    )


def _contests(snap: Path, cores: int) -> list[Contest]:
    to_each = ["xargs", "-P", str(cores), "-I", "{}"]
    ffmpeg = [*to_each, "ffmpeg", "-nostdin", "-v", "error", "-threads", "1"]
    one_frame = ["-i", "{}", "-frames:v", "1", "-vf", f"scale={PICTURE_WIDTH}:-2", "-y", f"{PICTURES}/{{}}.jpg"]
    batch = [str(snap), "batch", "--from-file", "-", "--at", str(AT), "--size", str(PICTURE_WIDTH)]
    batch += ["-o", f"{PICTURES}/{{name}}.jpg"]
    pyav = [str(PYAV_PYTHON), "-B", str(PYAV_PROGRAM), "--jobs", str(cores), "--at", str(AT)]
    draw = ["--width", str(PICTURE_WIDTH), "--pictures", PICTURES]
    key_seek = ["-skip_frame", "nokey", "-noaccurate_seek", "-ss", str(AT)]

    exact = [Entrant("snap batch", batch), Entrant("xargs ffmpeg", [*ffmpeg, "-ss", str(AT), *one_frame])]
    keys = [
        Entrant("snap batch", [*batch, "--keyframe"]),
        Entrant("xargs ffmpeg", [*ffmpeg, *key_seek, *one_frame[:2], "-fps_mode", "passthrough", *one_frame[2:]]),
    ]
    if shutil.which("ffmpegthumbnailer"):
        thumbnailer = ["ffmpegthumbnailer", "-i", "{}", "-o", f"{PICTURES}/{{}}.jpg", "-s", str(PICTURE_WIDTH)]
        keys.append(Entrant("xargs ffmpegthumbnailer", [*to_each, *thumbnailer, "-t", f"00:00:{KEY_AT:02}"]))
    if _has_pyav():
        exact += [Entrant("PyAV, threads", [*pyav, *draw]), Entrant("PyAV, decoding only", pyav)]
        keys.append(Entrant("PyAV, threads", [*pyav, *draw, "--keyframe"]))
    return [Contest("exact", FRAME, exact), Contest("key frame", KEY_AT * clips.RATE, keys)]


def _run(entrant: Entrant, frame: int, videos: Path) -> Run:
    names = "".join(f"{path.name}\n" for path in sorted(videos.glob("*.mp4")))
    with TemporaryDirectory(prefix="snap-bench.") as folder:
        pictures, messages, inputs = Path(folder) / "pictures", Path(folder) / "messages", Path(folder) / "inputs"
        pictures.mkdir()
        inputs.write_text(names)
        command = [word.replace(PICTURES, str(pictures)) for word in entrant.command]
        with inputs.open() as names_file, messages.open("w") as errors:
            started = time.perf_counter()
            process = subprocess.Popen(command, cwd=videos, stdin=names_file, stdout=subprocess.DEVNULL, stderr=errors)
            watch = threading.Timer(PATIENCE, process.kill)
            watch.start()
            # Not wait(): this tells what the process, and all that it waited for itself, have used.
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            watch.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        numbers = pattern.read_numbers(pictures / "%04d.mp4.jpg")
        return Run(
            status=process.returncode,
            right=sum(number == index * FRAMES_IN_CLIP + frame for index, number in enumerate(numbers)),
            seconds=seconds,
            processor_seconds=usage.ru_utime + usage.ru_stime,
            memory=usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            message=messages.read_text(errors="replace").strip()[-300:],
        )


def _table(scores: list[Score]) -> str:
    lines = ["| picture | taken by | right frames | s | files/s | peer/snap | CPU s | memory MB |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|--:|")
    for score in scores:
        snap = next(each for each in scores if each.contest is score.contest)
        right = str(min(run.right for run in score.runs)) if score.takes_pictures else "takes none"
        cells = [score.contest.picture, score.entrant.name, right]
        if score.is_right:
            ratio = f"{score.seconds / snap.seconds:.1f}x" if snap.is_right else "–"
            cells += [spread([run.seconds for run in score.runs], digits=2)]
            cells += [f"{clips.HEAP_CLIPS / score.seconds:.0f}", ratio]
            cells += [f"{score.processor_seconds:.1f}", f"{score.memory / 1e6:.0f}"]
        else:
            cells += [f"exit {score.runs[-1].status}", "–", "–", "–", "–"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _result(score: Score) -> dict[str, object]:
    """Every run of an entrant."""
    tools = {str(PYAV_PYTHON): "python", str(PYAV_PROGRAM): PYAV_PROGRAM.name}
    words = [tools.get(word, word).replace(PICTURES, "pictures") for word in score.entrant.command]
    if score.entrant.name == "snap batch":
        words[0] = "snap"
    return {
        "picture": score.contest.picture,
        "entrant": score.entrant.name,
        "command": " ".join(words),
        "videos": clips.HEAP_CLIPS,
        "runs": [
            {
                "status": run.status,
                "rightFrames": run.right if score.takes_pictures else None,
                "milliseconds": round(1000 * run.seconds),
                "processorMilliseconds": round(1000 * run.processor_seconds),
                "memoryBytes": run.memory,
            }
            for run in score.runs
        ],
    }


def _failures(scores: list[Score]) -> list[str]:
    """What snap got wrong, in words; what others did stands in the table."""
    return [
        f"{score.contest.picture}: {last.right} of {clips.HEAP_CLIPS} pictures are right"
        f" (exit {last.status}) {last.message}"
        for score in scores
        if score.entrant is score.contest.entrants[0] and not score.is_right and (last := score.runs[-1])
    ]


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
