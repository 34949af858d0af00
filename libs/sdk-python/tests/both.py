"""Runs a test with both clients: `Both` gives the async client the interface of the sync one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any
from unittest import TestCase

from tapeline import AsyncTapeline, Tapeline
from tests.faulty_server import Answer, FaultyServer, start

Check = Callable[[Any, FaultyServer], None]


class Both:
    """Runs every coroutine and async iterator of `target` on a separate event loop."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return self._plain(getattr(self._target, name))

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._plain(self._target(*args, **options))

    def __iter__(self) -> Iterator[Any]:
        iterator = self._target.__aiter__()
        try:
            while True:
                yield self._loop.run_until_complete(iterator.__anext__())
        except StopAsyncIteration:
            return
        finally:
            self._loop.run_until_complete(iterator.aclose())

    def _plain(self, value: Any) -> Any:
        if asyncio.iscoroutine(value):
            return self._loop.run_until_complete(value)
        is_plain = value is None or isinstance(value, (str, int, dict, list))
        return value if is_plain else Both(value, self._loop)


def with_both(test: TestCase, answers: list[Answer], check: Check, api_key: Any = "tl_test_1", **options: Any) -> None:
    """Calls `check` with a sync client, then an async one, each with its own server that returns the answers."""
    server = start(test, *answers)
    with test.subTest("sync"), Tapeline(api_key, base_url=server.url, **options) as client:
        check(client, server)
    server = start(test, *answers)
    with test.subTest("async"):
        loop = asyncio.new_event_loop()
        client = AsyncTapeline(api_key, base_url=server.url, **options)
        try:
            check(Both(client, loop), server)
        finally:
            loop.run_until_complete(client.close())
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
