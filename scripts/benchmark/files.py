"""The case `files`: one picture of a file, many pictures of a file, and the start of the command itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import clips
import plot
import race
import studies
from peers import Peers
from race import Contest, Entrant, Score
from report import Machine, Report, spread
from studies import Copy, Study

TITLE = "Pictures of a file"
INTRODUCTION = """\
One picture of a file, many pictures of a file, and the start of the command itself; everybody's work is the same: from
the start of the process to a JPEG on the disk. The videos are 12 s long (2160p: 6 s), 25 frames a second, with a key
frame every 10 s (2160p: 5 s; the small one: 2 s); *exact* is a frame in the middle between two key frames. The film is
the small video over and over, 2 h of it. ffmpeg seeks on its input, which is its best form, and uses all cores; its
form for key frames is `-skip_frame nokey -noaccurate_seek`, the least that gives the right one. *ffmpeg (static)* is
the build that imageio-ffmpeg brings. ffmpegthumbnailer takes only the next key frame behind a time, and is told the time
of the right one. PyAV, OpenCV and decord are used from a short program (libraries.py) whose time is told *without* the
start of Python and its imports, while snap's has the start of its process in it; with many times they do one after the
other, as is usual, and ffmpeg is started once for each time by `xargs -P`, one on each core."""
METHOD = """\
Times are wall clock, the median of {repeats} runs in turns (of short ones more, of long ones fewer), with the shortest
and the longest; the files were read before, so that they come from memory. *CPU* is the time of all processes, in user and system mode;
*memory* is that of the largest process. Every frame has its number drawn into it, and the number is read from every
picture: a time counts only when all pictures are of the right frames. *peer/snap* is how many times as long the other
takes; *at least* is what snap is held to, where it is held to something. *snap* loads the system's FFmpeg; *snap
(release)* is what scripts/build-release makes, with an FFmpeg of its own in it."""


def measure(snap: Path, release: Path | None, machine: Machine, repeats: int, is_quick: bool) -> Report:
    """Everybody in turns. The quick way leaves out what takes long."""
    with TemporaryDirectory(prefix="snap-bench.") as own:
        peers = Peers(snap, release, machine.cores, Path(own))
        contests = _contests(peers)
        scores = race.hold(contests if is_quick else contests + _long_contests(peers), repeats)
        return Report(
            title=TITLE,
            introduction=INTRODUCTION,
            method=METHOD.format(repeats=repeats) + f"\n\nCompared with {', '.join(peers.versions())}.",
            table=f"![How many times as long the others take](files.svg)\n\n{_table(scores)}",
            results=[race.raw(score, peers.paths) for score in scores],
            failed=race.failures(scores),
            slow=race.shortfalls(scores),
            drawings={"files.svg": plot.bars("How many times as long as snap", _bars(scores))},
        )


def _contests(peers: Peers) -> list[Contest]:
    """What most take every day."""
    small, hd = studies.SMALL, studies.HD
    return [
        Contest("start, --version", [], peers.starts(), Path.cwd, turns=5),
        _contest("small, exact", small, "5", [*peers.snap(small, "5"), *peers.ffmpeg(small, "5", 1.9, least_of_release=3.4)], turns=3),
        _contest(
            "small, key frame",
            small,
            "4",
            [
                *peers.snap(small, "5", "--keyframe"),
                peers.ffmpeg_key(small, "5"),
                *peers.thumbnailer(small, 4, 2.0, least_of_release=6.5),
            ],
            turns=3,
        ),
        _contest(
            "1080p, key frame",
            hd,
            "10",
            [
                *peers.snap(hd, "11", "--keyframe"),
                peers.ffmpeg_key(hd, "11", 2.2, least_of_release=4.0),
                *peers.thumbnailer(hd, 10, 2.2, least_of_release=4.0),
            ],
            turns=3,
        ),
        _contest(
            "1080p, exact",
            hd,
            "5",
            [*peers.snap(hd, "5"), *peers.ffmpeg(hd, "5", 1.6), *peers.each_library(hd, ["5"], 1.6)],
        ),
    ]


def _long_contests(peers: Peers) -> list[Contest]:
    """What takes minutes."""
    hd, ts, film, film_ts = studies.HD, studies.TS, studies.FILM, studies.FILM_TS
    found = []
    for name, video, at, least in (
        ("small VP9, exact", studies.VP9_SMALL, "5", 1.4),
        ("small AV1, exact", studies.AV1_SMALL, "5", 1.5),
        ("2160p, exact", studies.UHD, "2.4", 1.6),
        ("HEVC 1080p, exact", studies.HEVC, "5", 1.9),
        ("HEVC 10-bit 1080p, exact", studies.HEVC10, "5", 1.9),
        ("VP9 1080p, exact", studies.VP9_HD, "5", 1.4),
        ("AV1 1080p, exact", studies.AV1_HD, "5", 1.5),
        ("film of 2 h, exact", film, "3601", 1.0),
    ):
        found.append(_contest(name, video, at, [*peers.snap(video, at), *peers.ffmpeg(video, at, least)]))
    full_size = [*peers.snap(hd, "5", width=None), *peers.ffmpeg(hd, "5", 1.0, width=None)]
    found.append(_contest("1080p, exact, full size", hd, "5", full_size))
    for name, copy, at in (("1080p, exact, MPEG-TS", ts, 5), ("film of 2 h, exact, MPEG-TS", film_ts, 3601)):
        found.append(_contest(name, copy, str(at), [*peers.snap(copy, str(at)), peers.ffmpeg_ts(copy, at, 1.0)]))
    for name, video, times, least, rounds in (
        ("20 exact times, 1080p", hd, [f"{0.32 + 0.56 * index:.2f}" for index in range(20)], 3.2, 3),
        ("500 exact times, film of 2 h", film, [f"{3 + 14.36 * index:.2f}" for index in range(500)], 1.0, 1),
    ):
        entrants = [*peers.snap_many(video, times), peers.ffmpeg_many(video, times, least)]
        entrants += peers.each_library(video, times, 1.0)
        frames = [_frame(video, at) for at in times]
        found.append(Contest(name, frames, entrants, lambda video=video: video.folder, rounds=rounds))
    return found


def _contest(name: str, video: Study | Copy, at: str, entrants: list[Entrant], turns: int = 1) -> Contest:
    """One picture, of the frame that begins at a time."""
    return Contest(name, [_frame(video, at)], entrants, lambda: video.folder, turns)


def _frame(video: Study | Copy, at: str) -> int:
    """The number in the frame at a time, which begins again with each repetition of a copy."""
    study = video.study if isinstance(video, Copy) else video
    return int(Fraction(at) * clips.RATE) % (study.seconds * clips.RATE)


def _table(scores: list[Score]) -> str:
    head = "pictures | taken by | right frames | ms | peer/snap | at least | peer/release | at least | CPU ms | memory MB"
    lines = [f"| {head} |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for score in scores:
        right = f"{min(run.right for run in score.runs)} of {score.wanted}" if score.wanted else "–"
        name = f"**{score.entrant.name}**" if score.is_snap or score.entrant.is_release else score.entrant.name
        cells = [score.contest.name, name, right]
        if score.is_right:
            cells += [spread([1000 * each for each in score.all_seconds], digits=0)]
            for to_release, least in ((False, score.entrant.least), (True, score.entrant.least_of_release)):
                measured = race.ratio(score, scores, to_release)
                cells += [f"{measured:.2f}x" if measured else "–", f"{least}x" if least else ""]
            cells += [f"{1000 * score.processor_seconds:.0f}", f"{score.memory / 1e6:.0f}"]
        else:
            cells += [f"exit {score.runs[-1].cost.status}", "–", "", "–", "", "–", "–"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _bars(scores: list[Score]) -> dict[str, list[tuple[str, float]]]:
    """For the drawing: of each contest the others, with how many times as long as snap they take."""
    bars: dict[str, list[tuple[str, float]]] = {}
    for score in scores:
        measured = race.ratio(score, scores)
        is_peer = not score.is_snap and not score.entrant.is_release
        if measured and is_peer and score.entrant.takes_pictures:
            bars.setdefault(score.contest.name, []).append((score.entrant.name, measured))
    return bars
