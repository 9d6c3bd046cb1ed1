"""Speaks with `snap worker` as other programs would: docs/worker.md, from the outside.

    python3 Tests/Coprocess/coprocess_test.py /path/to/snap [a test's name…]

Tests/SnapCLITests/CoprocessTests.swift runs it. What a picture must be is what the command writes for the same options,
which the other tests check against oracles of their own: byte for byte.
"""

from __future__ import annotations

import base64
import functools
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SAMPLES))
import coprocess

snap = "snap"

# Longer than anything here takes on a busy machine: what takes longer hangs.
PATIENCE = 120.0

# Of a source and options, by turns cheap and dear: exact frames far behind a key frame, sizes, formats, turned,
# interlaced and unevenly timed pictures.
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("sunset.mp4", {"at": "0"}),
    ("sunset.mp4", {"at": "1.0", "size": "160"}),
    ("sunset.mp4", {"at": 1.5, "size": 160}),
    ("sunset.mp4", {"at": "2.96", "size": 320}),
    ("sunset.mp4", {"at": ["50%"], "size": "x180", "quality": 60}),
    ("sunset.mp4", {"at": "4.2", "keyframe": True, "size": 320}),
    ("sunset.mp4", {"at": "end", "size": 96, "format": "png"}),
    ("sunset.mp4", {"at": "frame:30", "size": "64x64", "fit": "pad", "background": "#205080"}),
    ("sunset.mp4", {"at": "0.5", "size": 128, "progressive": True, "subsampling": "444"}),
    ("portrait.mp4", {"at": "1.5"}),
    ("portrait.mp4", {"at": "1.5", "no-rotate": True, "size": 100}),
    ("portrait.mp4", {"at": "25%", "size": 50, "format": "png"}),
    ("fractal.webm", {"at": "0.02", "size": 200}),
    ("fractal.webm", {"at": "1.1", "size": 200}),
    ("broadcast.ts", {"at": "2", "size": 176}),
    ("broadcast.ts", {"at": "0.2", "keep-sar": True, "deinterlace": "off"}),
]


@dataclass(frozen=True)
class Reply:
    """A line that the worker wrote, and what followed it."""

    facts: dict[str, Any]
    payload: bytes

    @property
    def data(self) -> bytes:
        """The picture that came in the reply, either way."""
        return base64.b64decode(self.facts["data"], validate=True) if "data" in self.facts else self.payload


