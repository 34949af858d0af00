"""Downloads that continue after an interruption and check the SHA-256."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Union
from urllib.parse import quote

import httpx

from .calls import Call
from .errors import TapelineError
from .transport import AsyncTransport, Transport

if TYPE_CHECKING:
    from typing_extensions import Self

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], None]
CUTS_MAX = 8
PAUSE = 0.25
READ_BYTES = 1 << 20


class Part:
    """The bytes stored so far in `<path>.part`, and when to give up."""

    def __init__(self, file: Mapping[str, Any], path: Path, cuts_max: int, on_progress: Progress | None) -> None:
        self.file = file
        self._path = os.fspath(path)
        self.part = f"{self._path}.part"
        self._cuts_max = cuts_max
        self._cuts = 0
        self._on_progress = on_progress
        self._before = 0
        self._is_resumed = self._stored() > 0

    def is_complete(self) -> bool:
        return self._stored() >= int(self.file["bytes"])

    def call(self) -> Call:
        self._before = self._stored()
        headers = {} if self._before == 0 else {"range": f"bytes={self._before}-"}
        return Call("GET", f"/api/v1/files/{quote(self.file['id'], safe='')}", headers=headers, accept="*/*")

    def append(self, answer: httpx.Response) -> Appending:
        # A server that ignores the range sends the whole file.
        return Appending(self, self._before if answer.status_code == 206 else 0, self._on_progress)

    def pause_after(self, error: TapelineError) -> float:
        """Seconds until the next connection. Raises the error if another attempt would fail the same way."""
        self._cuts = 0 if self._stored() > self._before else self._cuts + 1
        if self._cuts > self._cuts_max or error.kind == "answer":
            raise error
        return PAUSE * self._cuts

    def finish(self) -> bool:
        """Gives the file its name. If the SHA-256 differs, removes the part, and raises `client.damaged`.

        The part of an earlier download may belong to another file, such as the previous revision: then it is False, and
        the download begins again.
        """
        digest = hashlib.sha256()
        # "a+": a file without bytes has no part yet.
        with open(self.part, "a+b") as stored:
            stored.seek(0)
            while chunk := stored.read(READ_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != self.file["sha256"]:
            os.remove(self.part)
            if self._is_resumed:
                self._is_resumed = False
                return False
            text = f"The bytes of file {self.file['id']} do not match their SHA-256."
            raise TapelineError("client.damaged", text, "damaged")
        os.replace(self.part, self._path)
        return True

    def _stored(self) -> int:
        try:
            return os.stat(self.part).st_size
        except FileNotFoundError:
            return 0


class Appending:
    def __init__(self, part: Part, offset: int, on_progress: Progress | None) -> None:
        self._at = offset
        self._total: int = part.file["bytes"]
        self._on_progress = on_progress
        self._out = open(  # noqa: SIM115 - closed by __exit__
            part.part, "wb" if offset == 0 else "ab"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def write(self, chunk: bytes) -> None:
        self._out.write(chunk)
        self._at += len(chunk)
        if self._on_progress is not None:
            self._on_progress(self._at, self._total)

    def end(self) -> None:
        if self._at < self._total:
            raise _cut()


def download(
    transport: Transport, file: Mapping[str, Any], path: Path, cuts_max: int, on_progress: Progress | None
) -> None:
    part = Part(file, path, cuts_max, on_progress)
    is_finished = False
    while not is_finished:
        while not part.is_complete():
            try:
                _append(transport, part)
            except TapelineError as error:
                time.sleep(part.pause_after(error))
        is_finished = part.finish()


def _append(transport: Transport, part: Part) -> None:
    limits = transport.limits
    answer = transport.open(part.call(), limits, limits.timeout)
    try:
        with part.append(answer) as out:
            for chunk in answer.iter_raw():
                out.write(chunk)
            out.end()
    except httpx.HTTPError as cause:
        raise _cut() from cause
    finally:
        answer.close()


async def download_async(
    transport: AsyncTransport, file: Mapping[str, Any], path: Path, cuts_max: int, on_progress: Progress | None
) -> None:
    part = Part(file, path, cuts_max, on_progress)
    is_finished = False
    while not is_finished:
        while not part.is_complete():
            try:
                await _append_async(transport, part)
            except TapelineError as error:
                await asyncio.sleep(part.pause_after(error))
        is_finished = await asyncio.to_thread(part.finish)


async def _append_async(transport: AsyncTransport, part: Part) -> None:
    limits = transport.limits
    answer = await transport.open(part.call(), limits, limits.timeout)
    try:
        with part.append(answer) as out:
            async for chunk in answer.aiter_raw():
                out.write(chunk)
            out.end()
    except httpx.HTTPError as cause:
        raise _cut() from cause
    finally:
        await answer.aclose()


def _cut() -> TapelineError:
    return TapelineError("client.network", "The download was cut.", "network")
