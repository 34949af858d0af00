from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from unittest import TestCase, main
from unittest.mock import patch

import tapeline
from tapeline import Tapeline, TapelineError
from tests.both import with_both
from tests.faulty_server import (
    Asked,
    FaultyServer,
    Reply,
    answer_json,
    cut,
    hang_up,
    page,
    problem,
    silence,
    start,
)


def ids_of(records: Any) -> list[str]:
    return [record["id"] for record in records]


class CallTests(TestCase):
    def setUp(self) -> None:
        shorter = patch("tapeline.calls.PAUSE", 0.02)
        shorter.start()
        self.addCleanup(shorter.stop)

    def failure_of(self, work: Callable[[], Any]) -> TapelineError:
        with self.assertRaises(TapelineError) as found:
            work()
        return found.exception

    def test_a_list_is_read_over_all_pages_first_with_the_filter_then_with_the_cursor_alone(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            trades = client.trades.list(symbols=["BTC-USDT"], limit=2, price={"gt": Decimal("0.1")})
            found = trades.to_list()
            self.assertEqual(ids_of(found), ["1", "2", "3", "4"])
            self.assertEqual(found[0]["size"], Decimal("12345678901234567890.123456789"))
            self.assertEqual(str(found[0]["price"]), "0.10")
            first = {"symbols": ["BTC-USDT"], "limit": 2, "price": {"gt": "0.1"}}
            self.assertEqual([asked.body for asked in server.asked], [first, {"cursor": "a"}, {"cursor": "b"}])
            self.assertEqual((server.asked[0].method, server.asked[0].path), ("POST", "/api/v1/trades/list"))
            self.assertEqual(server.asked[0].headers["authorization"], "Bearer tl_test_1")
            self.assertEqual(trades.cursor, "c")

        with_both(self, [page(["1", "2"], "a"), page(["3"], "b"), page(["4"], "c", False)], check)

    def test_a_list_that_is_left_within_a_page_continues_before_its_next_record(self) -> None:
        pages = [page(["1", "2", "3"], "a"), page(["4", "5", "6"], "b"), page(["7"], "c", False)]

        def check(client: Any, _: FaultyServer) -> None:
            trades = client.trades.list(cursor="stored")
            self.assertEqual(trades.cursor, "stored")
            cursors: list[str | None] = []
            for trade in trades:
                cursors.append(trades.cursor)
                if trade["id"] == "5":
                    break
            self.assertEqual(cursors, ["stored", "stored", "a", "a", "a"])
            # The server is at its third page now.
            trades.to_list(1)
            self.assertEqual(trades.cursor, "c")
            trades.to_list(2)
            self.assertEqual(trades.cursor, "stored")
            self.assertEqual([trades.cursor for _page in trades.pages()], ["b", "c"])

        with_both(self, [*pages, *pages, *pages], check)

    def test_to_list_ends_at_its_maximum_and_loads_no_unnecessary_page(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(len(client.trades.list().to_list(2)), 2)
            self.assertEqual(client.trades.list().to_list(0), [])
            self.assertEqual(len(server.asked), 1)

        with_both(self, [page(["1", "2"], "a"), page(["3", "4"], "b")], check)

    def test_follow_waits_for_new_records_at_the_end(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(ids_of(client.trades.list(follow=True, poll=0.005).to_list(2)), ["1", "2"])
            self.assertEqual(len(server.asked), 3)

        with_both(self, [page(["1"], "a", False), page([], "a", False), page(["2"], "b", False)], check)

    def test_pages_are_complete(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            pages = list(client.trades.list().pages())
            self.assertEqual([(ids_of(each["data"]), each["coverage"]) for each in pages], [(["1"], []), (["2"], [])])

        with_both(self, [page(["1"], "a"), page(["2"], None)], check)

    def test_the_first_page_is_returned_without_records_too(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            self.assertEqual([each["request_id"] for each in client.trades.list().pages()], ["r"])
            self.assertEqual(client.trades.list().to_list(), [])

        with_both(self, [page([], None)], check)

    def test_after_a_429_the_client_waits_for_retry_after(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(ids_of(client.trades.list()), ["1"])
            self.assertGreaterEqual(server.asked[1].at - server.asked[0].at, 0.99)

        with_both(self, [problem(429, "limit.burst_exceeded", {"retry-after": "1"}), page(["1"], None)], check)

    def test_temporary_failures_are_retried(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(ids_of(client.trades.list()), ["1"])
            self.assertEqual(len(server.asked), 3)

        broken = cut({"data": [], "next_cursor": None, "has_more": False})
        for answer in (problem(503, "data.unavailable"), hang_up, broken):
            with_both(self, [answer, answer, page(["1"], None)], check)
        # Long enough for the answer of a busy machine.
        with_both(self, [silence, silence, page(["1"], None)], check, timeout=2)

    def test_permanent_failures_are_not_retried_and_have_code_status_and_request_id(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            error = self.failure_of(lambda: client.trades.list().to_list())
            facts = (error.code, error.kind, error.status, error.request_id)
            self.assertEqual(facts, ("filter.invalid", "answer", 400, "request-1"))
            self.assertEqual(str(error), "filter.invalid: It is filter.invalid. (request request-1)")
            self.assertEqual(len(server.asked), 1)

        with_both(self, [problem(400, "filter.invalid")], check)

    def test_the_answer_of_an_intermediary_has_the_code_of_its_status(self) -> None:
        def answer(reply: Reply, _: Asked) -> None:
            reply.head(413, {"content-type": "text/html", "content-length": "2"})
            reply.write(b"no")

        def check(client: Any, _: FaultyServer) -> None:
            error = self.failure_of(client.limits.read)
            self.assertEqual((error.code, error.request_id), ("http.413", None))

        with_both(self, [answer], check)

    def test_the_error_of_a_failed_connection_has_its_cause(self) -> None:
        with Tapeline("k", base_url="http://127.0.0.1:1", retries_max=0) as client:
            error = self.failure_of(client.limits.read)
        self.assertRegex(str(error), r"^client\.network: No response from http://127\.0\.0\.1:1 \(.+\)\.$")

    def test_a_web_page_instead_of_an_answer_ends_a_call_and_is_reported_by_a_stream(self) -> None:
        def sign_in(reply: Reply, _: Asked) -> None:
            reply.head(200, {"content-type": "text/html; charset=utf-8", "content-length": "2"})
            reply.write(b"no")

        def trades(reply: Reply, _: Asked) -> None:
            content = b'event: trades\ndata: {"data": [], "cursor": "c1"}\n\n'
            reply.head(200, {"content-type": "text/event-stream", "content-length": str(len(content))})
            reply.write(content)

        def check(client: Any, server: FaultyServer) -> None:
            error = self.failure_of(client.limits.read)
            self.assertEqual((error.code, error.status, len(server.asked)), ("client.damaged", 200, 1))
            notices: list[dict[str, Any]] = []
            next(iter(client.stream("trades", on_notice=notices.append).batches()))
            self.assertEqual([notice["error"].code for notice in notices], ["client.damaged"])

        with_both(self, [sign_in, sign_in, trades], check)

    def test_a_pause_beyond_the_budget_ends_the_call_at_once(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            error = self.failure_of(lambda: client.limits.read())
            self.assertEqual((error.code, error.retry_after), ("limit.month_exceeded", 86_400.0))
            self.assertEqual(len(server.asked), 1)

        with_both(self, [problem(429, "limit.month_exceeded", {"retry-after": "86400"})], check)

    def test_retry_after_may_be_a_date(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            error = self.failure_of(lambda: client.limits.read())
            self.assertGreater(error.retry_after or 0, 86_400 * 365)

        with_both(self, [problem(429, "limit.month_exceeded", {"retry-after": "Fri, 31 Dec 2200 23:59:59 GMT"})], check)

    def test_retries_end_after_their_maximum_number(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(self.failure_of(lambda: client.limits.read()).code, "data.unavailable")
            self.assertEqual(len(server.asked), 3)

        with_both(self, [problem(503, "data.unavailable", {"retry-after": "0"})], check, retries_max=2)

    def test_a_server_that_never_answers_ends_with_a_timeout(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            error = self.failure_of(lambda: client.limits.read())
            self.assertEqual((error.code, error.kind, error.status), ("client.timeout", "timeout", None))

        with_both(self, [silence], check, timeout=0.05, retries_max=1)

    def test_a_slow_body_ends_with_a_timeout(self) -> None:
        def trickle(reply: Reply, _: Asked) -> None:
            reply.head(200, {"content-type": "application/json", "content-length": "1000"})
            while not reply.server.over.wait(0.02):
                reply.write(b" ")

        def check(client: Any, _: FaultyServer) -> None:
            self.assertEqual(self.failure_of(lambda: client.limits.read()).code, "client.timeout")

        with_both(self, [trickle], check, timeout=0.2, retries_max=0)

    def test_times_may_be_endless(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            self.assertEqual(client.limits.read(), {"tier": "free"})

        endless = float("inf")
        with_both(self, [answer_json({"data": {"tier": "free"}})], check, timeout=endless, budget=endless)

    def test_a_status_without_its_complete_body_is_not_retried(self) -> None:
        def answer(reply: Reply, _: Asked) -> None:
            reply.head(400, {"content-type": "application/problem+json", "content-length": "100"})
            reply.write(b"{")

        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(self.failure_of(client.limits.read).code, "http.400")
            self.assertEqual(len(server.asked), 1)

        with_both(self, [answer], check)

    def test_a_write_by_call_is_sent_once(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.failure_of(lambda: client.call("POST", "/api/v1/x", body={"a": 1}))
            self.assertEqual([(asked.path, asked.body) for asked in server.asked], [("/api/v1/x", {"a": 1})])
            self.failure_of(lambda: client.call("GET", "/api/v1/x", query={"a": 1, "b": None}))
            self.assertEqual([asked.path for asked in server.asked[1:]], ["/api/v1/x?a=1"] * 3)

        with_both(self, [hang_up], check, retries_max=2)

    def test_a_creation_with_an_idempotency_key_is_repeated_with_the_same_key(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            made = client.call("POST", "/api/v1/x", body={"a": 1}, idempotency_key="k1")
            self.assertEqual(made, {"data": 1})
            self.assertEqual([asked.headers["idempotency-key"] for asked in server.asked], ["k1"] * 3)

        with_both(self, [hang_up, problem(503, "service.unavailable"), answer_json({"data": 1})], check)

    def test_a_creation_whose_first_attempt_is_still_running_is_awaited(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(client.call("POST", "/api/v1/x", body={}, idempotency_key="k1"), {"data": 1})
            self.assertEqual(len(server.asked), 3)

        running = problem(409, "idempotency_key.in_flight", {"retry-after": "0"})
        with_both(self, [hang_up, running, answer_json({"data": 1})], check)

    def test_decimals_of_filters_have_no_exponent(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            client.trades.list(price={"gt": Decimal("0.00000071"), "lt": Decimal("1E+3")}).to_list()
            self.assertEqual(server.asked[0].body, {"price": {"gt": "0.00000071", "lt": "1000"}})

        with_both(self, [page([], None)], check)

    def test_many_429_end_and_no_call_is_sent_before_its_retry_after(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(ids_of(client.trades.list().to_list()), ["1"])
            pauses = [after.at - before.at for before, after in zip(server.asked, server.asked[1:])]
            self.assertEqual(len(pauses), 4)
            self.assertGreaterEqual(min(pauses), 0.99)

        full = problem(429, "limit.burst_exceeded", {"retry-after": "1"})
        with_both(self, [full, full, full, full, page(["1"], None)], check)

    def test_files_are_listed_over_pages_by_query(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(ids_of(client.files.list(from_="2026-01-01", venue="sim", channel="trades")), ["1", "2"])
            path = "/api/v1/files?venue=sim&channel=trades&from=2026-01-01"
            self.assertEqual([asked.path for asked in server.asked], [path, f"{path}&cursor=n"])

        pages = [{"data": [{"id": "1"}], "next_cursor": "n"}, {"data": [{"id": "2"}], "next_cursor": None}]
        with_both(self, [answer_json(each) for each in pages], check)

    def test_books_and_instruments_have_decimals(self) -> None:
        book = {"data": {"state": "known", "bids": [["1.10", "2"]], "asks": []}}
        instruments = {"data": [{"symbol": "A", "tick": "0.010", "lot": None}]}

        def check(client: Any, server: FaultyServer) -> None:
            found = client.l2events.book("sim", "A", depth=5)
            self.assertEqual(found["bids"], [(Decimal("1.10"), Decimal(2))])
            body = {"venue": "sim", "symbol": "A", "depth": 5, "time_format": "rfc3339"}
            self.assertEqual(server.asked[0].body, body)
            listed = client.instruments.list()
            self.assertEqual(listed, [{"symbol": "A", "tick": Decimal("0.010"), "lot": None}])

        with_both(self, [answer_json(book), answer_json(instruments)], check)

    def test_bars_and_events_go_to_their_addresses(self) -> None:
        bar = {"open": "1", "vwap": None, "count": 3}
        event = {"bids": [["1", "2.50"]], "asks": []}
        answers = [answer_json({"data": [each], "next_cursor": None, "has_more": False}) for each in (bar, event)]

        def check(client: Any, server: FaultyServer) -> None:
            self.assertEqual(
                client.bars.list(interval="1h").to_list(), [{"open": Decimal(1), "vwap": None, "count": 3}]
            )
            self.assertEqual(client.l2events.list().to_list()[0]["bids"], [(Decimal(1), Decimal("2.50"))])
            paths = [asked.path for asked in server.asked]
            self.assertEqual(paths, ["/api/v1/trades/bars", "/api/v1/l2events/list"])

        with_both(self, answers, check)

    def test_quotes_are_listed_over_pages_with_decimals(self) -> None:
        quote = {"id": "1", "bid_price": "0.50", "bid_size": "2", "ask_price": None, "ask_size": None}
        answers = [
            answer_json({"data": [quote], "next_cursor": "a", "has_more": True}),
            answer_json({"data": [{**quote, "id": "2"}], "next_cursor": None, "has_more": False}),
        ]

        def check(client: Any, server: FaultyServer) -> None:
            found = client.quotes.list(symbols=["BTC-USDT"], limit=1).to_list()
            self.assertEqual(ids_of(found), ["1", "2"])
            self.assertEqual((found[0]["bid_price"], found[0]["ask_price"]), (Decimal("0.50"), None))
            self.assertEqual([asked.path for asked in server.asked], ["/api/v1/quotes/list"] * 2)
            bodies = [asked.body for asked in server.asked]
            self.assertEqual(bodies, [{"symbols": ["BTC-USDT"], "limit": 1}, {"cursor": "a"}])

        with_both(self, answers, check)

    def test_a_key_that_a_header_cannot_contain_fails_at_once_and_no_error_contains_it(self) -> None:
        for key in ("tl_live_sec\nret", "tl_live_sec ret", "tl_live_sec\u2026ret"):
            for make in (Tapeline, tapeline.AsyncTapeline):
                with self.assertRaises(ValueError) as found:
                    make(key)
                self.assertNotIn("live_sec", "".join(traceback.format_exception_only(found.exception)))
                self.assertNotIsInstance(found.exception, UnicodeError)

        server = start(self, answer_json({"data": {}}))
        with Tapeline("tl_live_secret\n", base_url=server.url) as client:
            client.limits.read()
        self.assertEqual(server.asked[0].headers["authorization"], "Bearer tl_live_secret")

    def test_an_address_without_a_scheme_fails_at_once(self) -> None:
        for address in ("localhost:3001", "api.example.com", "ftp://api.example.com"):
            for make in (Tapeline, tapeline.AsyncTapeline):
                self.assertRaisesRegex(ValueError, "http://", make, "k", base_url=address)

    def test_a_client_without_a_key_fails_at_once(self) -> None:
        with patch.dict(os.environ, clear=True):
            for make in (Tapeline, tapeline.AsyncTapeline):
                self.assertRaisesRegex(ValueError, "TAPELINE_KEY", make)


if __name__ == "__main__":
    main()
