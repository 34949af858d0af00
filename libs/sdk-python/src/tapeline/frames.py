"""Records as a pandas DataFrame or an Arrow table. pandas and pyarrow are loaded when they are used."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .nanoseconds import to_nanoseconds

if TYPE_CHECKING:
    import pandas
    import pyarrow


def frame_of(records: Sequence[Any], floats: bool = False) -> pandas.DataFrame:
    """A column per field. Times become `datetime64[ns, UTC]`; prices and sizes stay exact `Decimal` objects.

    With `floats` they become `float64`: faster to calculate with, exact to about 15 digits.
    """
    import pandas

    frame: pandas.DataFrame = pandas.DataFrame.from_records(list(records))
    for name in list(frame.columns):
        if _is_time(name):
            nanoseconds = _nanoseconds(records, name)
            frame[name] = pandas.to_datetime(pandas.Series(nanoseconds, dtype="Int64"), unit="ns", utc=True)
        elif floats and any(isinstance(value, Decimal) for value in frame[name]):
            frame[name] = frame[name].astype("float64")
    return frame


def arrow_of(records: Sequence[Any]) -> pyarrow.Table:
    """A column per field. Times become `timestamp[ns, UTC]`; prices and sizes stay exact as `decimal128`."""
    import pyarrow

    columns: dict[str, Any] = {}
    # `from_pylist` would take the fields of the first record only.
    for name in dict.fromkeys(name for record in records for name in record):
        if _is_time(name):
            times = pyarrow.array(_nanoseconds(records, name), pyarrow.int64())
            columns[name] = times.cast(pyarrow.timestamp("ns", "UTC"))
        else:
            columns[name] = pyarrow.array([record.get(name) for record in records])
    table: pyarrow.Table = pyarrow.table(columns)
    return table


def _is_time(name: str) -> bool:
    return (name.startswith("ts_") or "_ts_" in name) and not name.endswith("_precision")


def _nanoseconds(records: Sequence[Any], name: str) -> list[int | None]:
    times = [record.get(name) for record in records]
    return [None if time is None else to_nanoseconds(time) for time in times]
