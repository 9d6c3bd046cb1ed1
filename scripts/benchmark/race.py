"""Who takes the same pictures of files with the least time and memory.

Entrants run in turn (A B, B A, …), so that what else the machine does meets all of them, and a time counts only when
all pictures are the right frames.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pattern
from process import Cost, run

# Stands in a command, or in what it is given to read, for the folder that the pictures are to be written to.
PICTURES = "{pictures}"

# Longer than anything here should take: what takes longer hangs.
PATIENCE = 600.0


@dataclass(frozen=True)
class Entrant:
    """A way to take the pictures."""

    name: str
    command: list[str]
    # What it reads from standard input.
    given: str = ""
    # How many times as long as snap it has to take at least; more is better. None asks nothing.
    least: float | None = None
    # The same of a release of snap.
    least_of_release: float | None = None
    is_release: bool = False
    # The command prints {"seconds": …, "processorSeconds": …}: what the work took, without starting an interpreter.
    tells_time: bool = False
    takes_pictures: bool = True
    # Of the files that its pictures are in, in order; 1.jpg, 2.jpg and so on when not given.
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contest:
    """The pictures that all entrants take; the first of them is snap."""

    name: str
    # The frames that the pictures are of, in order.
    frames: list[int]
    entrants: list[Entrant]
    # Tells where the videos are, and makes them if need be.
    folder: Callable[[], Path]
    # How many runs count for one: short ones are measured more often.
    turns: int = 1
    # In how many rounds at most: long ones are measured less often, and need no warming up.
    rounds: int | None = None


@dataclass(frozen=True)
class Run:
    """What one run of an entrant came to; `right` is how many pictures are of the right frame."""

    cost: Cost
    right: int


@dataclass
class Score:
    """All runs of an entrant in a contest."""

    contest: Contest
    entrant: Entrant
    runs: list[Run] = field(default_factory=list)

    @property
    def is_snap(self) -> bool:
        return self.entrant is self.contest.entrants[0]

    @property
    def wanted(self) -> int:
        return len(self.contest.frames) if self.entrant.takes_pictures else 0

    @property
    def is_right(self) -> bool:
        return all(run.cost.status == 0 and run.right == self.wanted for run in self.runs)

    @property
    def seconds(self) -> float:
        return statistics.median(self.all_seconds)

    @property
    def all_seconds(self) -> list[float]:
        return [run.cost.seconds for run in self.runs]

    @property
    def processor_seconds(self) -> float:
        return statistics.median(run.cost.processor_seconds for run in self.runs)

    @property
    def least(self) -> str:
        """What snap is held to, for a table."""
        return f"{self.entrant.least}x" if self.entrant.least else ""

    @property
    def memory(self) -> int:
        return max(run.cost.memory for run in self.runs)


def hold(contests: Sequence[Contest], repeats: int) -> list[Score]:
    """Runs everybody `repeats` times in turns, after a round that warms up and does not count.

    An entrant whose pictures are wrong is not run again: its time would not count.
    """
    scores = [Score(contest, entrant) for contest in contests for entrant in contest.entrants]
    for repeat in range(-1, repeats):
        print(f"bench: round {repeat + 1} of {repeats}" if repeat >= 0 else "bench: warming up", file=sys.stderr)
        for contest in contests:
            if contest.rounds is not None and not 0 <= repeat < contest.rounds:
                continue
            held = [score for score in scores if score.contest is contest]
            for turn in range(contest.turns if repeat >= 0 else 1):
                # Every other round goes backwards: nobody always runs after the same one.
                for score in held if (repeat + turn) % 2 == 0 else reversed(held):
                    if score.is_right:
                        if repeat == 0 and turn == 0:
                            score.runs.clear()
                        score.runs.append(_run(score.entrant, contest))
    return scores


def ratio(score: Score, scores: Sequence[Score], to_release: bool = False) -> float | None:
    """How many times as long as snap an entrant takes; None where one of the two is wrong or not there."""
    for snap in scores:
        is_meant = snap.entrant.is_release if to_release else snap.is_snap
        if snap.contest is score.contest and is_meant:
            return score.seconds / snap.seconds if snap.is_right and score.is_right else None
    return None


def raw(score: Score, tools: dict[str, str]) -> dict[str, object]:
    """Every run of an entrant; `tools` are the names of what has a path of this machine."""
    words = [*score.entrant.command, *score.entrant.given.split("\n")[:2]]
    command = " ".join(words).replace(PICTURES, "pictures").strip()
    for path, name in tools.items():
        command = command.replace(path, name)
    return {
        "contest": score.contest.name,
        "entrant": score.entrant.name,
        "command": command,
        "pictures": score.wanted,
        "runs": [
            {
                "status": run.cost.status,
                "rightFrames": run.right,
                "milliseconds": round(1000 * run.cost.seconds, 1),
                "processorMilliseconds": round(1000 * run.cost.processor_seconds, 1),
                "memoryBytes": run.cost.memory,
            }
            for run in score.runs
        ],
    }


def failures(scores: Sequence[Score]) -> list[str]:
    """What snap got wrong, in words; what others did stands in the table."""
    return [
        f"{score.contest.name}: {last.right} of {score.wanted} pictures are right"
        f" (exit {last.cost.status}) {last.cost.message[-300:]}"
        for score in scores
        if (score.is_snap or score.entrant.is_release) and not score.is_right and (last := score.runs[-1])
    ]


def shortfalls(scores: Sequence[Score]) -> list[str]:
    """Where snap is not as many times as fast as it has to be."""
    found = []
    for score in scores:
        entrant = score.entrant
        for name, least in (("snap", entrant.least), ("the release", entrant.least_of_release)):
            measured = ratio(score, scores, to_release=name != "snap")
            if least and measured and measured < least:
                found.append(f"{score.contest.name}: {name} is {measured:.2f}x {entrant.name}, not {least}x")
    return found


def _run(entrant: Entrant, contest: Contest) -> Run:
    with TemporaryDirectory(prefix="snap-bench.") as folder:
        command = [word.replace(PICTURES, folder) for word in entrant.command]
        cost = run(command, PATIENCE, contest.folder(), entrant.given.replace(PICTURES, folder))
        if entrant.tells_time and cost.status == 0:
            told = json.loads(cost.output)
            cost = Cost(
                cost.status, told["seconds"], told["processorSeconds"], cost.memory, cost.output, cost.message
            )
        names = entrant.names or [f"{index + 1}.jpg" for index in range(len(contest.frames))]
        return Run(cost, _right(Path(folder), names, contest.frames) if entrant.takes_pictures else 0)


def _right(folder: Path, names: Sequence[str], frames: list[int]) -> int:
    """How many of the pictures are of the right frames."""
    there = [(folder / name, frame) for name, frame in zip(names, frames) if (folder / name).exists()]
    # Numbered, they are read by one process.
    for index, (path, _) in enumerate(there):
        path.rename(folder / f"read-{index:04}.jpg")
    numbers = pattern.read_numbers(folder / "read-%04d.jpg")
    return sum(number == frame for number, (_, frame) in zip(numbers, there))
