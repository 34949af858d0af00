"""Sends calls with retries under one time budget: `Retry-After` is honored, other pauses grow and have jitter."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx

from .calls import Address, Call, Limits, Retries, json_of, timed_out
from .errors import TapelineError, error_of_answer, is_web_page, web_page_error

Result = TypeVar("Result")


class Transport:
    def __init__(self, address: Address, limits: Limits, http_client: httpx.Client | None) -> None:
        self._address = address
        self.limits = limits
        self.has_key_function = address.has_key_function
        self._is_own = http_client is None
        self._http = httpx.Client() if http_client is None else http_client

    def close(self) -> None:
        if self._is_own:
            self._http.close()

    def json(self, call: Call, limits: Limits) -> Any:
        """The answer's JSON. Raises TapelineError."""

        def attempt(timeout: float) -> Any:
            end = time.monotonic() + timeout
            answer = self._send(call, timeout, None)
            return json_of(self._body_of(answer, end, timeout))

        return self._retry(call, limits, attempt)

    def open(self, call: Call, limits: Limits, read_timeout: float) -> httpx.Response:
        """An answer whose body is not read yet; only failures before the body are retried."""
        return self._retry(call, limits, lambda timeout: self._send(call, timeout, read_timeout))

    def _retry(self, call: Call, limits: Limits, attempt: Callable[[float], Result]) -> Result:
        retries = Retries(limits, call.can_retry)
        while True:
            try:
                return attempt(retries.timeout())
            except TapelineError as error:
                pause = retries.pause_after(error)
                if pause is None:
                    raise
            time.sleep(pause)

    def _send(self, call: Call, timeout: float, read_timeout: float | None) -> httpx.Response:
        end = time.monotonic() + timeout
        request = self._address.request(call, timeout, read_timeout)
        try:
            answer = self._http.send(request, stream=True)
        except httpx.HTTPError as cause:
            raise self._address.error_of(cause, timeout) from cause
        if answer.is_success:
            if not is_web_page(answer):
                return answer
            answer.close()
            raise web_page_error(answer.status_code)
        try:
            body = self._body_of(answer, end, timeout)
        except TapelineError:
            # The status is known without its body.
            body = b""
        raise error_of_answer(answer, body)

    def _body_of(self, answer: httpx.Response, end: float, timeout: float) -> bytes:
        body = bytearray()
        try:
            for chunk in answer.iter_bytes():
                body += chunk
                if time.monotonic() > end:
                    raise timed_out(timeout)
        except httpx.HTTPError as cause:
            raise self._address.error_of(cause, timeout) from cause
        finally:
            answer.close()
        return bytes(body)


class AsyncTransport:
    def __init__(self, address: Address, limits: Limits, http_client: httpx.AsyncClient | None) -> None:
        self._address = address
        self.limits = limits
        self.has_key_function = address.has_key_function
        self._is_own = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def json(self, call: Call, limits: Limits) -> Any:
        """The answer's JSON. Raises TapelineError."""

        async def attempt(timeout: float) -> Any:
            answer = await self._send(call, timeout, None)
            return json_of(await self._body_of(answer, timeout))

        return await self._retry(call, limits, attempt)

    async def open(self, call: Call, limits: Limits, read_timeout: float) -> httpx.Response:
        """An answer whose body is not read yet; only failures before the body are retried."""
        return await self._retry(call, limits, lambda timeout: self._send(call, timeout, read_timeout))

    async def _retry(self, call: Call, limits: Limits, attempt: Callable[[float], Awaitable[Result]]) -> Result:
        retries = Retries(limits, call.can_retry)
        while True:
            timeout = retries.timeout()
            try:
                try:
                    return await asyncio.wait_for(attempt(timeout), timeout)
                except asyncio.TimeoutError as cause:
                    raise timed_out(timeout) from cause
            except TapelineError as error:
                pause = retries.pause_after(error)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _send(self, call: Call, timeout: float, read_timeout: float | None) -> httpx.Response:
        request = self._address.request(call, timeout, read_timeout)
        try:
            answer = await self._http.send(request, stream=True)
        except httpx.HTTPError as cause:
            raise self._address.error_of(cause, timeout) from cause
        if answer.is_success:
            if not is_web_page(answer):
                return answer
            await answer.aclose()
            raise web_page_error(answer.status_code)
        try:
            body = await self._body_of(answer, timeout)
        except TapelineError:
            # The status is known without its body.
            body = b""
        raise error_of_answer(answer, body)

    async def _body_of(self, answer: httpx.Response, timeout: float) -> bytes:
        try:
            return await answer.aread()
        except httpx.HTTPError as cause:
            raise self._address.error_of(cause, timeout) from cause
        finally:
            await answer.aclose()
