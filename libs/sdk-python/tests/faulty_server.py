"""An HTTP server that answers each request with the next of the given answers, and then repeats the last one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import TestCase


@dataclass
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    at: float


class Reply(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultyServer

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response_only(status)
        for name, value in {"connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def write(self, content: bytes) -> None:
        self.wfile.write(content)
        self.wfile.flush()

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, json.loads(content) if content else None, time.monotonic())
        answer = self.server.next_answer(asked)
        self.close_connection = True
        try:
            answer(self, asked)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_GET = do_POST = _answer

    def log_message(self, *_: object) -> None:
        pass


Answer = Callable[[Reply, Asked], None]


class FaultyServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        super().__init__(("127.0.0.1", 0), Reply)
        self.asked: list[Asked] = []
        self.over = threading.Event()
        self._answers = answers
        self._lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def next_answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            return self._answers[min(len(self.asked), len(self._answers)) - 1]


def start(test: TestCase, *answers: Answer) -> FaultyServer:
    """Runs until the test ends."""
    server = FaultyServer(answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()

    def stop() -> None:
        server.over.set()
        server.shutdown()
        server.server_close()

    test.addCleanup(stop)
    return server


def answer_json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    content = json.dumps(body).encode()

    def answer(reply: Reply, _: Asked) -> None:
        length = str(len(content))
        reply.head(status, {"content-type": "application/json", "content-length": length, **(headers or {})})
        reply.write(content)

    return answer


def problem(status: int, code: str, headers: Mapping[str, str] | None = None) -> Answer:
    body = {"title": code, "status": status, "code": code, "detail": f"It is {code}.", "request_id": "request-1"}
    return answer_json(body, status, headers)


def page(ids: list[str], cursor: str | None, has_more: bool | None = None) -> Answer:
    more = cursor is not None if has_more is None else has_more
    trades = [{"id": each, "price": "0.10", "size": "12345678901234567890.123456789"} for each in ids]
    return answer_json({"data": trades, "next_cursor": cursor, "has_more": more, "coverage": [], "request_id": "r"})


def hang_up(_reply: Reply, _asked: Asked) -> None:
    """Ends the connection without an answer."""


def silence(reply: Reply, _asked: Asked) -> None:
    """Never answers."""
    reply.server.over.wait(30)


def cut(body: Any) -> Answer:
    """An answer whose second half never arrives."""

    def answer(reply: Reply, _: Asked) -> None:
        content = json.dumps(body).encode()
        reply.head(200, {"content-type": "application/json", "content-length": str(len(content))})
        reply.write(content[: len(content) // 2])

    return answer
