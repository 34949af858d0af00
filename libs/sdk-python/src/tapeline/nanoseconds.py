"""Times of the API as whole nanoseconds, because `datetime` has only microseconds."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_RFC_3339 = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)
_NANOS_DIGITS = 9
_NANOS_PER_SECOND = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SECOND = timedelta(seconds=1)


def to_nanoseconds(time: str) -> int:
    """Nanoseconds since 1970 of a time of the API: RFC 3339 in UTC with up to nine decimals, or digits (`unix_ns`).

    Raises ValueError for any other text.
    """
    if _DIGITS.fullmatch(time):
        return int(time)
    match = _RFC_3339.fullmatch(time)
    if match is None:
        raise ValueError(f"not a time: {time}")
    seconds, fraction = match.groups(default="")
    try:
        at = datetime.fromisoformat(f"{seconds}+00:00")
    except ValueError:
        raise ValueError(f"not a time: {time}") from None
    whole = (at - _EPOCH) // _SECOND
    return whole * _NANOS_PER_SECOND + int(str(fraction).ljust(_NANOS_DIGITS, "0"))


def from_nanoseconds(nanoseconds: int) -> str:
    """RFC 3339 in UTC with nine decimals, as the API accepts it."""
    seconds, fraction = divmod(nanoseconds, _NANOS_PER_SECOND)
    at = _EPOCH + timedelta(seconds=seconds)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{fraction:09d}Z"
