"""Records over all pages. Nothing is sent before a list is iterated; each iteration starts from the beginning."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    TypeVar,
)

from .frames import arrow_of, frame_of

if TYPE_CHECKING:
    import pandas
    import pyarrow

Item = TypeVar("Item")
Answer = TypeVar("Answer")
POLL = 1.0


class _Walk:
    """Position of an iteration over pages, and the next call."""

    def __init__(self, follow: bool) -> None:
        self._follow = follow
        self.cursor: str | None = None
        self.must_yield = False
        self._is_first = True
        self.is_over = False
        self.must_pause = False

    def take(self, page: dict[str, Any]) -> None:
        has_more = page["has_more"]
        self.cursor = page["next_cursor"]
        self.must_yield = self._is_first or has_more or len(page["data"]) > 0
        self._is_first = False
        self.is_over = self.cursor is None or not (has_more or self._follow)
        self.must_pause = not has_more


class RecordList(Generic[Item, Answer]):
    """Iterates over records and loads pages as they are needed.

    `cursor` continues after the last page whose records were all yielded: a list that is left within a page repeats
    records of that page and loses none. Before the first page it is the cursor of the filter (`start`), or None; None
    when nothing can follow.
    """

    def __init__(self, load: Callable[[str | None], Any], follow: bool, poll: float, start: str | None = None) -> None:
        self.cursor = start
        self._start = start
        self._load = load
        self._follow = follow
        self._poll = poll

    def __iter__(self) -> Iterator[Item]:
        for page in self._pages():
            last = len(page["data"]) - 1
            for n, item in enumerate(page["data"]):
                if n == last:
                    self.cursor = page["next_cursor"]
                yield item
            self.cursor = page["next_cursor"]

    def pages(self) -> Iterator[Answer]:
        """Complete pages with records, and the first one in any case: its coverage and warnings explain why there are
        none.
        """
        for page in self._pages():
            self.cursor = page["next_cursor"]
            yield page

    def to_list(self, max: int | None = None) -> list[Item]:
        """All records, at most `max` of them."""
        found: list[Item] = []
        if max is not None and max <= 0:
            return found
        for item in self:
            found.append(item)
            if len(found) == max:
                break
        return found

    def to_pandas(self, max: int | None = None, floats: bool = False) -> pandas.DataFrame:
        """A DataFrame of the records; see `frame_of`. Needs pandas."""
        return frame_of(self.to_list(max), floats)

    def to_arrow(self, max: int | None = None) -> pyarrow.Table:
        """An Arrow table of the records; see `arrow_of`. Needs pyarrow."""
        return arrow_of(self.to_list(max))

    def _pages(self) -> Iterator[Any]:
        walk = _Walk(self._follow)
        self.cursor = self._start
        while not walk.is_over:
            page = self._load(walk.cursor)
            walk.take(page)
            if walk.must_yield:
                yield page
            else:
                self.cursor = walk.cursor
            if walk.must_pause and not walk.is_over:
                time.sleep(self._poll)


class AsyncRecordList(Generic[Item, Answer]):
    """`RecordList` with `async for`."""

    def __init__(
        self, load: Callable[[str | None], Awaitable[Any]], follow: bool, poll: float, start: str | None = None
    ) -> None:
        self.cursor = start
        self._start = start
        self._load = load
        self._follow = follow
        self._poll = poll

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self._pages():
            last = len(page["data"]) - 1
            for n, item in enumerate(page["data"]):
                if n == last:
                    self.cursor = page["next_cursor"]
                yield item
            self.cursor = page["next_cursor"]

    async def pages(self) -> AsyncIterator[Answer]:
        """Complete pages with records, and the first one in any case: its coverage and warnings explain why there are
        none.
        """
        async for page in self._pages():
            self.cursor = page["next_cursor"]
            yield page

    async def to_list(self, max: int | None = None) -> list[Item]:
        """All records, at most `max` of them."""
        found: list[Item] = []
        if max is not None and max <= 0:
            return found
        async for item in self:
            found.append(item)
            if len(found) == max:
                break
        return found

    async def to_pandas(self, max: int | None = None, floats: bool = False) -> pandas.DataFrame:
        """A DataFrame of the records; see `frame_of`. Needs pandas."""
        return frame_of(await self.to_list(max), floats)

    async def to_arrow(self, max: int | None = None) -> pyarrow.Table:
        """An Arrow table of the records; see `arrow_of`. Needs pyarrow."""
        return arrow_of(await self.to_list(max))

    async def _pages(self) -> AsyncIterator[Any]:
        walk = _Walk(self._follow)
        self.cursor = self._start
        while not walk.is_over:
            page = await self._load(walk.cursor)
            walk.take(page)
            if walk.must_yield:
                yield page
            else:
                self.cursor = walk.cursor
            if walk.must_pause and not walk.is_over:
                await asyncio.sleep(self._poll)
