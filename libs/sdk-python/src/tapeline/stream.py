"""Live streams that continue where they stopped."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import aclosing, closing, suppress
from dataclasses import dataclass, replace
from typing import (
    Any,
    Generic,
    TypeVar,
)

import httpx

from .calls import Call
from .errors import TapelineError, error_of_problem
from .event_stream import EventParser, ServerEvent
from .records import Decode
from .transport import AsyncTransport, Transport

Item = TypeVar("Item")
Notice = Callable[[dict[str, Any]], None]

SILENCE = 25.0
PAUSE = 0.25
PAUSE_MAX = 15.0
# Problems that retrying cannot solve: the filter, the key or the plan must change.
FINAL_STATUSES = frozenset({400, 401, 403, 404, 406, 410, 422})


@dataclass(frozen=True)
class Batch(Generic[Item]):
    """Records that arrived together. `cursor` continues after the last one, here or over the list call."""

    data: list[Item]
    cursor: str


class Position:
    """Filter and cursor of a stream, updated by each message."""

    def __init__(self, channel: str, query: Mapping[str, Any], decode: Decode, on_notice: Notice | None) -> None:
        self.cursor: str | None = query.get("cursor")
        self._channel = channel
        self._query = {"channel": channel, **{name: _text_of(value) for name, value in query.items()}}
        self._decode = decode
        self._on_notice = on_notice
        self._error_of_caller: TapelineError | None = None

    def call(self) -> Call:
        query = self._query
        if self.cursor is not None:
            query = {**query, "start": None, "cursor": self.cursor}
        return Call("GET", "/api/v1/stream", query=query, accept="text/event-stream")

    def take(self, event: ServerEvent) -> Batch[Any] | None:
        """The batch of an event; others move the cursor or are passed on. Raises TapelineError for `error`."""
        message = _message_of(event.data)
        if "data" in message:
            message["data"] = [self._decode(record) for record in message["data"]]
        if event.type == self._channel:
            return Batch(message["data"], message["cursor"])
        if event.type == "error":
            raise error_of_problem(message["problem"])
        self.cursor = _position_of(event.type, message) or self.cursor
        self._notify({**message, "type": event.type})
        return None

    def pause_after(self, error: TapelineError, failures: int, can_renew: bool) -> float:
        """Seconds until the next connection. Raises the error if the stream cannot continue.

        `can_renew`: the key was accepted, and the next connection may have another one.
        """
        is_final = error.status in FINAL_STATUSES and not (error.status == 401 and can_renew)
        if error is self._error_of_caller or is_final:
            raise error
        pause = max(_pause_before(failures), error.retry_after or 0.0)
        self._notify({"type": "reconnecting", "error": error, "cursor": self.cursor, "pause": pause})
        return pause

    def _notify(self, notice: dict[str, Any]) -> None:
        """An exception of the caller's function ends the stream, also one of another call of the client."""
        if self._on_notice is None:
            return
        try:
            self._on_notice(notice)
        except TapelineError as error:
            self._error_of_caller = error
            raise


class Stream(Generic[Item]):
    """After a cut, a restart of the server or `slow_consumer`, it reconnects with the cursor of the last batch that
    was taken, so that no record is missing or repeated.

        for trade in client.stream(channel="trades", symbols=["BTC-USDT"]): ...
    """

    def __init__(self, transport: Transport, position: Position, silence: float) -> None:
        self._transport = transport
        self._position = position
        self._silence = silence
        # The stream itself tries again, reports it, and can be closed in between.
        self._limits = replace(transport.limits, retries_max=0)
        self._answer: httpx.Response | None = None
        self._is_accepted = False
        self._closed = threading.Event()

    @property
    def cursor(self) -> str | None:
        """Continues after the last batch that was processed completely; store it to continue in another process."""
        return self._position.cursor

    def __iter__(self) -> Iterator[Item]:
        with closing(self._batches()) as batches:
            for batch in batches:
                yield from batch.data

    def batches(self) -> Iterator[Batch[Item]]:
        """Raises TapelineError if the stream cannot continue: the filter, the key or the plan does not allow it."""
        return self._batches()

    def close(self) -> None:
        """Ends the stream and its connection, also from another thread."""
        self._closed.set()
        if self._answer is not None:
            _wake_reader(self._answer)
            self._answer.close()

    def __enter__(self) -> Stream[Item]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _batches(self) -> Generator[Batch[Item], None, None]:
        failures = 0
        while not self._closed.is_set():
            try:
                with closing(self._connection()) as connection:
                    for batch in connection:
                        failures = 0
                        yield batch
                        self._position.cursor = batch.cursor
                        if self._closed.is_set():
                            return
            except TapelineError as error:
                if self._closed.is_set():
                    return
                can_renew = self._is_accepted and self._transport.has_key_function
                pause = self._position.pause_after(error, failures, can_renew)
            else:
                pause = _pause_before(failures)
            self._closed.wait(min(pause, threading.TIMEOUT_MAX))
            failures += 1

    def _connection(self) -> Generator[Batch[Item], None, None]:
        self._is_accepted = False
        answer = self._transport.open(self._position.call(), self._limits, self._silence)
        self._answer = answer
        self._is_accepted = True
        parser = EventParser()
        try:
            # `close` had no connection to end while this one was made.
            if self._closed.is_set():
                return
            for chunk in _chunks_of(answer, self._silence):
                for event in parser.feed(chunk):
                    batch = self._position.take(event)
                    if batch is not None:
                        yield batch
        finally:
            answer.close()


