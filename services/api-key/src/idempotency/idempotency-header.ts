import { type Static, Type } from 'typebox'

const KEY_CHARACTERS_MAX = 255

/** The IETF draft quotes the value as a structured field; most clients send it unquoted. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: KEY_CHARACTERS_MAX + 2,
      pattern: '^("[\\x21\\x23-\\x7e]+"|[\\x21\\x23-\\x7e]+)$',
    }),
  ),
})

export function readIdempotencyKey(headers: Static<typeof IdempotencyHeaders>): string | undefined {
  return headers['idempotency-key']?.replaceAll('"', '')
}
