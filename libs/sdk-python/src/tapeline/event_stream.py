"""Parses server-sent events from bytes (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


class ServerEvent(NamedTuple):
    type: str
    data: str
    id: str


class EventParser:
    """Accepts bytes split at any position. An event truncated by the end of the stream is dropped."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._type = ""
        self._lines: list[str] = []
        self._id = ""

    def feed(self, chunk: bytes) -> Iterator[ServerEvent]:
        # A carriage return at the end may be the first half of a line break, so it stays in the rest.
        *lines, self._rest = _LINE_END.split(self._rest + self._decoder.decode(chunk))
        for line in lines:
            if line:
                self._add_field(line)
                continue
            if self._lines:
                yield ServerEvent(self._type or "message", "\n".join(self._lines), self._id)
            self._type, self._lines = "", []

    def _add_field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        elif name == "data":
            self._lines.append(value)
        elif name == "id":
            self._id = value
