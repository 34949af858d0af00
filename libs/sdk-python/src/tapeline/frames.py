"""Records as a pandas DataFrame. pandas is loaded when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .nanoseconds import to_nanoseconds

if TYPE_CHECKING:
    import pandas


def frame_of(records: Sequence[Any], floats: bool = False) -> pandas.DataFrame:
    """A column per field. Times become `datetime64[ns, UTC]`; prices and sizes stay exact `Decimal` objects.

    With `floats` they become `float64`: faster to calculate with, exact to about 15 digits.
    """
    import pandas

    frame: pandas.DataFrame = pandas.DataFrame.from_records(list(records))
    for name in list(frame.columns):
        if name.startswith("ts_") or "_ts_" in name:
            times = [record.get(name) for record in records]
            nanoseconds = [None if time is None else to_nanoseconds(time) for time in times]
            frame[name] = pandas.to_datetime(pandas.Series(nanoseconds, dtype="Int64"), unit="ns", utc=True)
        elif floats and any(isinstance(value, Decimal) for value in frame[name]):
            frame[name] = frame[name].astype("float64")
    return frame
