"""A loopback HTTP server that counts what it is asked for and what it gives.

HTTP/1.1 with keep-alive, GET and HEAD, and one byte range a request; a thread a connection, so that each blocks where
it likes and what the kernel took of a body is known to the byte. Until a client that stops reading early closes the
connection, the server fills the socket buffers on the way; so there are two counts: `sent`, what left the server, and
`received`, what the client's side acknowledged. How large the send buffers are changes the former only.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

TYPES = {
    ".m3u8": "application/vnd.apple.mpegurl",
    ".ts": "video/mp2t",
    ".m4s": "video/mp4",
    ".mp4": "video/mp4",
}
REASONS = {200: "OK", 206: "Partial Content", 404: "Not Found", 405: "Method Not Allowed", 416: "Range Not Satisfiable"}
CHUNK = 1 << 16

# Where the kernel's struct tcp_info keeps tcpi_bytes_acked (Linux 4.1 and later).
BYTES_ACKED = struct.Struct("=Q")
BYTES_ACKED_OFFSET = 120


class ServerError(Exception):
    """What keeps the counts from being right, in words."""


@dataclass
class Traffic:
    """What one client did."""

    requests: list[str] = field(default_factory=list)
    connections: int = 0
    sent: int = 0
    received: int | None = 0


class Server:
    """Serves a folder on 127.0.0.1; a context manager.

    `delay`, in seconds, is waited before each response.
    """

    def __init__(self, folder: Path) -> None:
        self.delay = 0.0
        self._folder = folder.resolve()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._open = 0
        self._traffic = Traffic()

    @property
    def url(self) -> str:
        """Without a slash at the end."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def take_traffic(self) -> Traffic:
        """What happened since the last call. Waits for the connections of clients that are gone to be gone, too."""
        with self._idle:
            if not self._idle.wait_for(lambda: self._open == 0, timeout=5):
                raise ServerError("a connection to the benchmark's server is still open")
            traffic, self._traffic = self._traffic, Traffic()
            return traffic

    def __enter__(self) -> Server:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open += 1
                self._traffic.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection.makefile("rb") as requests:
                while head := _read_head(requests):
                    if not self._respond(connection, head):
                        break
        except OSError:
            pass  # The client has what it wants and left.
        finally:
            received = _bytes_acknowledged(connection)
            connection.close()
            with self._idle:
                known = self._traffic.received
                self._traffic.received = None if received is None or known is None else known + received
                self._open -= 1
                self._idle.notify_all()

    def _respond(self, connection: socket.socket, head: list[str]) -> bool:
        """Answers a request; whether the client may send another one."""
        method, target, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        with self._lock:
            self._traffic.requests.append(" ".join([method, target, headers.get("range", "")]).rstrip())
        time.sleep(self.delay)
        path = (self._folder / unquote(urlsplit(target).path).lstrip("/")).resolve()
        if method not in ("GET", "HEAD"):
            self._send(connection, _head(405, 0))
        elif self._folder not in path.parents or not path.is_file():
            self._send(connection, _head(404, 0))
        else:
            self._send_file(connection, path, headers.get("range"), body=method == "GET")
        return headers.get("connection", "").lower() != "close"

    def _send_file(self, connection: socket.socket, path: Path, wanted: str | None, body: bool) -> None:
        size = path.stat().st_size
        extra = ["Accept-Ranges: bytes", f"Content-Type: {TYPES.get(path.suffix, 'application/octet-stream')}"]
        start, end, status = 0, size, 200
        if wanted is not None and (match := re.fullmatch(r"bytes=(\d*)-(\d*)", wanted)) and any(match.groups()):
            first, last = match.groups()
            start = int(first) if first else max(0, size - int(last))
            end = min(size, int(last) + 1) if first and last else size
            status = 206
            if start >= end:
                self._send(connection, _head(416, 0, f"Content-Range: bytes */{size}"))
                return
            extra.append(f"Content-Range: bytes {start}-{end - 1}/{size}")
        self._send(connection, _head(status, end - start, *extra))
        if not body:
            return
        with path.open("rb") as file:
            file.seek(start)
            while start < end:
                chunk = file.read(min(CHUNK, end - start))
                self._send(connection, chunk)
                start += len(chunk)

    def _send(self, connection: socket.socket, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            sent = connection.send(rest)
            rest = rest[sent:]
            with self._lock:
                self._traffic.sent += sent


def _read_head(requests: BinaryIO) -> list[str]:
    """The lines of the next request's head; none when the client is done."""
    lines: list[str] = []
    while (line := requests.readline().decode("latin-1").rstrip("\r\n")) or not lines:
        if not line:
            return []
        lines.append(line)
    return lines


def _head(status: int, length: int, *extra: str) -> bytes:
    lines = [f"HTTP/1.1 {status} {REASONS[status]}", f"Content-Length: {length}", *extra, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def _bytes_acknowledged(connection: socket.socket) -> int | None:
    """How much the other side's system received; None where that can't be told."""
    if not hasattr(socket, "TCP_INFO"):
        return None
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, BYTES_ACKED_OFFSET + BYTES_ACKED.size)
    return int(BYTES_ACKED.unpack_from(info, BYTES_ACKED_OFFSET)[0])