class AsyncStream(Generic[Item]):
    """`Stream` with `async for`. Leaving a loop early leaves the connection open until it is collected: use
    `async with`, or `close()`.
    """

    def __init__(self, transport: AsyncTransport, position: Position, silence: float) -> None:
        self._transport = transport
        self._position = position
        self._silence = silence
        # The stream itself tries again, reports it, and can be closed in between.
        self._limits = replace(transport.limits, retries_max=0)
        self._answer: httpx.Response | None = None
        self._is_accepted = False
        self._closed = asyncio.Event()

    @property
    def cursor(self) -> str | None:
        """Continues after the last batch that was processed completely; store it to continue in another process."""
        return self._position.cursor

    async def __aiter__(self) -> AsyncIterator[Item]:
        async with aclosing(self._batches()) as batches:
            async for batch in batches:
                for item in batch.data:
                    yield item

    def batches(self) -> AsyncIterator[Batch[Item]]:
        """Raises TapelineError if the stream cannot continue: the filter, the key or the plan does not allow it."""
        return self._batches()

    async def close(self) -> None:
        """Ends the stream and its connection."""
        self._closed.set()
        if self._answer is not None:
            await self._answer.aclose()

    async def __aenter__(self) -> AsyncStream[Item]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _batches(self) -> AsyncGenerator[Batch[Item], None]:
        failures = 0
        while not self._closed.is_set():
            try:
                async with aclosing(self._connection()) as connection:
                    async for batch in connection:
                        failures = 0
                        yield batch
                        self._position.cursor = batch.cursor
                        if self._closed.is_set():
                            return
            except TapelineError as error:
                if self._closed.is_set():
                    return
                can_renew = self._is_accepted and self._transport.has_key_function
                pause = self._position.pause_after(error, failures, can_renew)
            else:
                pause = _pause_before(failures)
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._closed.wait(), pause)
            failures += 1

    async def _connection(self) -> AsyncGenerator[Batch[Item], None]:
        self._is_accepted = False
        answer = await self._transport.open(self._position.call(), self._limits, self._silence)
        self._answer = answer
        self._is_accepted = True
        parser = EventParser()
        try:
            # `close` had no connection to end while this one was made.
            if self._closed.is_set():
                return
            async for chunk in _async_chunks_of(answer, self._silence):
                for event in parser.feed(chunk):
                    batch = self._position.take(event)
                    if batch is not None:
                        yield batch
        finally:
            await answer.aclose()


def _wake_reader(answer: httpx.Response) -> None:
    """Ends the wait of another thread for data, which closing a socket does not."""
    network = answer.extensions.get("network_stream")
    # A connection of HTTP/2 has other answers too.
    if network is None or answer.http_version == "HTTP/2":
        return
    connection = network.get_extra_info("socket")
    if isinstance(connection, socket.socket):
        with suppress(OSError):
            # The method of the class: that of a TLS socket would also end the encryption under its reader.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _message_of(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as cause:
        raise TapelineError("client.damaged", "A message of the stream is not JSON.", "damaged") from cause


def _chunks_of(answer: httpx.Response, silence: float) -> Iterator[bytes]:
    try:
        yield from answer.iter_bytes()
    except (httpx.HTTPError, httpx.StreamError) as cause:
        raise _cut_by(cause, silence) from cause


async def _async_chunks_of(answer: httpx.Response, silence: float) -> AsyncIterator[bytes]:
    try:
        async for chunk in answer.aiter_bytes():
            yield chunk
    except (httpx.HTTPError, httpx.StreamError) as cause:
        raise _cut_by(cause, silence) from cause


def _cut_by(cause: Exception, silence: float) -> TapelineError:
    if isinstance(cause, httpx.TimeoutException):
        return TapelineError("client.timeout", f"The stream was silent for {silence:g} s.", "timeout")
    return TapelineError("client.network", "The stream was cut.", "network")


def _position_of(type: str, message: Mapping[str, Any]) -> str | None:
    """The cursor of a message, which is after all records sent before it."""
    if type == "subscribed":
        found = message.get("cursor")
    else:
        found = next(iter((message.get("cursors") or {}).values()), None)
    return found if isinstance(found, str) else None


def _text_of(value: Any) -> Any:
    return ",".join(value) if isinstance(value, (list, tuple)) else value


def _pause_before(failures: int) -> float:
    """Short after a working stream, then longer, with jitter: after a restart all clients reconnect together."""
    return random.random() * min(PAUSE_MAX, PAUSE * (1 << min(failures, 10)))
