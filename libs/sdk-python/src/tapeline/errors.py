"""`TapelineError`, and how it is read from a failed answer (RFC 9457, `application/problem+json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpx

FailureKind = Literal["answer", "network", "timeout", "damaged"]


class TapelineError(Exception):
    """Every failure of the client.

    `code` is the platform's error code (`limit.minute_exceeded`), or one of the client: `client.network` (no answer, or
    one that ends early), `client.timeout`, `client.damaged` (a web page, or bytes with a wrong SHA-256). `request_id`
    finds the call in the request log.
    """

    code: str
    detail: str
    kind: FailureKind
    status: int | None
    """HTTP status; None when there was no answer."""
    request_id: str | None
    problem: Mapping[str, Any] | None
    """Body of the failed answer; `errors` in it names the invalid fields."""
    retry_after: float | None
    """Seconds until a retry can succeed, from the platform's answer."""

    def __init__(
        self,
        code: str,
        detail: str,
        kind: FailureKind,
        status: int | None = None,
        request_id: str | None = None,
        problem: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code, detail, kind, status, request_id, problem, retry_after)
        self.code = code
        self.detail = detail
        self.kind = kind
        self.status = status
        self.request_id = request_id
        self.problem = problem
        self.retry_after = retry_after

    def __str__(self) -> str:
        text = f"{self.code}: {self.detail}"
        return text if self.request_id is None else f"{text} (request {self.request_id})"


def error_of_answer(answer: httpx.Response, body: bytes) -> TapelineError:
    """The error of a failed answer; that of an intermediary has the code `http.<status>`."""
    problem = _problem_of(body)
    return TapelineError(
        f"http.{answer.status_code}" if problem is None else problem["code"],
        answer.reason_phrase if problem is None else problem["detail"],
        "answer",
        status=answer.status_code,
        request_id=(problem or {}).get("request_id") or answer.headers.get("x-request-id"),
        problem=problem,
        retry_after=_retry_after_of(answer.headers.get("retry-after")),
    )


def is_web_page(answer: httpx.Response) -> bool:
    """The platform answers no web page: it is the sign-in page of a proxy, or another server."""
    return bool(answer.headers.get("content-type", "").startswith("text/html"))


def web_page_error(status: int) -> TapelineError:
    text = "The response is a web page: check the address of the gateway, and proxies in between."
    return TapelineError("client.damaged", text, "damaged", status=status)


def error_of_problem(problem: Mapping[str, Any]) -> TapelineError:
    """The error of a problem received as a message of a stream."""
    return TapelineError(
        str(problem.get("code")),
        str(problem.get("detail")),
        "answer",
        status=problem.get("status"),
        request_id=problem.get("request_id"),
        problem=problem,
    )


def _problem_of(body: bytes) -> Mapping[str, Any] | None:
    try:
        problem = json.loads(body)
    except ValueError:
        return None
    if not isinstance(problem, dict):
        return None
    has_texts = isinstance(problem.get("code"), str) and isinstance(problem.get("detail"), str)
    return problem if has_texts else None


def _retry_after_of(text: str | None) -> float | None:
    """Seconds; the header has seconds or a date (RFC 9110, section 10.2.3)."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
