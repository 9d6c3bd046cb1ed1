"""Cases with a server: what a picture from it costs in time, requests and bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from contest import PICTURE, Contest, Score, hold
from report import Report, spread
from server import Server

METHOD = """\
A server on the same machine answers at once, or each request 50 ms late, as one far away would. A time is from the
start of a process to its end, the median of {repeats} runs in turns, with the shortest and the longest. *Received* is
what reached the client's socket, *sent* what left the server before the client closed the connection. Every frame has
its number drawn into it, and the number is read from every picture: a time counts only when it is the right frame."""


class Case(Protocol):
    """A module: what it is, how late the server answers, the folder that is served, and the pictures to be taken."""

    TITLE: str
    INTRODUCTION: str
    DELAYS: list[float]

    def prepare(self) -> Path: ...

    def contests(self, snap: Path, url: str) -> list[Contest]: ...


def measure(case: Case, snap: Path, repeats: int) -> Report:
    with Server(case.prepare()) as server:
        scores = hold(case.contests(snap, server.url), server, case.DELAYS, repeats)
        failed, slow = _failures(scores)
        return Report(
            title=case.TITLE,
            introduction=case.INTRODUCTION,
            method=METHOD.format(repeats=repeats),
            table=_table(scores),
            results=[_result(score, server.url) for score in scores],
            failed=failed,
            slow=slow,
        )


def _table(scores: list[Score]) -> str:
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


def _result(score: Score, base_url: str) -> dict[str, object]:
    """Every run of an entrant."""

    def generic(argument: str, snap: str) -> str:
        return "snap" if argument == snap else argument.replace(base_url, "URL").replace(PICTURE, "picture.jpg")

    return {
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


def _failures(scores: list[Score]) -> tuple[list[str], list[str]]:
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
        ratio = f"{score.seconds / snap[score.delay].seconds:.1f}x" if snap[score.delay].is_right else "–"
        cells += [spread([1000 * run.seconds for run in score.runs], digits=0), ratio]
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
