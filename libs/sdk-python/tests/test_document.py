"""The types of the client have the fields of the public OpenAPI document."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

from tapeline import answers, records

DOCUMENT = Path(__file__).parents[3] / "gateway/golden/openapi.json"
RECORDS = ("Trade", "L2Event", "Quote", "Bar", "Book", "Instrument", "DataFile")
PAGES = ("TradePage", "L2EventPage", "QuotePage", "BarPage", "LimitsReport", "LimitWindow")
FILTERS = ("ListTrades", "ListBars", "ListL2Events", "ListQuotes")


@unittest.skipUnless(DOCUMENT.exists(), "the OpenAPI document is not here")
class DocumentTests(unittest.TestCase):
    def setUp(self) -> None:
        self.schemas: dict[str, Any] = json.loads(DOCUMENT.read_text())["components"]["schemas"]

    def test_records_and_pages_have_the_fields_of_the_document(self) -> None:
        for module, names in ((records, RECORDS), (answers, PAGES)):
            for name in names:
                shape, schema = getattr(module, name), self.schemas[name]
                with self.subTest(name):
                    self.assertEqual(set(shape.__annotations__), set(schema["properties"]))
                    self.assertEqual(set(shape.__required_keys__), set(schema["required"]))

    def test_filters_have_the_fields_of_the_document(self) -> None:
        for name in FILTERS:
            with self.subTest(name):
                # Events by level are another record: `call` lists them.
                expected = set(self.schemas[name]["properties"]) - {"layout"}
                self.assertEqual(set(getattr(answers, name).__annotations__), expected)
