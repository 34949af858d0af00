/**
 * HMAC keys for calls between processes, one or more per caller and audience:
 * `gateway>identity=<base64url>,…`. Of several keys of a pair, the first signs and all verify, so that a key can be
 * replaced while processes run.
 */
export type InternalKeys = ReadonlyMap<string, readonly Buffer[]>

const KEY_BYTES_MIN = 32

/**
 * Parses `caller>audience=<base64url>,…`.
 * @throws Error naming the pair that is malformed or has too short a key
 */
export function readInternalKeys(text: string): InternalKeys {
  const keys = new Map<string, Buffer[]>()
  for (const entry of text.split(',').filter((part) => part !== '')) {
    const [pair, encoded] = splitOnce(entry, '=')
    const key = Buffer.from(encoded, 'base64url')
    if (!/^[a-z-]+>[a-z-]+$/.test(pair) || key.length < KEY_BYTES_MIN) {
      throw new Error(`INTERNAL_KEYS: "${pair}" needs the form caller>audience=<${KEY_BYTES_MIN} bytes, base64url>`)
    }
    keys.set(pair, [...(keys.get(pair) ?? []), key])
  }
  return keys
}

/** The key that signs calls of `caller` to `audience`; undefined when that pair has none. */
export function internalKey(keys: InternalKeys, caller: string, audience: string): Buffer | undefined {
  return acceptedKeys(keys, caller, audience)[0]
}

/** The keys that verify calls of `caller` to `audience`. */
export function acceptedKeys(keys: InternalKeys, caller: string, audience: string): readonly Buffer[] {
  return keys.get(`${caller}>${audience}`) ?? []
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
