"""What both transports share: a call, its options, and when a failed attempt is repeated. Nothing here waits."""

from __future__ import annotations

import json
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import httpx

from .errors import TapelineError

ApiKey: TypeAlias = "str | Callable[[], str]"

PAUSE = 0.25
PAUSE_MAX = 8.0
RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504})
# Seconds that every wait of Python accepts: centuries.
TIMEOUT_MAX = threading.TIMEOUT_MAX
# An earlier attempt with the same idempotency key is still running; a later one gets its answer.
IN_FLIGHT = "idempotency_key.in_flight"


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    accept: str = "application/json"
    can_retry: bool = True
    """False for a write: repeated after a broken connection it could happen twice."""

    @staticmethod
    def other(method: str, path: str, query: Mapping[str, Any] | None, body: Any, idempotency_key: str | None) -> Call:
        """A call without a method of its own. The platform creates at most once for an idempotency key."""
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        can_retry = method == "GET" or idempotency_key is not None
        return Call(method, path, query=query or {}, body=body, headers=headers, can_retry=can_retry)


@dataclass(frozen=True)
class Limits:
    """Seconds of one attempt and of one call with its retries and pauses."""

    timeout: float = 10.0
    budget: float = 60.0
    retries_max: int = 5

    def override(self, timeout: float | None, budget: float | None) -> Limits:
        return Limits(
            self.timeout if timeout is None else timeout,
            self.budget if budget is None else budget,
            self.retries_max,
        )


class Retries:
    """The attempts of one call: how long each may take, and how long to pause before the next."""

    def __init__(self, limits: Limits, can_retry: bool) -> None:
        self._limits = limits
        self._can_retry = can_retry
        self._end = time.monotonic() + limits.budget
        self._count = 0

    def timeout(self) -> float:
        """Seconds for the attempt that begins now."""
        return min(self._limits.timeout, max(0.001, self._end - time.monotonic()))

    def pause_after(self, error: TapelineError) -> float | None:
        """Seconds until the next attempt; None when the error ends the call."""
        can_pass = error.status is None or error.status in RETRIED_STATUSES or error.code == IN_FLIGHT
        if not can_pass or not self._can_retry or self._count >= self._limits.retries_max:
            return None
        jitter = random.random() * min(PAUSE_MAX, PAUSE * 2**self._count)
        pause = jitter if error.retry_after is None else error.retry_after + jitter / 4
        self._count += 1
        return None if time.monotonic() + pause >= self._end else pause


class Address:
    """Where calls go, and with which key."""

    def __init__(self, api_key: ApiKey | None, base_url: str | None) -> None:
        key = os.environ.get("TAPELINE_KEY") if api_key is None else api_key
        if not key:
            raise ValueError("An API key is missing: pass api_key, or set TAPELINE_KEY.")
        self._key = key if callable(key) else _key_of(key)
        self.base_url = _url_of(base_url or os.environ.get("TAPELINE_URL") or "http://localhost:3001")

    @property
    def has_key_function(self) -> bool:
        """True if each attempt gets its key from the caller, so that it may be a new one."""
        return callable(self._key)

    def request(self, call: Call, timeout: float, read_timeout: float | None = None) -> httpx.Request:
        """The HTTP request; `read_timeout` is the longest wait for bytes, in seconds, when it differs."""
        key = _key_of(self._key()) if callable(self._key) else self._key
        headers = {"authorization": f"Bearer {key}", "accept": call.accept, **call.headers}
        content: bytes | None = None
        if call.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(call.body, default=_text_of).encode()
        if call.accept != "application/json":
            headers["accept-encoding"] = "identity"
        read = timeout if read_timeout is None else read_timeout
        limit = httpx.Timeout(_finite(timeout), read=_finite(read))
        return httpx.Request(
            call.method,
            f"{self.base_url}{call.path}",
            params=_given(call.query) or None,
            headers=headers,
            content=content,
            extensions={"timeout": limit.as_dict()},
        )

    def error_of(self, cause: BaseException, timeout: float) -> TapelineError:
        """The error of an attempt without an answer."""
        if isinstance(cause, httpx.TimeoutException):
            return timed_out(timeout)
        reason = f" ({cause})" if str(cause) else ""
        return TapelineError("client.network", f"No response from {self.base_url}{reason}.", "network")


def timed_out(timeout: float) -> TapelineError:
    return TapelineError("client.timeout", f"No response within {timeout:g} s.", "timeout")


def json_of(body: bytes) -> Any:
    """Raises TapelineError for an answer that ends early."""
    try:
        return json.loads(body)
    except ValueError as cause:
        raise TapelineError("client.network", "The response ended early.", "network") from cause


def _key_of(text: str) -> str:
    """Raises ValueError without the key; the error of httpx would contain it."""
    key = text.strip()
    if re.fullmatch(r"[!-~]+", key) is None:
        raise ValueError("The API key contains characters that a header cannot contain, such as spaces or line breaks.")
    return key


def _url_of(text: str) -> str:
    """Without a slash at the end. Raises ValueError."""
    if urlsplit(text).scheme not in ("http", "https"):
        raise ValueError(f"base_url must begin with http:// or https://: {text}")
    return text.rstrip("/")


def _finite(seconds: float) -> float | None:
    """None, httpx's endless timeout, for a time that sockets do not accept."""
    return seconds if seconds < TIMEOUT_MAX else None


def _text_of(value: Any) -> str:
    """The API accepts decimals without an exponent."""
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _given(query: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in query.items() if value is not None}
