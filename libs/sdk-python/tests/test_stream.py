from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from decimal import Decimal
from typing import Any
from unittest import TestCase
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from tapeline import AsyncTapeline, Tapeline, TapelineError
from tapeline.event_stream import EventParser
from tests.both import with_both
from tests.faulty_server import Answer, Asked, FaultyServer, Reply, hang_up, problem, start

COUNT = 40
SEQUENCES = [str(n) for n in range(COUNT)]


def event(type: str, data: Any) -> bytes:
    return f"event: {type}\ndata: {json.dumps(data)}\n\n".encode()


def open_stream(reply: Reply) -> None:
    reply.head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})


def send(reply: Reply, content: bytes) -> None:
    reply.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")


def serve(per_connection: int, end: str) -> Answer:
    """Sends the records after the cursor, `per_connection` of them, then ends the connection by `end`."""

    def answer(reply: Reply, asked: Asked) -> None:
        cursor = parse_qs(urlsplit(asked.path).query).get("cursor", ["0"])[0]
        first = int(cursor)
        last = min(first + per_connection, COUNT)
        open_stream(reply)
        send(reply, event("subscribed", {"cursor": cursor}))
        for n in range(first, last, 2):
            data = [{"sequence": str(each), "price": "1.0"} for each in (n, n + 1) if each < last]
            send(reply, event("trades", {"data": data, "cursor": str(n + len(data))}))
        if last == COUNT:
            reply.server.over.wait(30)
        if end == "half":
            send(reply, event("trades", {"data": [{"sequence": "x"}], "cursor": "99"})[:30])
        if end in ("goodbye", "slow_consumer"):
            send(reply, event(end, {"cursors": {"": str(last)}}))

    return answer


