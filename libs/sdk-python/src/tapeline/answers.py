"""Shapes of pages, filters and limits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, TypeAlias, TypedDict

from .records import Bar, DataFile, L2Event, Quote, Trade

Number: TypeAlias = "str | Decimal"


class Range(TypedDict, total=False):
    gt: Number
    gte: Number
    lt: Number
    lte: Number


class _Times(TypedDict, total=False):
    venues: Sequence[str]
    symbols: Sequence[str]
    start: str
    end: str
    time_format: Literal["rfc3339", "unix_ns"]
    order: Literal["asc", "desc"]
    cursor: str | None
    limit: int


class _Filter(_Times, total=False):
    time_field: Literal["ts_event", "ts_recv"]
    as_of: str | None
    dry_run: bool


class ListTrades(_Filter, total=False):
    side: Literal["buy", "sell", "unknown"]
    price: Range
    size: Range
    include: Sequence[Literal["conditions"]]


class ListBars(_Times, total=False):
    interval: str
    time_zone: str
    ticks: int
    volume: Number
    dollars: Number


class ListL2Events(_Filter, total=False):
    types: Sequence[Literal["snapshot", "update", "clear", "gap"]]
    depth: int


class ListQuotes(_Times, total=False):
    pass


class ListFiles(TypedDict, total=False):
    venue: str
    symbol: str
    channel: Literal["trades", "l2events"]
    limit: int
    cursor: str


class StreamFilter(TypedDict, total=False):
    venues: Sequence[str]
    symbols: Sequence[str]
    start: str
    cursor: str | None
    time_format: Literal["rfc3339", "unix_ns"]
    side: str
    types: Sequence[str]
    depth: int


# `from` is a keyword, so these two need the other notation.
Coverage = TypedDict(
    "Coverage",
    {
        "venue": str,
        "symbol": str,
        "from": str | None,
        "to": str | None,
        "state": str,
        "reason": str | None,
        "complete_through": str | None,
    },
)
Month = TypedDict("Month", {"from": str, "to": str})


class Warning(TypedDict):
    code: str
    message: str


class Estimate(TypedDict):
    records: int
    bytes: int
    is_exact: bool


class _Facts(TypedDict):
    next_cursor: str | None
    has_more: bool
    complete_through: str | None
    coverage: list[Coverage]
    warnings: list[Warning]
    request_id: str


class _Page(_Facts, total=False):
    estimate: Estimate


class TradePage(_Page):
    data: list[Trade]


class L2EventPage(_Page):
    data: list[L2Event]


class QuotePage(_Page):
    data: list[Quote]


class BarPage(_Page):
    data: list[Bar]


class FilePage(TypedDict):
    data: list[DataFile]
    next_cursor: str | None
    has_more: bool
    request_id: str


class LimitWindow(TypedDict):
    scope: Literal["account", "key"]
    policy: Literal["burst", "min", "hour", "day", "month", "conc"]
    used: int
    limit: int
    remaining: int
    reset_ms: int | None


class Connections(TypedDict):
    used: int
    limit: int
    remaining: int


class StreamLimits(TypedDict):
    connections: Connections
    messages_per_second: int


class LimitsReport(TypedDict):
    tier: Literal["free", "basic", "pro"]
    degraded: bool
    key_id: str | None
    month: Month
    windows: list[LimitWindow]
    stream: StreamLimits
