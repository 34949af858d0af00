import { type Static, Type } from 'typebox'

const KEY_CHARACTERS_MAX = 255

/** `Idempotency-Key`, optional: the IETF draft quotes it as a structured field; most clients send it unquoted. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: KEY_CHARACTERS_MAX + 2,
      pattern: '^("[\\x21\\x23-\\x7e]+"|[\\x21\\x23-\\x7e]+)$',
    }),
  ),
})

/** The key without quotes, if the request has one. */
export function readIdempotencyKey(headers: Static<typeof IdempotencyHeaders>): string | undefined {
  return headers['idempotency-key']?.replaceAll('"', '')
}
