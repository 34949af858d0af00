from __future__ import annotations

import hashlib
import os
import random
import re
import tempfile
from typing import Any
from unittest import TestCase

from tapeline import TapelineError
from tests.both import Check, with_both
from tests.faulty_server import Answer, Asked, FaultyServer, Reply, problem

BYTES = random.Random(3).randbytes(100_000)
FILE: Any = {"id": "f1", "bytes": len(BYTES), "sha256": hashlib.sha256(BYTES).hexdigest()}


def serve(content: bytes, most: int = 1 << 40, has_ranges: bool = True) -> Answer:
    """Serves the requested range of `content`, at most `most` bytes, then closes the connection."""

    def answer(reply: Reply, asked: Asked) -> None:
        match = re.match(r"bytes=(\d+)-", asked.headers.get("range", "")) if has_ranges else None
        first = int(match.group(1)) if match else 0
        reply.head(206 if match else 200, {"content-length": str(len(content) - first)})
        reply.write(content[first : first + most])

    return answer


class DownloadTests(TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "trades.parquet")
        self.part = f"{self.path}.part"

    def both(self, answer: Answer, check: Check) -> None:
        def clean(client: Any, server: FaultyServer) -> None:
            check(client, server)
            for path in (self.path, self.part):
                if os.path.exists(path):
                    os.remove(path)

        with_both(self, [answer], clean)

    def stored(self) -> bytes:
        with open(self.path, "rb") as file:
            return file.read()

    def test_a_download_interrupted_repeatedly_continues_where_it_stopped(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            progress: list[tuple[int, int]] = []
            client.files.download(FILE, self.path, on_progress=lambda at, total: progress.append((at, total)))
            self.assertEqual(self.stored(), BYTES)
            self.assertFalse(os.path.exists(self.part))
            self.assertGreater(len(server.asked), 2)
            self.assertEqual(progress[-1], (len(BYTES), len(BYTES)))

        self.both(serve(BYTES, 30_000), check)

    def test_a_partial_file_of_an_earlier_process_is_continued(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            with open(self.part, "wb") as part:
                part.write(BYTES[:60_000])
            client.files.download(FILE, self.path)
            self.assertEqual([asked.headers["range"] for asked in server.asked], ["bytes=60000-"])
            self.assertEqual(self.stored(), BYTES)

        self.both(serve(BYTES), check)

    def test_a_server_without_ranges_starts_over(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            with open(self.part, "wb") as part:
                part.write(b"x" * 10)
            client.files.download(FILE, self.path)
            self.assertEqual(self.stored(), BYTES)

        self.both(serve(BYTES, has_ranges=False), check)

    def test_a_partial_file_of_another_file_is_replaced(self) -> None:
        for length in (60_000, len(BYTES), len(BYTES) + 1):

            def check(client: Any, _: FaultyServer, length: int = length) -> None:
                with open(self.part, "wb") as part:
                    part.write(bytes(length))
                client.files.download(FILE, self.path)
                self.assertEqual(self.stored(), BYTES)

            self.both(serve(BYTES), check)

    def test_bytes_with_another_sha256_never_get_the_name_of_the_file(self) -> None:
        def check(client: Any, _: FaultyServer) -> None:
            with self.assertRaises(TapelineError) as found:
                client.files.download(FILE, self.path)
            self.assertEqual((found.exception.code, found.exception.kind), ("client.damaged", "damaged"))
            self.assertFalse(os.path.exists(self.path) or os.path.exists(self.part))

        self.both(serve(b"?" + BYTES[1:]), check)

    def test_a_rejected_file_fails_with_its_problem(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            with self.assertRaises(TapelineError) as found:
                client.files.download(FILE, self.path)
            self.assertEqual(found.exception.code, "file.not_found")
            self.assertEqual(len(server.asked), 1)

        self.both(problem(404, "file.not_found"), check)

    def test_connections_without_data_end_the_download(self) -> None:
        def check(client: Any, server: FaultyServer) -> None:
            with self.assertRaises(TapelineError) as found:
                client.files.download(FILE, self.path, cuts_max=1)
            self.assertEqual(found.exception.kind, "network")
            self.assertEqual(len(server.asked), 2)

        self.both(serve(BYTES, 0), check)
