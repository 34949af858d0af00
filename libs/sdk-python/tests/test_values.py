from __future__ import annotations

import random
import unittest
from decimal import Decimal
from importlib.util import find_spec

from tapeline import arrow_of, frame_of, from_nanoseconds, to_nanoseconds


class NanosecondsTests(unittest.TestCase):
    def test_every_nanosecond_from_1970_to_2200_is_converted_to_text_and_back_without_loss(self) -> None:
        choice = random.Random(5)
        last = 7_258_118_400_000_000_000
        for nanoseconds in [0, last, *(choice.randrange(last) for _ in range(2_000))]:
            self.assertEqual(to_nanoseconds(from_nanoseconds(nanoseconds)), nanoseconds)
            self.assertEqual(to_nanoseconds(str(nanoseconds)), nanoseconds)

    def test_fewer_decimals_are_fractions_of_a_second_other_texts_are_rejected(self) -> None:
        self.assertEqual(to_nanoseconds("2026-01-02T03:04:05Z"), 1_767_323_045_000_000_000)
        self.assertEqual(to_nanoseconds("2026-01-02T03:04:05.5Z"), 1_767_323_045_500_000_000)
        self.assertEqual(from_nanoseconds(1_767_323_045_500_000_001), "2026-01-02T03:04:05.500000001Z")
        for text in ("", "now", "2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05+01:00"):
            self.assertRaises(ValueError, to_nanoseconds, text)


@unittest.skipIf(find_spec("pandas") is None, "pandas is not installed")
class FrameTests(unittest.TestCase):
    def test_times_keep_their_nanoseconds_and_prices_are_exact_or_floats(self) -> None:
        records = [
            {"ts_event": "2026-01-02T03:04:05.123456789Z", "last_ts_event": None, "price": Decimal("0.10")},
            {"ts_event": "1767323045000000001", "last_ts_event": "2026-01-02T03:04:05Z", "price": None},
        ]
        frame = frame_of(records)
        self.assertEqual(str(frame.dtypes["ts_event"]), "datetime64[ns, UTC]")
        self.assertEqual([each.value for each in frame["ts_event"]], [1767323045123456789, 1767323045000000001])
        self.assertTrue(frame["last_ts_event"].isna()[0])
        self.assertEqual(str(frame["price"][0]), "0.10")
        self.assertEqual(str(frame_of(records, floats=True).dtypes["price"]), "float64")
        self.assertEqual(len(frame_of([])), 0)
        self.assertEqual(frame_of([{"ts_event_precision": "ms"}])["ts_event_precision"][0], "ms")


@unittest.skipIf(find_spec("pyarrow") is None, "pyarrow is not installed")
class ArrowTests(unittest.TestCase):
    def test_times_keep_their_nanoseconds_and_prices_all_digits(self) -> None:
        records = [
            {"ts_event": "2026-01-02T03:04:05.123456789Z", "price": Decimal("0.10"), "bids": [[Decimal("1.5"), Decimal(2)]]},
            {"ts_event": "1767323045000000001", "price": Decimal("65000.12345678"), "bids": []},
        ]
        table = arrow_of(records)
        self.assertEqual(str(table.schema.field("ts_event").type), "timestamp[ns, tz=UTC]")
        self.assertEqual(table["ts_event"].cast("int64").to_pylist(), [1767323045123456789, 1767323045000000001])
        self.assertEqual(table["price"].to_pylist(), [Decimal("0.10"), Decimal("65000.12345678")])
        self.assertEqual(table["bids"][0].as_py(), [[Decimal("1.5"), Decimal(2)]])
        self.assertEqual(arrow_of([]).num_rows, 0)
        self.assertEqual(arrow_of([{"ts_event_precision": "ms"}])["ts_event_precision"].to_pylist(), ["ms"])

    def test_fields_of_later_records_have_a_column(self) -> None:
        gap = {"reason": "messages_missed", "to_ts": None}
        table = arrow_of([{"sequence": "1"}, {"sequence": "2", "gap": gap}])
        self.assertEqual(table["gap"].to_pylist(), [None, gap])
