import { createDecipheriv, createPrivateKey, createSign, hkdfSync, type KeyObject } from 'node:crypto'
import pg from 'pg'
import type { RunningPlatform } from '../platform/running-platform.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export type Claims = Record<string, unknown>
export type Parts = { header: Record<string, unknown>; claims: Claims }

export function partsOf(token: string): Parts {
  const [header = '', claims = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), claims: read(claims) }
}

/** Header and claims as the first two parts of a token. */
export function unsigned({ header, claims }: Parts): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}

export function signRs256(parts: Parts, key: KeyObject): string {
  const payload = unsigned(parts)
  return `${payload}.${createSign('sha256').update(payload).sign(key).toString('base64url')}`
}

/** The signing key of identity, so that a forged token is rejected for its claims, not for its signature. */
export async function genuineSigningKey(platform: RunningPlatform, kid: unknown): Promise<KeyObject> {
  const client = new pg.Client({ connectionString: platform.identityDatabaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ sealed_private_key: Buffer }>(
      'select sealed_private_key from signing_key where kid = $1',
      [kid],
    )
    return createPrivateKey(decrypt(platform.identitySecret, `signing key ${String(kid)}`, rows[0]?.sealed_private_key))
  } finally {
    await client.end()
  }
}

/** AES-256-GCM, as identity encrypts: nonce, tag, ciphertext. */
function decrypt(secret: string, purpose: string, sealed: Buffer = Buffer.alloc(0)): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
}
