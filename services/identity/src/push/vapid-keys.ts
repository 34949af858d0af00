import type { Kysely } from 'kysely'
import webPush from 'web-push'
import { decrypt, encrypt, type Secrets } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import { findVapidKey, insertVapidKeyIfAbsent } from './vapid-key-queries.ts'

/** Base64url: the public key for subscriptions, and the private key that signs pushes (RFC 8292). */
export type VapidKeys = { publicKey: string; privateKey: string }
export type VapidOptions = {
  db: Kysely<Tables>
  now: () => Date
  secret: Secrets
  /** From the configuration; otherwise a pair is generated once and stored encrypted. */
  configured: VapidKeys | undefined
}

export const VAPID_PURPOSE = 'vapid key'

/** One pair for the whole platform: a browser's subscription is bound to it. */
export function createVapidKeys(options: VapidOptions): () => Promise<VapidKeys> {
  let keys = options.configured
  return async () => (keys ??= await readOrMake(options))
}

async function readOrMake({ db, now, secret }: VapidOptions): Promise<VapidKeys> {
  const encryptionKey = { secret, purpose: VAPID_PURPOSE }
  if ((await findVapidKey(db)) === undefined) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    const sealed = encrypt(encryptionKey, privateKey)
    await insertVapidKeyIfAbsent(db, { public_key: publicKey, sealed_private_key: sealed, created_at: now() })
  }
  const row = await findVapidKey(db)
  if (row === undefined) throw new Error('there is no key to sign pushes with')
  return { publicKey: row.public_key, privateKey: decrypt(encryptionKey, row.sealed_private_key) }
}
