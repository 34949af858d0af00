from __future__ import annotations

import unittest

from tapeline import WebhookVerificationError, verify_webhook

# The example of Standard Webhooks: libraries/javascript/src/webhook.test.ts, "sign function works".
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"test": 2432232314}'
SIGNED_AT = 1_614_265_330
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
OTHER = "Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(SIGNED_AT),
    "webhook-signature": SIGNATURE,
}


class VerifyWebhookTests(unittest.TestCase):
    def test_the_example_of_standard_webhooks_is_genuine(self) -> None:
        capitals = {name.upper(): value for name, value in HEADERS.items()}
        for headers in (HEADERS, capitals):
            for secret in (SECRET, SECRET.removeprefix("whsec_")):
                for body in (BODY, BODY.encode()):
                    self.assertEqual(verify_webhook(body, headers, secret, now=SIGNED_AT), {"test": 2432232314})

    def test_one_valid_signature_among_others_is_sufficient(self) -> None:
        headers = {**HEADERS, "webhook-signature": f"v1,{OTHER} v2,{OTHER} {SIGNATURE}"}
        self.assertEqual(verify_webhook(BODY, headers, SECRET, now=SIGNED_AT), {"test": 2432232314})

    def test_other_signatures_and_missing_headers_are_rejected(self) -> None:
        for signature in (f"v1,{OTHER}", SIGNATURE[:8], "v1,", "v1,dawfeoifkpqwoekfpqoekf", f"v2{SIGNATURE[2:]}", "v1,é"):
            with self.subTest(signature), self.assertRaises(WebhookVerificationError):
                verify_webhook(BODY, {**HEADERS, "webhook-signature": signature}, SECRET, now=SIGNED_AT)
        for name in HEADERS:
            headers = {other: value for other, value in HEADERS.items() if other != name}
            with self.subTest(name), self.assertRaises(WebhookVerificationError):
                verify_webhook(BODY, headers, SECRET, now=SIGNED_AT)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(BODY, {**HEADERS, "webhook-timestamp": "hello"}, SECRET, now=SIGNED_AT)

    def test_a_changed_body_and_another_secret_are_rejected(self) -> None:
        for body, secret in ((BODY + " ", SECRET), (BODY, f"whsec_{OTHER}")):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, HEADERS, secret, now=SIGNED_AT)
        for secret in ("whsec_", "whsec_no base64"):
            with self.assertRaises(ValueError):
                verify_webhook(BODY, HEADERS, secret, now=SIGNED_AT)

    def test_a_webhook_is_genuine_for_five_minutes(self) -> None:
        for offset in (-300, 300):
            verify_webhook(BODY, HEADERS, SECRET, now=SIGNED_AT + offset)
        for offset in (-301, 301):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(BODY, HEADERS, SECRET, now=SIGNED_AT + offset)


if __name__ == "__main__":
    unittest.main()
