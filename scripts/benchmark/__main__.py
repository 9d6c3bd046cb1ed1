"""Runs a benchmark; scripts/bench calls this with all that it needs in place."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import batch
import files
import hls
import network
import remote
import report
import telling
from clips import ClipError
from report import Machine, Report
from server import ServerError

CASES = ["files", "hls", "remote", "batch", "telling"]
REPEATS = 7
QUICK_REPEATS = 3


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--snap", type=Path, required=True)
    parser.add_argument("--release", type=Path, help="a release's command, measured beside the other in files")
    parser.add_argument("--pages", type=Path, help="where the page and the raw numbers go; nowhere when not given")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()

    machine = Machine.here(options.snap)
    result = measure(options.case, options.snap, options.release, machine, options.quick)
    print(f"{machine}\n\n{result.table}")
    if options.pages:
        options.pages.mkdir(parents=True, exist_ok=True)
        (options.pages / f"{options.case}.md").write_text(report.page(options.case, result, machine))
        (options.pages / f"{options.case}.json").write_text(report.raw(options.case, result, machine))
        for name, drawing in result.drawings.items():
            (options.pages / name).write_text(drawing)

    for sentence in result.slow:
        print(f"bench: slow (a noisy machine?): {sentence}", file=sys.stderr)
    for sentence in result.failed:
        print(f"bench: failed: {sentence}", file=sys.stderr)
    return 1 if result.failed else 0


def measure(case: str, snap: Path, release: Path | None, machine: Machine, is_quick: bool) -> Report:
    repeats = QUICK_REPEATS if is_quick else REPEATS
    if case == "files":
        return files.measure(snap, release, machine, repeats, is_quick)
    if case == "batch":
        return batch.measure(snap, machine, repeats)
    if case == "telling":
        return telling.measure(snap)
    return network.measure(hls if case == "hls" else remote, snap, repeats)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ClipError, ServerError) as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(70)
    except KeyboardInterrupt:
        sys.exit(130)
