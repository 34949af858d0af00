"""Client for the Tapeline market-data API: trades, bars, order books, files and live streams."""

from .answers import (
    BarPage,
    FilePage,
    L2EventPage,
    LimitsReport,
    LimitWindow,
    ListBars,
    ListFiles,
    ListL2Events,
    ListQuotes,
    ListTrades,
    QuotePage,
    StreamFilter,
    TradePage,
)
from .async_client import AsyncTapeline
from .client import Tapeline
from .errors import FailureKind, TapelineError
from .frames import arrow_of, frame_of
from .nanoseconds import from_nanoseconds, to_nanoseconds
from .record_list import AsyncRecordList, RecordList
from .records import (
    Bar,
    Book,
    BookChange,
    DataFile,
    Instrument,
    L2Event,
    Quote,
    StreamedBar,
    StreamedL2Event,
    StreamedQuote,
    StreamedTrade,
    Trade,
)
from .stream import AsyncStream, Batch, Stream
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncRecordList",
    "AsyncStream",
    "AsyncTapeline",
    "Bar",
    "BarPage",
    "Batch",
    "Book",
    "BookChange",
    "DataFile",
    "FailureKind",
    "FilePage",
    "Instrument",
    "L2Event",
    "L2EventPage",
    "LimitWindow",
    "LimitsReport",
    "ListBars",
    "ListFiles",
    "ListL2Events",
    "ListQuotes",
    "ListTrades",
    "Quote",
    "QuotePage",
    "RecordList",
    "Stream",
    "StreamFilter",
    "StreamedBar",
    "StreamedL2Event",
    "StreamedQuote",
    "StreamedTrade",
    "Tapeline",
    "TapelineError",
    "Trade",
    "TradePage",
    "WebhookVerificationError",
    "arrow_of",
    "frame_of",
    "from_nanoseconds",
    "to_nanoseconds",
    "verify_webhook",
]