class Conversation:
    """A worker, spoken to line by line, in a folder of its own with the samples in it."""

    def __init__(self, *options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="coprocess."))
        for clip in ("sunset.mp4", "portrait.mp4", "fractal.webm", "broadcast.ts"):
            shutil.copy(SAMPLES / clip, self.folder / clip)
        (self.folder / "out").mkdir()
        self.errors = tempfile.TemporaryFile()
        # A session of its own, so that everything it starts can be told from the rest.
        self.process = subprocess.Popen(
            [snap, "worker", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=self.folder,
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout
        self.greeting: dict[str, Any] = json.loads(self.output.readline())
        self._replies: queue.Queue[Reply | Exception | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Conversation:
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.input, self.output, self.errors):
            try:
                file.close()
            except BrokenPipeError:
                pass
        shutil.rmtree(self.folder)

    def send(self, *lines: dict[str, Any] | bytes) -> None:
        for line in lines:
            self.input.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.input.flush()

    def receive(self) -> Reply | None:
        """The next reply; None at the end."""
        reply = self._replies.get(timeout=PATIENCE)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def reply(self) -> Reply:
        reply = self.receive()
        assert reply is not None, f"the worker ended: {self.process.wait()} {self.messages}"
        return reply

    def until_done(self, *identifiers: object) -> list[Reply]:
        """All replies until those requests had their last ones."""
        missing = list(identifiers)
        replies = []
        while missing:
            replies.append(self.reply())
            if replies[-1].facts["last"]:
                missing.remove(replies[-1].facts["id"])
        return replies

    def until_end(self) -> list[Reply]:
        replies = []
        while (reply := self.receive()) is not None:
            replies.append(reply)
        return replies

    def end(self) -> int:
        """Nothing more is asked for: its exit code."""
        self.input.close()
        assert self.until_end() == []
        return self.process.wait(timeout=PATIENCE)

    @property
    def messages(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def _read(self) -> None:
        try:
            for line in self.output:
                facts = json.loads(line)
                payload = self.output.read(facts["payload"])
                if len(payload) != facts["payload"] or (payload and self.output.read(1) != b"\n"):
                    raise ValueError(f"payload of {len(payload)} bytes behind {facts}")
                self._replies.put(Reply(facts, payload))
            self._replies.put(None)
        except Exception as error:  # Whatever it is, the test that waits must learn of it.
            self._replies.put(error)


@functools.cache
def _written_by_command(source: str, words: tuple[str, ...], extension: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="coprocess.") as folder:
        picture = Path(folder) / f"picture.{extension}"
        subprocess.run([snap, SAMPLES / source, *words, "-o", picture], check=True, capture_output=True)
        return picture.read_bytes()


def expected(source: str, options: dict[str, Any]) -> bytes:
    """The picture that the command writes with these options."""
    words: list[str] = []
    for name, value in options.items():
        if value is True:
            words.append(f"--{name}")
        else:
            words += [f"--{name}", ",".join(value) if isinstance(value, list) else str(value)]
    return _written_by_command(source, tuple(words), options.get("format", "jpg"))


class CoprocessTests(unittest.TestCase):
    def test_a_greeting_tells_the_protocol_and_how_many_are_worked_on_at_a_time(self) -> None:
        with Conversation("-j", "3") as worker:
            self.assertEqual((worker.greeting["protocol"], worker.greeting["jobs"]), (1, 3))
            version = subprocess.run([snap, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertIn(worker.greeting["snap"], version)
            self.assertEqual(worker.end(), 0)

    def test_a_thousand_requests_at_once_get_the_pictures_that_the_command_writes(self) -> None:
        chance = random.Random(1)
        asked: dict[object, tuple[str, dict[str, Any], str]] = {}
        with Conversation("-j", "3") as worker:
            lines = []
            for number in range(1000):
                # The number 7 and the text "7" are two ids.
                identifier = number if number % 2 else str(number - 1)
                source, options = ("missing.mp4", {"at": "1"}) if number % 50 == 0 else chance.choice(KINDS)
                deliver = chance.choice(["file", "base64", "bytes"])
                line = {"id": identifier, "source": source, **options, "deliver": deliver}
                if deliver == "file":
                    line["output"] = f"out/{number}.{options.get('format', 'jpg')}"
                asked[identifier] = (source, options, line.get("output", deliver))
                lines.append(line)
            threading.Thread(target=worker.send, args=lines, daemon=True).start()
            replies = worker.until_done(*asked)
            self.assertEqual(len(replies), 1000)
            for reply in replies:
                facts = reply.facts
                source, options, delivered = asked.pop(facts["id"])
                where = f"{source} {options} {delivered}: {json.dumps(facts)[:300]}"
                picture = None if source == "missing.mp4" else 0
                self.assertEqual((facts["picture"], facts["last"], facts["source"]), (picture, True, source), where)
                if source == "missing.mp4":
                    self.assertEqual((facts["status"], facts["code"]), ("failed", "not-found"), where)
                    self.assertFalse("data" in facts or reply.payload, where)
                    continue
                self.assertEqual(facts["status"], "ok", where)
                self.assertEqual("data" in facts, delivered == "base64", where)
                self.assertEqual(facts["payload"] > 0, delivered == "bytes", where)
                if delivered in ("base64", "bytes"):
                    self.assertIsNone(facts["output"], where)
                    picture = reply.data
                else:
                    self.assertEqual(facts["output"], delivered, where)
                    picture = (worker.folder / delivered).read_bytes()
                self.assertEqual(len(picture), facts["bytes"], where)
                self.assertTrue(picture == expected(source, options), f"another picture: {where}")
            self.assertEqual(asked, {})
            self.assertEqual(worker.end(), 0)
            self.assertEqual(worker.messages, "")

    def test_more_requests_than_may_wait_are_all_answered(self) -> None:
        with Conversation("-j", "2") as worker:
            lines = [{"id": number, "source": "missing.mp4"} for number in range(5000)]
            threading.Thread(target=worker.send, args=lines, daemon=True).start()
            replies = worker.until_done(*range(5000))
            self.assertEqual(sorted(reply.facts["id"] for reply in replies), list(range(5000)))
            self.assertEqual(worker.end(), 0)

    def test_a_slow_request_does_not_hold_up_those_behind_it(self) -> None:
        with Conversation("-j", "2") as worker:
            worker.send(self.slow("slow"))
            quick = [{"id": number, "source": "sunset.mp4", "at": "0", "size": 64} for number in range(10)]
            worker.send(*quick)
            replies = worker.until_done("slow", *range(10))
            done = [reply.facts["id"] for reply in replies if reply.facts["last"]]
            self.assertEqual(done[-1], "slow")
            pictures = [reply.facts["picture"] for reply in replies if reply.facts["id"] == "slow"]
            self.assertEqual(sorted(pictures), list(range(150)))

    def test_several_products_of_one_video_come_as_each_alone_would(self) -> None:
        with Conversation("--size", "64") as worker:
            products = [
                {"at": "1.0", "output": "out/small.jpg"},
                {"at": ["2", "3.4"], "size": "320"},
                {"at": "1.0", "size": 200, "format": "png"},
                {"at": "50%", "size": 90, "output": "out/{stem}-{width}.png"},
            ]
            worker.send({"id": "all", "source": "sunset.mp4", "size": 160, "quality": 70, "pictures": products})
            replies = {reply.facts["picture"]: reply for reply in worker.until_done("all")}
            self.assertEqual(sorted(replies), [0, 1, 2, 3, 4])
            self.assertEqual([number for number in replies if replies[number].facts["last"]], [list(replies)[-1]])
            common = {"size": 160, "quality": 70}
            wanted: list[tuple[int, dict[str, Any], str | None]] = [
                (0, {"at": "1.0"}, "out/small.jpg"),
                (1, {"at": "2", "size": 320}, None),
                (2, {"at": "3.4", "size": 320}, None),
                (3, {"at": "1.0", "size": 200, "format": "png"}, None),
                (4, {"at": "50%", "size": 90, "format": "png"}, "out/sunset-90.png"),
            ]
            for number, options, output in wanted:
                reply = replies[number]
                self.assertEqual((reply.facts["status"], reply.facts["output"]), ("ok", output))
                picture = (worker.folder / output).read_bytes() if output else reply.data
                self.assertTrue(picture == expected("sunset.mp4", {**common, **options}), reply.facts)
            # Without options of its own, a request has those of the command line.
            worker.send({"id": "plain", "source": "sunset.mp4", "at": "2"})
            self.assertTrue(worker.reply().data == expected("sunset.mp4", {"at": "2", "size": 64}))
            self.assertEqual(worker.end(), 0)

    def test_a_line_that_asks_for_nothing_sensible_gets_one_reply_and_the_worker_goes_on(self) -> None:
        good = {"source": "sunset.mp4", "at": "0"}
        lines: list[tuple[object, bytes | dict[str, Any]]] = [
            (None, b"snap\n"),
            (None, b'{"id":1,\n'),
            (None, b'{"id":1,"source":"sunset.mp4"} and more\n'),
            (None, b'[{"id":1,"source":"sunset.mp4"}]\n'),
            (None, b'"sunset.mp4"\n'),
            (None, b"null\n"),
            (None, b"12\n"),
            (None, b"[" * 100_000 + b"\n"),
            (None, b'{"at":' * 100_000 + b"\n"),
            (None, b'{"id":"\xff\xfe","source":"sunset.mp4"}\n'),
            (None, b"\x00\x01\x02\n"),
            (None, b'{"id":1,"source":"' + b"a" * (5 << 20) + b'"}\n'),
            (None, good),
            ("no source", {"at": "1"}),
            ("source", {**good, "source": 12}),
            ("source", {**good, "source": "sunset.mp4\0b"}),
            ("output", {**good, "output": "out/a\0b.jpg"}),
            ("unknown key", {**good, "att": "1"}),
            ("unknown key", {**good, "pictures": [{"ats": "1"}]}),
            ("not a list", {**good, "pictures": 3}),
            ("not objects", {**good, "pictures": ["1"]}),
            ("at", {**good, "at": "soon"}),
            ("size", {**good, "size": "big"}),
            ("quality", {**good, "quality": 1000}),
            ("fraction", {**good, "quality": 50.5}),
            ("damage", {**good, "on-damage": "smile"}),
            ("flag", {**good, "keyframe": "perhaps"}),
            ("object", {**good, "size": {"width": 100}}),
            ("delivery", {**good, "deliver": "by post"}),
        ]
        with Conversation("-j", "1") as worker:
            for identifier, line in lines:
                if isinstance(line, dict) and identifier is not None:
                    line = {"id": identifier, **line}
                worker.send(line)
                facts = worker.reply().facts
                where = f"{str(line)[:120]}: {json.dumps(facts)[:300]}"
                self.assertTrue(facts["last"], where)
                self.assertEqual(facts["id"], identifier, where)
                self.assertEqual(facts["status"], "failed", where)
                self.assertRegex(facts["code"], "^[a-z]+(-[a-z]+)*$", where)
                self.assertNotIn(facts["code"], ("ok", "internal"), where)
                self.assertTrue(facts["message"], where)
                self.assertFalse("data" in facts or facts["payload"], where)
                if identifier == "unknown key":
                    self.assertIn("at", facts["message"], where)
            worker.send({"id": "good", **good})
            self.assertTrue(worker.reply().data == expected("sunset.mp4", {"at": "0"}))
            self.assertEqual(worker.end(), 0)

    def test_an_id_that_is_in_work_is_refused_and_one_that_is_done_is_not(self) -> None:
        with Conversation("-j", "1") as worker:
            worker.send(self.slow("twin"), {"id": "twin", "source": "sunset.mp4", "at": "0"})
            replies = worker.until_done("twin", None)
            refused = [reply.facts for reply in replies if reply.facts["status"] == "failed"]
            self.assertEqual([(facts["id"], facts["code"]) for facts in refused], [(None, "usage")])
            self.assertIn('"twin"', refused[0]["message"])
            self.assertEqual(len(replies), 151)
            # Done is what has had its last reply: not a moment later.
            for _ in range(100):
                worker.send({"id": "twin", "source": "sunset.mp4", "at": "0", "size": 16})
                self.assertEqual(worker.reply().facts["status"], "ok")
            self.assertEqual(worker.end(), 0)

    def test_requests_are_cancelled_while_they_wait_and_while_they_run(self) -> None:
        with Conversation("-j", "1") as worker:
            worker.send(self.slow("runs"))
            worker.send({"id": "waits", "source": "sunset.mp4", "at": "1"})
            worker.send({"id": "stays", "source": "sunset.mp4", "at": "1"})
            before = worker.reply().facts
            self.assertEqual((before["id"], before["status"]), ("runs", "ok"))
            worker.send({"cancel": "waits"}, {"cancel": "runs"})
            replies = worker.until_done("runs", "waits", "stays")
            runs = [reply.facts for reply in replies if reply.facts["id"] == "runs"]
            self.assertEqual((runs[-1]["status"], runs[-1]["code"]), ("failed", "cancelled"))
            self.assertLess(sum(facts["status"] == "ok" for facts in runs), 149)
            waits = [reply.facts for reply in replies if reply.facts["id"] == "waits"]
            self.assertEqual([(facts["code"], facts["last"]) for facts in waits], [("cancelled", True)])
            stays = [reply for reply in replies if reply.facts["id"] == "stays"]
            self.assertEqual(len(stays), 1)
            self.assertTrue(stays[0].data == expected("sunset.mp4", {"at": "1"}))
            self.assertEqual(worker.end(), 0)

    def test_nothing_is_said_when_what_is_cancelled_is_done_or_was_never_asked_for(self) -> None:
        with Conversation("-j", "1") as worker:
            worker.send({"id": 7, "source": "sunset.mp4", "at": "0"})
            self.assertEqual(worker.reply().facts["status"], "ok")
            worker.send({"cancel": 7}, {"cancel": "7"}, {"cancel": "never"})
            # An id that was cancelled too late is not cancelled the next time.
            worker.send(
                {"id": 7, "source": "sunset.mp4", "at": "0"}, {"id": "never", "source": "sunset.mp4", "at": "0"}
            )
            self.assertEqual([worker.reply().facts["status"] for _ in range(2)], ["ok", "ok"])
            self.assertEqual(worker.end(), 0)

    def test_a_file_that_changed_since_is_opened_anew(self) -> None:
        with Conversation("-j", "1") as worker:
            video = worker.folder / "video.mp4"
            for clip in ("sunset.mp4", "portrait.mp4", "sunset.mp4"):
                shutil.copy(SAMPLES / clip, worker.folder / "next")
                (worker.folder / "next").rename(video)
                worker.send({"id": clip, "source": "video.mp4", "at": "1.5", "size": 160})
                self.assertTrue(worker.reply().data == expected(clip, {"at": "1.5", "size": 160}), clip)
            self.assertEqual(worker.end(), 0)

    def test_what_was_asked_for_is_finished_when_the_input_ends(self) -> None:
        with Conversation("-j", "2") as worker:
            lines = [{"id": number, "source": "sunset.mp4", "at": "1.0", "size": 160} for number in range(40)]
            worker.send(self.slow("slow"), *lines[:-1])
            # The last line may end with the input.
            worker.send(json.dumps(lines[-1]).encode())
            worker.input.close()
            replies = worker.until_end()
            done = [reply.facts["id"] for reply in replies if reply.facts["last"]]
            self.assertEqual(sorted(done, key=str), sorted(["slow", *range(40)], key=str))
            self.assertTrue(all(reply.facts["status"] == "ok" for reply in replies))
            self.assertEqual(worker.process.wait(timeout=PATIENCE), 0)
            self.assertEqual(worker.messages, "")

    def test_an_input_that_ends_at_once_is_no_error(self) -> None:
        with Conversation() as worker:
            self.assertEqual(worker.end(), 0)
            self.assertEqual(worker.messages, "")

    def test_a_worker_whose_replies_nobody_reads_ends_quietly_with_all_that_it_started(self) -> None:
        worker = Conversation("-j", "2")
        try:
            worker.output.close()  # Before the reader has begun.
            worker.send(*[{"id": n, "source": "sunset.mp4", "at": "1", "size": 64} for n in range(100)])
            # Its input stays open: it has to find out by itself.
            status = worker.process.wait(timeout=PATIENCE)
            self.assertIn(status, (0, 128 + signal.SIGPIPE, -signal.SIGPIPE))
            self.assertEqual(worker.messages, "")
            self.assert_group_is_gone(worker.process.pid)
        finally:
            worker.__exit__()

    def test_a_killed_worker_leaves_nothing_behind(self) -> None:
        with Conversation("-j", "2") as worker:
            worker.send(self.slow("one"), self.slow("two"))
            self.assertEqual(worker.reply().facts["status"], "ok")
            worker.process.terminate()
            self.assertNotEqual(worker.process.wait(timeout=PATIENCE), 0)
            self.assert_group_is_gone(worker.process.pid)
            half_done = [path.name for path in (worker.folder / "out").rglob("*") if not self.is_whole(path)]
            self.assertEqual(half_done, [])

    def test_the_sample_client_gets_what_it_asks_for(self) -> None:
        names = [str(SAMPLES / name) for name in ("sunset.mp4", "portrait.mp4", "fractal.webm")]
        with coprocess.Worker("--size", "160", snap=snap) as worker:
            here = [worker.ask(name, at=["25%", "75%"]) for name in names]
            behind = [worker.ask(name, at="1", deliver="bytes", no_rotate=True) for name in names]
            missing = worker.ask("missing.mp4")
            slow = worker.ask(names[0], at=[f"{n * 0.04:.2f}" for n in range(150)], size=640, deliver="bytes")
            worker.cancel(slow)
            for name, request in zip(names, here):
                wanted = [expected(name, {"size": 160, "at": at}) for at in ("25%", "75%")]
                self.assertTrue([picture.data for picture in request.result(PATIENCE)] == wanted, name)
            for name, request in zip(names, behind):
                wanted = [expected(name, {"size": 160, "at": "1", "no-rotate": True})]
                self.assertTrue([picture.data for picture in request.result(PATIENCE)] == wanted, name)
            self.assertEqual([picture.receipt["code"] for picture in missing.result(PATIENCE)], ["not-found"])
            self.assertEqual(slow.result(PATIENCE)[-1].receipt["code"], "cancelled")

    def slow(self, identifier: str) -> dict[str, Any]:
        """A request for 150 large pictures, which takes seconds."""
        output = f"out/{identifier}-{{index:04}}.png"
        return {"id": identifier, "source": "sunset.mp4", "count": 150, "output": output}

    def is_whole(self, path: Path) -> bool:
        return path.suffix == ".png" and path.read_bytes().endswith(b"IEND\xaeB`\x82")

    def assert_group_is_gone(self, group: int) -> None:
        """What a process leaves behind may take a moment to be gone, too."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                os.killpg(group, 0)
            except (ProcessLookupError, PermissionError):
                return
            time.sleep(0.05)
        self.fail("a process that the worker started is still there")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit("Usage: coprocess_test.py /path/to/snap [a test's name…]")
    snap = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