class StreamTests(TestCase):
    def setUp(self) -> None:
        shorter = patch("tapeline.stream.PAUSE", 0.02)
        shorter.start()
        self.addCleanup(shorter.stop)

    def test_a_stream_that_ends_continues_with_its_cursor(self) -> None:
        """No record is missing or repeated, however the connection ended."""

        def check(client: Any, server: FaultyServer) -> None:
            seen: list[str] = []
            for trade in client.stream(channel="trades", symbols=["A", "B"]):
                seen.append(trade["sequence"])
                if len(seen) == COUNT:
                    break
            self.assertEqual(seen, SEQUENCES)
            self.assertEqual(server.asked[0].path, "/api/v1/stream?channel=trades&symbols=A%2CB")
            self.assertEqual(server.asked[0].headers["accept"], "text/event-stream")

        for end in ("cut", "half", "goodbye", "slow_consumer"):
            with_both(self, [serve(7, end), hang_up, problem(503, "data.unavailable"), serve(9, end)], check)

    def test_a_stream_begins_at_the_cursor_of_another_process(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            stream = client.stream(channel="trades", cursor="30", start="2026-01-01T00:00:00Z")
            seen: list[str] = []
            batches = iter(stream.batches())
            while len(seen) < 6:
                batch = next(batches)
                seen += [trade["sequence"] for trade in batch.data]
            self.assertEqual(seen, SEQUENCES[30:36])
            self.assertEqual(stream.cursor, "34")
            stream.close()
            self.assertEqual(list(batches), [])

        with_both(self, [serve(COUNT, "cut")], check)

    def test_a_silent_connection_is_replaced(self) -> None:
        def hold(reply: Reply, _: Asked) -> None:
            open_stream(reply)
            send(reply, b": hello\n\n")
            reply.server.over.wait(30)

        def check(client: Any, _: FaultyServer) -> None:
            notices: list[str] = []
            stream = client.stream("trades", silence=2, on_notice=lambda notice: notices.append(notice["type"]))
            for trade in stream:
                if trade["sequence"] == "39":
                    break
            self.assertEqual(notices, ["reconnecting", "subscribed"])

        with_both(self, [hold, serve(COUNT, "cut")], check)

    def test_late_records_are_passed_on_with_decimals_and_do_not_move_the_cursor(self) -> None:
        def late(reply: Reply, _: Asked) -> None:
            open_stream(reply)
            send(reply, event("subscribed", {"cursor": "c1"}))
            send(reply, event("late", {"data": [{"price": "0.50"}], "omitted": 0}))
            send(reply, event("trades", {"data": [{"sequence": "1"}], "cursor": "c2"}))
            reply.server.over.wait(30)

        def check(client: Any, _: FaultyServer) -> None:
            notices: list[Any] = []
            stream = client.stream("trades", on_notice=notices.append)
            for _trade in stream:
                break
            self.assertEqual(notices[1], {"type": "late", "data": [{"price": Decimal("0.50")}], "omitted": 0})
            self.assertEqual(stream.cursor, "c1")

        with_both(self, [late], check)

    def test_quotes_and_books_have_decimals(self) -> None:
        records = {
            "bbo": {"bid_price": "0.50", "ask_price": None},
            "book.10": {"type": "update", "bids": [["1.5", "0"]], "asks": []},
            "bars.1m": {"open": "2.50"},
        }

        def answer(reply: Reply, asked: Asked) -> None:
            channel = parse_qs(urlsplit(asked.path).query)["channel"][0]
            open_stream(reply)
            send(reply, event(channel, {"data": [records[channel]], "cursor": "c1"}))
            reply.server.over.wait(30)

        def check(client: Any, _: FaultyServer) -> None:
            seen = {}
            for channel in records:
                for record in client.stream(channel):
                    seen[channel] = record
                    break
            self.assertEqual(seen["bbo"], {"bid_price": Decimal("0.50"), "ask_price": None})
            self.assertEqual(seen["book.10"]["bids"], [(Decimal("1.5"), Decimal("0"))])
            self.assertEqual(seen["bars.1m"], {"open": Decimal("2.50")})

        with_both(self, [answer], check)

    def test_each_attempt_that_fails_is_reported(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            notices: list[dict[str, Any]] = []
            next(iter(client.stream("trades", on_notice=notices.append)))
            codes = [notice["error"].code if "error" in notice else notice["type"] for notice in notices]
            self.assertEqual(codes, ["client.network", "data.unavailable", "subscribed"])

        with_both(self, [hang_up, problem(503, "data.unavailable"), serve(COUNT, "cut")], check)

    def test_a_permanent_problem_ends_the_stream_with_its_error(self) -> None:
        def revoke(reply: Reply, _: Asked) -> None:
            open_stream(reply)
            send(reply, event("error", {"problem": {"code": "key.revoked", "detail": "It is.", "status": 401}}))
            reply.server.over.wait(30)

        def check(client: Any, _: FaultyServer) -> None:
            seen: list[str] = []
            with self.assertRaises(TapelineError) as found:
                for trade in client.stream("trades"):
                    seen.append(trade["sequence"])
            self.assertEqual((found.exception.code, found.exception.status), ("key.revoked", 401))
            self.assertEqual(seen, SEQUENCES[:4])

        for last in (problem(401, "key.revoked"), revoke):
            with_both(self, [serve(4, "cut"), last], check)

    def test_a_stream_continues_with_a_new_token_after_the_expiry_of_an_accepted_one(self) -> None:
        def expire(reply: Reply, asked: Asked) -> None:
            serve(4, "goodbye")(reply, asked)
            send(reply, event("error", {"problem": {"code": "credential.invalid", "detail": "", "status": 401}}))
            reply.server.over.wait(30)

        tokens: list[str] = []

        def next_token() -> str:
            tokens.append(f"token-{len(tokens)}")
            return tokens[-1]

        def check(client: Any, server: FaultyServer) -> None:
            seen: list[str] = []
            tokens.clear()
            with self.assertRaises(TapelineError):
                for trade in client.stream("trades"):
                    seen.append(trade["sequence"])
            self.assertEqual(seen, SEQUENCES[:8])
            authorizations = [asked.headers["authorization"] for asked in server.asked]
            self.assertEqual(authorizations, ["Bearer token-0", "Bearer token-1", "Bearer token-2"])

        with_both(self, [expire, expire, problem(401, "credential.invalid")], check, api_key=next_token)

    def test_an_exception_of_on_notice_ends_the_stream_and_reaches_its_caller(self) -> None:
        for thrown in (ValueError("stop"), TapelineError("client.network", "Of another call.", "network")):

            def check(client: Any, server: FaultyServer, thrown: Exception = thrown) -> None:
                def on_notice(notice: dict[str, Any]) -> None:
                    if notice["type"] == "subscribed" and len(server.asked) == 1:
                        raise thrown

                with self.assertRaises(type(thrown)) as found:
                    next(iter(client.stream("trades", on_notice=on_notice)))
                self.assertIs(found.exception, thrown)

            with_both(self, [serve(COUNT, "cut")], check)

    def test_a_retry_after_beyond_the_budget_is_awaited_and_reported(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            notices: list[dict[str, Any]] = []
            next(iter(client.stream("trades", on_notice=notices.append)))
            self.assertGreaterEqual(server.asked[1].at - server.asked[0].at, 2.99)
            self.assertEqual((notices[0]["type"], notices[0]["pause"]), ("reconnecting", 3.0))
            self.assertEqual(notices[0]["error"].code, "limit.minute_exceeded")

        full = problem(429, "limit.minute_exceeded", {"retry-after": "3"})
        with_both(self, [full, serve(COUNT, "cut")], check, budget=2.0)

    def test_a_message_that_is_not_json_is_read_again(self) -> None:
        def damage(reply: Reply, _: Asked) -> None:
            open_stream(reply)
            send(reply, b"event: trades\ndata: {\n\n")
            reply.server.over.wait(30)

        def check(client: Any, _: FaultyServer) -> None:
            notices: list[dict[str, Any]] = []
            next(iter(client.stream("trades", on_notice=notices.append)))
            self.assertEqual(notices[0]["error"].code, "client.damaged")

        with_both(self, [damage, serve(COUNT, "cut")], check)

    def test_close_ends_a_stream_that_another_thread_reads(self) -> None:
        server = start(self, serve(COUNT, "cut"))
        with Tapeline("tl_test_1", base_url=server.url) as client:
            stream = client.stream("trades", silence=600)
            seen: list[Any] = []
            reader = threading.Thread(target=lambda: seen.extend(stream), daemon=True)
            reader.start()
            while len(seen) < COUNT:
                time.sleep(0.01)
            stream.close()
            reader.join(60)
            self.assertFalse(reader.is_alive())
            self.assertEqual(len(server.asked), 1)

    def test_close_while_it_connects_ends_a_stream(self) -> None:
        asked = threading.Event()

        def answer_later(reply: Reply, _: Asked) -> None:
            asked.set()
            closed.wait(30)
            open_stream(reply)
            while not reply.server.over.wait(0.05):
                send(reply, event("heartbeat", {"cursors": {}}))

        closed = threading.Event()
        server = start(self, answer_later)
        with self.subTest("sync"), Tapeline("tl_test_1", base_url=server.url) as client:
            stream = client.stream("trades")
            reader = threading.Thread(target=lambda: list(stream), daemon=True)
            reader.start()
            asked.wait(30)
            stream.close()
            closed.set()
            reader.join(60)
            self.assertFalse(reader.is_alive())

        async def close_while_it_connects() -> None:
            async with AsyncTapeline("tl_test_1", base_url=server.url) as client:
                stream = client.stream("trades")
                reading = asyncio.create_task(stream.__aiter__().__anext__())
                await asyncio.to_thread(asked.wait, 30)
                await stream.close()
                closed.set()
                with self.assertRaises(StopAsyncIteration):
                    await asyncio.wait_for(reading, 60)

        asked.clear()
        closed.clear()
        with self.subTest("async"):
            asyncio.run(close_while_it_connects())

    def test_close_ends_the_pause(self) -> None:
        server = start(self, problem(429, "limit.month_exceeded", {"retry-after": "2678400"}))
        with self.subTest("sync"), Tapeline("tl_test_1", base_url=server.url) as client:
            stream = client.stream("trades", on_notice=lambda _: threading.Timer(0.1, stream.close).start())
            self.assertEqual(list(stream), [])

        async def close_later() -> None:
            async with AsyncTapeline("tl_test_1", base_url=server.url) as client:
                stream = client.stream("trades", on_notice=lambda _: noticed.set())
                noticed = asyncio.Event()
                reading = asyncio.create_task(stream.__aiter__().__anext__())
                await noticed.wait()
                await stream.close()
                with self.assertRaises(StopAsyncIteration):
                    await asyncio.wait_for(reading, 30)

        with self.subTest("async"):
            asyncio.run(close_later())


class EventParserTests(TestCase):
    def test_events_are_parsed_however_the_bytes_are_split_with_any_line_breaks(self) -> None:
        text = ': hi\n\nevent: trades\nid: c1\ndata: {"é":1}\n\ndata: a\r\ndata:b\r\n\r\nid: c2\rdata: x\r\rdata: cut'
        content = text.encode()
        expected = [("trades", '{"é":1}', "c1"), ("message", "a\nb", "c1"), ("message", "x", "c2")]
        choice = random.Random(7)
        for _ in range(500):
            cuts = sorted(choice.choices(range(len(content) + 1), k=choice.randrange(12)))
            parser = EventParser()
            chunks = [content[start:end] for start, end in zip([0, *cuts], [*cuts, len(content)])]
            self.assertEqual([found for chunk in chunks for found in parser.feed(chunk)], expected, cuts)
