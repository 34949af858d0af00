import { crc32 } from 'node:zlib'

export type FoundKey = { line: number; prefix: string }

const KEY = /\btl_(?:live|test|svc)_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}\b/g
const CHECKSUM_CHARACTERS = 6
const SECRET_CHARACTERS = 32
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** API keys with a valid checksum in a text, by their public prefix; examples and typing errors are not reported. */
export function findKeys(text: string): FoundKey[] {
  return text.split('\n').flatMap((content, n) =>
    [...content.matchAll(KEY)].flatMap(([key]) => {
      const body = key.slice(0, -CHECKSUM_CHARACTERS - 1)
      if (checksum(body) !== key.slice(-CHECKSUM_CHARACTERS)) return []
      return [{ line: n + 1, prefix: body.slice(0, -SECRET_CHARACTERS - 1) }]
    }),
  )
}

/** CRC32 in base62, as in every key. */
function checksum(body: string): string {
  let [remainder, text] = [crc32(body), '']
  while (text.length < CHECKSUM_CHARACTERS) {
    text = ALPHABET.charAt(remainder % ALPHABET.length) + text
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return text
}
