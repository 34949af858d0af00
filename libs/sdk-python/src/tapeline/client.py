"""`Tapeline`, the client."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

import httpx

from . import answers
from .calls import Address, ApiKey, Call, Limits
from .downloads import CUTS_MAX, Path, Progress, download
from .record_list import POLL, RecordList
from .records import (
    Bar,
    Book,
    BookChange,
    DataFile,
    Decode,
    Instrument,
    L2Event,
    Quote,
    StreamedBar,
    StreamedL2Event,
    StreamedQuote,
    StreamedTrade,
    Trade,
    decode_bar,
    decode_book,
    decode_file,
    decode_instrument,
    decode_l2event,
    decode_quote,
    decode_trade,
    decoder_of,
)
from .stream import SILENCE, Notice, Position, Stream
from .transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class _Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Trades(_Resource):
    def list(
        self, *, follow: bool = False, poll: float = POLL, **filter: Unpack[answers.ListTrades]
    ) -> RecordList[Trade, answers.TradePage]:
        """Trades over all pages, oldest first unless `order` is `desc`.

        `follow` waits for new records every `poll` seconds instead of ending.
        """
        return _list_by_post(self._transport, "/api/v1/trades/list", filter, decode_trade, follow, poll)


class Bars(_Resource):
    def list(
        self, *, follow: bool = False, poll: float = POLL, **filter: Unpack[answers.ListBars]
    ) -> RecordList[Bar, answers.BarPage]:
        """Time, tick, volume or dollar bars over all pages; one-minute bars by default."""
        return _list_by_post(self._transport, "/api/v1/trades/bars", filter, decode_bar, follow, poll)


class L2Events(_Resource):
    def list(
        self, *, follow: bool = False, poll: float = POLL, **filter: Unpack[answers.ListL2Events]
    ) -> RecordList[L2Event, answers.L2EventPage]:
        """Order-book snapshots and changes over all pages."""
        return _list_by_post(self._transport, "/api/v1/l2events/list", filter, decode_l2event, follow, poll)

    def book(
        self,
        venue: str,
        symbol: str,
        at: str | None = None,
        depth: int | None = None,
        time_format: Literal["rfc3339", "unix_ns"] = "rfc3339",
    ) -> Book:
        """The order book of an instrument at a moment, now by default, or the gap that makes it unknown."""
        body = {"venue": venue, "symbol": symbol, "at": at, "depth": depth, "time_format": time_format}
        given = {name: value for name, value in body.items() if value is not None}
        answer = self._transport.json(Call("POST", "/api/v1/l2events/book", body=given), self._transport.limits)
        book: Book = decode_book(answer["data"])
        return book


class Quotes(_Resource):
    def list(
        self, *, follow: bool = False, poll: float = POLL, **filter: Unpack[answers.ListQuotes]
    ) -> RecordList[Quote, answers.QuotePage]:
        """Changes of the best bid and offer over all pages."""
        return _list_by_post(self._transport, "/api/v1/quotes/list", filter, decode_quote, follow, poll)


class Instruments(_Resource):
    def list(self) -> builtins.list[Instrument]:
        answer = self._transport.json(Call("GET", "/api/v1/instruments"), self._transport.limits)
        return [decode_instrument(instrument) for instrument in answer["data"]]


class Files(_Resource):
    def list(
        self, from_: str | None = None, to: str | None = None, **filter: Unpack[answers.ListFiles]
    ) -> RecordList[DataFile, answers.FilePage]:
        """Sealed days as Parquet files, oldest first, of the days from `from_` to `to` (YYYY-MM-DD)."""
        query = {**filter, "from": from_, "to": to}

        def load(cursor: str | None) -> Any:
            call = Call("GET", "/api/v1/files", query=query if cursor is None else {**query, "cursor": cursor})
            page = self._transport.json(call, self._transport.limits)
            data = [decode_file(file) for file in page["data"]]
            return {**page, "data": data, "has_more": page["next_cursor"] is not None}

        return RecordList(load, follow=False, poll=POLL, start=filter.get("cursor"))

    def download(
        self, file: DataFile, path: Path, *, cuts_max: int = CUTS_MAX, on_progress: Progress | None = None
    ) -> None:
        """Stores a file of `list` at `path`.

        The bytes are kept in `<path>.part` until they are complete: an interrupted download continues there, in this
        process or in a later one. The SHA-256 is checked before the file gets its name: TapelineError `client.damaged`.
        `cuts_max` connections in a row may bring nothing. `on_progress` gets the stored bytes and their total.
        """
        download(self._transport, file, path, cuts_max, on_progress)


class LimitsOfKey(_Resource):
    def read(self) -> answers.LimitsReport:
        """The remaining quota of every limit of the account and the key."""
        answer = self._transport.json(Call("GET", "/api/v1/limits"), self._transport.limits)
        report: answers.LimitsReport = answer["data"]
        return report


class Tapeline:
    """The Tapeline API. Prices and sizes are `Decimal`, times RFC 3339 with nanoseconds (see `to_nanoseconds`).

    `api_key` is by default TAPELINE_KEY; a function returns the key or access token of each attempt, and a stream
    continues with a new one when a token has expired. `base_url` is by default TAPELINE_URL or http://localhost:3001.
    `timeout` bounds one attempt and `budget` one call with its retries and pauses, in seconds. `http_client` is for
    proxies and own certificates; close it yourself.
    """

    def __init__(
        self,
        api_key: ApiKey | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 10.0,
        budget: float = 60.0,
        retries_max: int = 5,
        http_client: httpx.Client | None = None,
    ) -> None:
        limits = Limits(timeout, budget, retries_max)
        self._transport = Transport(Address(api_key, base_url), limits, http_client)
        self.trades = Trades(self._transport)
        self.bars = Bars(self._transport)
        self.l2events = L2Events(self._transport)
        self.quotes = Quotes(self._transport)
        self.instruments = Instruments(self._transport)
        self.files = Files(self._transport)
        self.limits = LimitsOfKey(self._transport)

    @overload
    def stream(
        self,
        channel: Literal["trades"],
        *,
        silence: float = ...,
        on_notice: Notice | None = ...,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[StreamedTrade]: ...

    @overload
    def stream(
        self,
        channel: Literal["l2events"],
        *,
        silence: float = ...,
        on_notice: Notice | None = ...,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[StreamedL2Event]: ...

    @overload
    def stream(
        self,
        channel: Literal["bbo"],
        *,
        silence: float = ...,
        on_notice: Notice | None = ...,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[StreamedQuote]: ...

    @overload
    def stream(
        self,
        channel: Literal["book.10", "book.50", "book.full"],
        *,
        silence: float = ...,
        on_notice: Notice | None = ...,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[BookChange]: ...

    @overload
    def stream(
        self,
        channel: Literal["bars.1s", "bars.1m", "bars.5m", "bars.1h", "bars.1d"],
        *,
        silence: float = ...,
        on_notice: Notice | None = ...,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[StreamedBar]: ...

    def stream(
        self,
        channel: str,
        *,
        silence: float = SILENCE,
        on_notice: Notice | None = None,
        **filter: Unpack[answers.StreamFilter],
    ) -> Stream[Any]:
        """A live stream that continues where it stopped; without `start` and `cursor` it begins now.

        A connection without a byte for `silence` seconds is replaced. `on_notice` is called for everything beside
        records: `subscribed`, `catch_up`, `heartbeat`, `late`, and `reconnecting` with `error` and `pause`, the seconds
        until the next connection. An exception that it raises ends the stream.
        """
        return Stream(self._transport, Position(channel, filter, decoder_of(channel), on_notice), silence)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        budget: float | None = None,
    ) -> Any:
        """The JSON of any other call, with errors like the others. Retried: GET, and creations with `idempotency_key`."""
        call = Call.other(method, path, query, body, idempotency_key)
        return self._transport.json(call, self._transport.limits.override(timeout, budget))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _list_by_post(
    transport: Transport, path: str, filter: Mapping[str, Any], decode: Decode, follow: bool, poll: float
) -> RecordList[Any, Any]:
    """The first page sends the filter, the next ones only the cursor, which contains it."""

    def load(cursor: str | None) -> Any:
        body = dict(filter) if cursor is None else {"cursor": cursor}
        page = transport.json(Call("POST", path, body=body), transport.limits)
        return {**page, "data": [decode(record) for record in page["data"]]}

    return RecordList(load, follow, poll, filter.get("cursor"))
