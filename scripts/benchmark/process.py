"""Runs a command to its end, and tells what it took."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class Cost:
    """What a command took, with all the processes that it waited for."""

    status: int
    seconds: float
    # In user and system mode.
    processor_seconds: float
    # In bytes, of the largest of the processes.
    memory: int
    output: str
    message: str


def run(command: list[str], patience: float, folder: Path | None = None, given: str = "") -> Cost:
    """Runs a command in a folder, with a text on its standard input; one that takes longer than `patience` is ended."""
    with TemporaryDirectory(prefix="snap-bench.") as own:
        paths = [Path(own) / name for name in ("input", "output", "errors")]
        paths[0].write_text(given)
        with paths[0].open() as stdin, paths[1].open("w") as stdout, paths[2].open("w") as errors:
            started = time.perf_counter()
            process = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=stdout, stderr=errors)
            watch = threading.Timer(patience, process.kill)
            watch.start()
            # Not wait(): this tells what the process, and all that it waited for itself, have used.
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            watch.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        return Cost(
            status=process.returncode,
            seconds=seconds,
            processor_seconds=usage.ru_utime + usage.ru_stime,
            memory=usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            output=paths[1].read_text(errors="replace"),
            message=paths[2].read_text(errors="replace").strip(),
        )
