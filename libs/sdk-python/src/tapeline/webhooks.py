"""Verification of webhooks as Standard Webhooks describes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

_SECRET_PREFIX = "whsec_"
_VERSION_PREFIX = "v1,"
_TOLERANCE_SECONDS = 300
_TIMESTAMP_DIGITS_MAX = 12


class WebhookVerificationError(Exception):
    """A webhook is not genuine, is too old, or lacks a header of Standard Webhooks."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: float | None = None,
) -> dict[str, Any]:
    """Verifies the signature, in constant time, and the time of sending, and returns the parsed body.

    `body` is the body exactly as received, before JSON is parsed; header names may be in any case. `secret` is that of
    the endpoint, `whsec_…`. `now` is in seconds since 1970. Handle each `id` once; `sequence` counts the events of the
    endpoint from 1.

    Raises `WebhookVerificationError` when the webhook must not be trusted, `ValueError` when the secret is none.
    """
    found = {name.lower(): value for name, value in headers.items()}
    message_id = found.get("webhook-id", "")
    timestamp = found.get("webhook-timestamp", "")
    signatures = found.get("webhook-signature", "")
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError("a header of the signature is missing")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= _TIMESTAMP_DIGITS_MAX):
        raise WebhookVerificationError("webhook-timestamp is not a time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too far from now")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    mac = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest())
    expected = _VERSION_PREFIX.encode() + mac
    matches = [hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")]
    if not any(matches):
        raise WebhookVerificationError("no signature is of this secret")
    event: dict[str, Any] = json.loads(content)
    return event


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("the secret is not whsec_ and base64") from error
    if not key:
        raise ValueError("the secret is empty")
    return key
