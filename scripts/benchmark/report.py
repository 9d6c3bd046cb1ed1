"""The results as a page for people and as raw numbers."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from contest import PICTURE, Contest, Score


@dataclass(frozen=True)
class Machine:
    """What the numbers depend on, and nothing that names the machine."""

    cores: int
    processor: str
    system: str
    ffmpeg: str
    snap: str

    @staticmethod
    def here(snap: Path) -> Machine:
        ffmpeg = _output(["ffmpeg", "-version"]).split()[2:3]
        return Machine(
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
            processor=_processor(),
            system=_system(),
            ffmpeg=ffmpeg[0] if ffmpeg else "unknown",
            snap=_output([str(snap), "--version"]).split("\n")[0].removeprefix("snap "),
        )

    def __str__(self) -> str:
        return f"{self.cores} cores of {self.processor}, {self.system}, FFmpeg {self.ffmpeg}, snap {self.snap}"


def table(scores: list[Score]) -> str:
    """A Markdown table with a row for each entrant of each contest."""
    delays = sorted({score.delay for score in scores})
    head = ["picture", "stream", "taken by", "frame", "requests", "connections", "received KB", "sent KB"]
    for delay in delays:
        head += [f"ms, {_delay(delay)}", "peer/snap"]
    rows = []
    for contest, entrants in _grouped(scores):
        for name, by_delay in entrants.items():
            rows.append(_row(contest, name, [by_delay[delay] for delay in delays], entrants))
    lines = ["| " + " | ".join(head) + " |", "|---" * 4 + "|--:" * (len(head) - 4) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def page(case_name: str, title: str, introduction: str, machine: Machine, scores: list[Score]) -> str:
    repeats = max(len(score.runs) for score in scores)
    return f"""# {title}

Written by `scripts/bench {case_name}`; the raw numbers are in [{case_name}.json]({case_name}.json).

{introduction}

A server on the same machine answers at once, or each request 50 ms late, as one far away would. A time is from the
start of a process to its end, the median of {repeats} runs in turns, with the shortest and the longest. *Received* is
what reached the client's socket, *sent* what left the server before the client closed the connection. Every frame has
its number drawn into it, and the number is read from every picture: a time counts only when it is the right frame.

Measured on {_today()} with {machine}.
Times depend on the machine, ratios less so.

{table(scores)}
"""


def raw(case_name: str, machine: Machine, scores: list[Score], base_url: str) -> str:
    """Every run, as JSON: a line for each entrant, so that two files can be compared by line."""

    def generic(argument: str, snap: str) -> str:
        return "snap" if argument == snap else argument.replace(base_url, "URL").replace(PICTURE, "picture.jpg")

    results = [
        {
            "picture": score.contest.picture,
            "stream": score.contest.source,
            "entrant": score.entrant.name,
            "command": " ".join(generic(word, score.contest.entrants[0].command[0]) for word in score.entrant.command),
            "delayMilliseconds": round(1000 * score.delay),
            "expectedFrame": score.contest.frame,
            "runs": [
                {
                    "status": run.status,
                    "frame": run.frame,
                    "milliseconds": round(1000 * run.seconds, 1),
                    "requests": len(run.traffic.requests),
                    "connections": run.traffic.connections,
                    "received": run.traffic.received,
                    "sent": run.traffic.sent,
                }
                for run in score.runs
            ],
        }
        for score in scores
    ]
    facts = json.dumps({"case": case_name, "measured": _today(), "machine": vars(machine)})
    lines = ",\n".join(json.dumps(result) for result in results)
    return f'{facts[:-1]}, "results": [\n{lines}\n]}}\n'


def failures(scores: list[Score]) -> tuple[list[str], list[str]]:
    """What snap got wrong or paid too much for, in words; and what only took too long."""
    failed, slow = [], []
    for score in scores:
        contest, budget, last = score.contest, score.contest.budget, score.runs[-1]
        if score.entrant is not contest.entrants[0]:
            continue
        where = f"{contest.picture}, {contest.source}, {_delay(score.delay)}"
        asked = "; ".join(last.traffic.requests)
        if not score.is_right:
            got = "no picture that can be read" if last.frame is None else f"frame {last.frame}"
            failed.append(f"{where}: {got} instead of frame {contest.frame} (exit {last.status}) {last.message}")
        if budget.requests is not None and score.requests > budget.requests:
            failed.append(f"{where}: {score.requests} requests, and {budget.requests} is the budget: {asked}")
        size = score.sent if score.received is None else score.received
        if budget.received is not None and size > budget.received:
            failed.append(f"{where}: {size} bytes, and {budget.received} is the budget: {asked}")
        if budget.seconds is not None and score.seconds > budget.seconds:
            slow.append(f"{where}: {score.seconds:.3f} s, and {budget.seconds} s is the budget")
    return failed, slow


def _row(contest: Contest, name: str, scores: list[Score], entrants: dict[str, dict[float, Score]]) -> list[str]:
    snap = entrants[contest.entrants[0].name]
    received = [score.received for score in scores if score.received is not None]
    cells = [contest.picture, contest.source, name, _verdict(scores)]
    cells += [str(max(score.requests for score in scores)), str(max(score.connections for score in scores))]
    cells += [_kilobytes(max(received)) if received else "?", _kilobytes(max(score.sent for score in scores))]
    for score in scores:
        if not score.is_right:
            cells += ["–", "–"]
            continue
        low, high = score.spread
        ratio = f"{score.seconds / snap[score.delay].seconds:.1f}x" if snap[score.delay].is_right else "–"
        cells += [f"{1000 * score.seconds:.0f} ({1000 * low:.0f}–{1000 * high:.0f})", ratio]
    return cells


def _verdict(scores: list[Score]) -> str:
    """Which frame it was."""
    wrong = next((score for score in scores if not score.is_right), None)
    if wrong is None:
        return "right"
    last = wrong.runs[-1]
    return f"**none**, exit {last.status}" if last.frame is None else f"**wrong** ({last.frame}), exit {last.status}"


def _grouped(scores: list[Score]) -> list[tuple[Contest, dict[str, dict[float, Score]]]]:
    """The scores by contest, entrant and delay, in the order in which the entrants were named."""
    grouped: dict[tuple[str, str], tuple[Contest, dict[str, dict[float, Score]]]] = {}
    for score in scores:
        contest = score.contest
        _, entrants = grouped.setdefault((contest.picture, contest.source), (contest, {}))
        entrants.setdefault(score.entrant.name, {})[score.delay] = score
    return list(grouped.values())


def _delay(seconds: float) -> str:
    return "at once" if seconds == 0 else f"{1000 * seconds:.0f} ms late"


def _kilobytes(count: int) -> str:
    return f"{count / 1000:,.0f}"


def _today() -> str:
    return f"{datetime.now(timezone.utc):%Y-%m-%d}"


def _processor() -> str:
    if platform.system() == "Darwin":
        return _output(["sysctl", "-n", "machdep.cpu.brand_string"]).strip()
    facts = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    names = [line.partition(":")[2].strip() for line in facts if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _system() -> str:
    if platform.system() == "Darwin":
        return f"macOS {platform.mac_ver()[0]}"
    facts = dict(line.partition("=")[::2] for line in Path("/etc/os-release").read_text().splitlines())
    return facts.get("PRETTY_NAME", "Linux").strip('"')


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
