"""Runs a benchmark; scripts/bench calls this with all that it needs in place."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import contest
import hls
import remote
import report
from clips import ClipError
from server import Server, ServerError

# A case is a module: what it is (TITLE, INTRODUCTION), how late the server answers (DELAYS), the folder that is served
# (prepare), and the pictures to be taken (contests).
CASES = {"hls": hls, "remote": remote}
REPEATS = 7
QUICK_REPEATS = 3


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--snap", type=Path, required=True)
    parser.add_argument("--pages", type=Path, help="where the page and the raw numbers go; nowhere when not given")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    case = CASES[options.case]

    with Server(case.prepare()) as server:
        contests = case.contests(options.snap, server.url)
        scores = contest.hold(contests, server, case.DELAYS, QUICK_REPEATS if options.quick else REPEATS)
        machine = report.Machine.here(options.snap)
        print(f"{machine}\n\n{report.table(scores)}")
        if options.pages:
            options.pages.mkdir(parents=True, exist_ok=True)
            page = report.page(options.case, case.TITLE, case.INTRODUCTION, machine, scores)
            (options.pages / f"{options.case}.md").write_text(page)
            (options.pages / f"{options.case}.json").write_text(report.raw(options.case, machine, scores, server.url))

    failed, slow = report.failures(scores)
    for sentence in slow:
        print(f"bench: slow (a noisy machine?): {sentence}", file=sys.stderr)
    for sentence in failed:
        print(f"bench: failed: {sentence}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ClipError, ServerError) as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(70)
    except KeyboardInterrupt:
        sys.exit(130)
