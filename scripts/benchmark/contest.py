"""Who takes the same picture with the least time, requests and bytes.

Entrants run in turn (A B, B A, …), so that what else the machine does meets all of them, and a time counts only when
the picture is the right frame.
"""

from __future__ import annotations

import hashlib
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pattern
from server import Server, Traffic

# Stands in a command for the file that the picture is to be written to.
PICTURE = "{picture}"

# Longer than anything here should take: what takes longer hangs.
PATIENCE = 60.0


@dataclass(frozen=True)
class Entrant:
    """A way to take a picture."""

    name: str
    command: list[str]


@dataclass(frozen=True)
class Budget:
    """What a picture may cost snap; None is not limited.

    More seconds than that are only warned about, since machines are noisy.
    """

    requests: int | None = None
    received: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Contest:
    """One picture that all entrants take; the first of them is snap."""

    picture: str
    source: str
    frame: int
    entrants: list[Entrant]
    budget: Budget = Budget()


@dataclass(frozen=True)
class Run:
    """What one run of an entrant came to."""

    status: int
    frame: int | None
    seconds: float
    traffic: Traffic
    message: str


@dataclass
class Score:
    """All runs of an entrant in a contest, each response `delay` seconds late."""

    contest: Contest
    entrant: Entrant
    delay: float
    runs: list[Run] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return all(run.status == 0 and run.frame == self.contest.frame for run in self.runs)

    @property
    def seconds(self) -> float:
        return statistics.median(run.seconds for run in self.runs)

    @property
    def requests(self) -> int:
        return max(len(run.traffic.requests) for run in self.runs)

    @property
    def connections(self) -> int:
        return max(run.traffic.connections for run in self.runs)

    @property
    def sent(self) -> int:
        return int(statistics.median(run.traffic.sent for run in self.runs))

    @property
    def received(self) -> int | None:
        received = [run.traffic.received for run in self.runs if run.traffic.received is not None]
        return int(statistics.median(received)) if received else None


def hold(contests: list[Contest], server: Server, delays: list[float], repeats: int) -> list[Score]:
    """Runs everybody `repeats` times at each delay, after a round that warms up and does not count.

    An entrant whose picture is wrong is not run again: its time would not count.
    """
    scores = [Score(contest, each, delay) for contest in contests for delay in delays for each in contest.entrants]
    with TemporaryDirectory(prefix="snap-bench.") as folder:
        judge = _Judge(Path(folder))
        for repeat in range(-1, repeats):
            print(f"bench: round {repeat + 1} of {repeats}" if repeat >= 0 else "bench: warming up", file=sys.stderr)
            # Every other round goes backwards: nobody always runs after the same one.
            for score in scores if repeat % 2 == 0 else reversed(scores):
                if repeat < 0 and score.delay == delays[0]:
                    judge.run(score.entrant, server)
                elif repeat >= 0 and score.is_right:
                    server.delay = score.delay
                    score.runs.append(judge.run(score.entrant, server))
            server.delay = delays[0]
    return scores


class _Judge:
    """Runs entrants and reads their pictures."""

    def __init__(self, folder: Path) -> None:
        self._picture = folder / "picture.jpg"
        self._numbers: dict[bytes, int | None] = {}

    def run(self, entrant: Entrant, server: Server) -> Run:
        self._picture.unlink(missing_ok=True)
        command = [argument.replace(PICTURE, str(self._picture)) for argument in entrant.command]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            _, errors = process.communicate()
        seconds = time.perf_counter() - started
        message = errors.decode(errors="replace").strip()
        return Run(process.returncode, self._frame(), seconds, server.take_traffic(), message)

    def _frame(self) -> int | None:
        if not self._picture.exists():
            return None
        # The same bytes say the same.
        digest = hashlib.sha256(self._picture.read_bytes()).digest()
        if digest not in self._numbers:
            self._numbers[digest] = pattern.read_number(self._picture)
        return self._numbers[digest]
