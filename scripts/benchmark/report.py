"""The results as a page for people and as raw numbers."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path


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


@dataclass(frozen=True)
class Report:
    """What a case came to, for its page and its raw numbers."""

    title: str
    introduction: str
    method: str
    table: str
    # As JSON, a line for each, so that two files can be compared by line.
    results: list[dict[str, object]]
    # What snap got wrong or paid too much for, in words; and what only took too long.
    failed: list[str]
    slow: list[str]
    # By the names of their files, beside the page.
    drawings: dict[str, str] = field(default_factory=dict)


def page(case_name: str, report: Report, machine: Machine) -> str:
    return f"""# {report.title}

Written by `scripts/bench {case_name}`; the raw numbers are in [{case_name}.json]({case_name}.json).

{report.introduction}

{report.method}

Measured on {_today()} with {machine}.
Times depend on the machine, ratios less so.

{report.table}
"""


def raw(case_name: str, report: Report, machine: Machine) -> str:
    facts = json.dumps({"case": case_name, "measured": _today(), "machine": vars(machine)})
    lines = ",\n".join(json.dumps(result) for result in report.results)
    return f'{facts[:-1]}, "results": [\n{lines}\n]}}\n'


def spread(values: Sequence[float], digits: int) -> str:
    """The median, with the least and the most."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


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
