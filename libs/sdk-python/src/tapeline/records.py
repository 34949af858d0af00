"""Shapes of records. Prices and sizes are `Decimal`; times, sequences and ids are texts as the API sends them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal, TypedDict, TypeVar

Level = tuple[Decimal, Decimal]
"""Price and size of a level of a book."""


class _Record(TypedDict):
    id: str
    venue: str
    symbol: str
    venue_symbol: str
    instrument_id: int
    ts_event: str
    ts_recv: str
    sequence: str
    flags: list[str]


class _Trade(_Record):
    trade_id: str | None
    venue_sequence: str | None
    price: Decimal
    size: Decimal
    side: Literal["buy", "sell", "unknown"]
    side_source: str


class Trade(_Trade, total=False):
    conditions: list[str]


class StreamedTrade(Trade):
    ts_out: str
    """When the record was sent, in the stream's time format."""


class EventGap(TypedDict):
    reason: str
    from_sequence: str | None
    from_ts: str | None
    to_ts: str | None
    recoverable: bool


class _L2Event(_Record):
    type: Literal["snapshot", "update", "clear", "gap"]
    prev_sequence: str | None
    venue_first_id: str | None
    venue_last_id: str | None
    venue_prev_id: str | None
    bids: list[Level]
    asks: list[Level]
    depth_limit: int | None
    book_epoch: int
    checksum: str | None
    checksum_status: Literal["ok", "mismatch", "absent"]


class L2Event(_L2Event, total=False):
    gap: EventGap


class StreamedL2Event(L2Event):
    ts_out: str


class Bar(TypedDict):
    id: str
    venue: str
    symbol: str
    venue_symbol: str
    instrument_id: int
    bar: str
    ts_start: str
    ts_end: str
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal
    notional: Decimal
    vwap: Decimal | None
    count: int
    first_sequence: str
    last_sequence: str
    first_ts_event: str
    last_ts_event: str
    finality: Literal["final", "revisable", "forming"]


class StreamedBar(Bar):
    ts_out: str


class Quote(TypedDict):
    id: str
    venue: str
    symbol: str
    venue_symbol: str
    instrument_id: int
    ts_event: str
    ts_recv: str
    sequence: str
    book_epoch: int
    state: Literal["known", "unknown"]
    bid_price: Decimal | None
    bid_size: Decimal | None
    ask_price: Decimal | None
    ask_size: Decimal | None


class StreamedQuote(Quote):
    ts_out: str


class BookGap(TypedDict):
    reason: str
    from_ts: str | None
    to_ts: str | None


class Book(TypedDict):
    venue: str
    symbol: str
    venue_symbol: str
    instrument_id: int
    at: str
    state: Literal["known", "unknown"]
    sequence: str | None
    book_epoch: int | None
    ts_event: str | None
    ts_recv: str | None
    depth_limit: int | None
    bids: list[Level]
    asks: list[Level]
    levels: int
    gap: BookGap | None
    complete_through: str | None


class BookChange(TypedDict):
    """Applied in the order in which they arrive, the records give the book at their `sequence`."""

    venue: str
    symbol: str
    venue_symbol: str
    instrument_id: int
    ts_event: str
    ts_recv: str
    sequence: str
    book_epoch: int
    type: Literal["snapshot", "update", "gap"]
    bids: list[Level]
    """The whole side in a snapshot; in an update new sizes, where 0 removes the price."""
    asks: list[Level]
    depth_limit: int | None
    gap: BookGap | None
    ts_out: str


class Instrument(TypedDict):
    instrument_id: int
    venue: str
    symbol: str
    venue_symbol: str
    base: str
    quote: str
    size_unit: str
    ts_event_precision: Literal["ns", "us", "ms"]
    kind: Literal["spot", "perpetual", "dated"]
    tick: Decimal | None
    lot: Decimal | None
    multiplier: Decimal | None
    aliases: list[str]
    valid_from: str | None
    valid_to: str | None
    first_ts_event: str | None
    last_ts_event: str | None
    trades: int
    l2_events: int


class DataFile(TypedDict):
    id: str
    name: str
    venue: str
    symbol: str
    channel: Literal["trades", "l2events"]
    date: str
    dates: list[str]
    rows: int
    bytes: int
    sha256: str
    revision: int
    finality: Literal["final", "revisable"]
    sealed_at: str


_LEVELS = ("bids", "asks")
Record = TypeVar("Record")
Decode = Callable[[dict[str, Any]], Any]


def with_decimals(*numbers: str) -> Decode:
    """Makes the named fields and the levels of a book `Decimal`, in place; absent fields and None stay."""

    def decode(record: dict[str, Any]) -> Any:
        for name in numbers:
            value = record.get(name)
            if value is not None:
                record[name] = Decimal(value)
        for name in _LEVELS:
            if name in record:
                record[name] = [(Decimal(price), Decimal(size)) for price, size in record[name]]
        return record

    return decode


decode_quote = with_decimals("bid_price", "bid_size", "ask_price", "ask_size")
decode_trade = with_decimals("price", "size")
decode_l2event = with_decimals()
decode_book_change = with_decimals()
decode_bar = with_decimals("open", "high", "low", "close", "volume", "notional", "vwap")
decode_book = with_decimals()
decode_instrument = with_decimals("tick", "lot", "multiplier")
decode_file = with_decimals()


def decoder_of(channel: str) -> Decode:
    """Of a channel of the stream."""
    if channel.startswith("bars."):
        return decode_bar
    decoders = {"trades": decode_trade, "l2events": decode_l2event, "bbo": decode_quote}
    return decoders.get(channel, decode_book_change)
