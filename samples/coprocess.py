#!/usr/bin/env python3
"""Takes pictures through one `snap worker`: a client to copy into a program in Python, or to translate.

Needs the standard library only. The protocol is in docs/worker.md.

Usage: samples/coprocess.py VIDEO…
Three small pictures of each video go to the folder `thumbnails`. SNAP names the command; without it, it is `snap`.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any


class WorkerError(Exception):
    """The worker can't be started, or ended before it answered."""


@dataclass(frozen=True)
class Picture:
    """A reply: the receipt of a picture, or of a failure, and the picture itself unless it went to a file."""

    receipt: dict[str, Any]
    data: bytes | None


class Request(Future[list[Picture]]):
    """What becomes of a request: `result()` waits for its pictures, and gives them in the order asked for."""

    def __init__(self, identifier: int) -> None:
        super().__init__()
        self.identifier = identifier
        self.pictures: list[Picture] = []
        self.set_running_or_notify_cancel()  # Only the worker can give it up: see Worker.cancel.


class Worker:
    """A running `snap worker`; a context manager, which ends when all requests are done. Any thread may use it."""

    def __init__(self, *options: str, snap: str = "snap") -> None:
        self._command = [snap, "worker", *options]
        self._identifiers = itertools.count(1)
        self._requests: dict[int, Request] = {}
        # Two locks: while the worker has enough to do, writing waits, and replies must be read all the same.
        self._bookkeeping, self._writing = threading.Lock(), threading.Lock()

    def ask(self, source: str, **options: Any) -> Request:
        """Asks for pictures, with the options of the command: `at`, `size`, `on_damage`…, `output`, `deliver`."""
        with self._bookkeeping:
            request = Request(next(self._identifiers))
            self._requests[request.identifier] = request
        words = {name.replace("_", "-"): value for name, value in options.items()}
        self._send({"id": request.identifier, "source": source, **words})
        return request

    def cancel(self, request: Request) -> None:
        """Gives up what is not there yet; the last reply then says `cancelled`, unless the request is done already."""
        self._send({"cancel": request.identifier})

    def __enter__(self) -> Worker:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin and self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout
        greeting = self._output.readline()
        if not greeting or json.loads(greeting)["protocol"] != 1:
            raise WorkerError(f"{self._command[0]} does not speak the first version of the protocol")
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, error: object, *_: object) -> None:
        with contextlib.suppress(WorkerError, BrokenPipeError):
            for request in list(self._requests.values()) if error else []:
                self.cancel(request)
            self._input.close()
        self._reader.join()
        self._output.close()
        if self._process.wait() != 0 and not error:
            raise WorkerError(f"the worker ended with {self._process.returncode}")

    def _send(self, line: dict[str, Any]) -> None:
        try:
            with self._writing:
                self._input.write(json.dumps(line).encode() + b"\n")
                self._input.flush()
        except BrokenPipeError:
            raise WorkerError("the worker has ended") from None

    def _read(self) -> None:
        """Hands out the replies, in a thread of its own."""
        for line in self._output:
            receipt = json.loads(line)
            data = None
            if receipt["payload"]:
                data = self._output.read(receipt["payload"])
                self._output.readline()  # The newline behind it.
            elif "data" in receipt:
                data = base64.b64decode(receipt.pop("data"))
            with self._bookkeeping:
                request = self._requests[receipt["id"]]
                if receipt["last"]:
                    del self._requests[receipt["id"]]
            request.pictures.append(Picture(receipt, data))
            if receipt["last"]:
                request.set_result(sorted(request.pictures, key=lambda picture: picture.receipt["picture"] or 0))
        with self._bookkeeping:
            for request in self._requests.values():
                request.set_exception(WorkerError("the worker ended before it answered"))


def main() -> int:
    if len(sys.argv) < 2:
        print("Usage: samples/coprocess.py VIDEO…", file=sys.stderr)
        return 64
    os.makedirs("thumbnails", exist_ok=True)
    failed = 0
    with Worker("--size", "320", snap=os.environ.get("SNAP", "snap")) as worker:
        # All are asked for at once; the worker takes as many at a time as there are cores.
        times = ["10%", "50%", "90%"]
        small = [worker.ask(name, at=times, output="thumbnails/{stem}-{index}.jpg") for name in sys.argv[1:]]
        poster = worker.ask(sys.argv[1], keyframe=True, at="50%", size=640, deliver="bytes")
        for request in small:
            for picture in request.result():
                receipt = picture.receipt
                failed += receipt["status"] == "failed"
                print(receipt["output"] or f"{receipt['source']}: {receipt['message']}")
        for picture in poster.result():
            print(f"and a larger one in memory: {len(picture.data or b'')} bytes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
