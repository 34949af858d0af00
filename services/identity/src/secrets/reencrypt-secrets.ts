import { decrypt, encrypt, type EncryptionKey, isEncryptedWithNewest, secretsOf } from '@tapeline/service/encryption'
import type { Deps } from '../deps.ts'
import { GRANT_PURPOSE } from '../grants/record-grant.ts'
import { tokenKey } from '../grants/store-token.ts'
import { SUBSCRIPTION_PURPOSE } from '../push/encrypted-subscription.ts'
import { VAPID_PURPOSE } from '../push/vapid-keys.ts'
import {
  listSealedGrants,
  listSealedSubscriptions,
  listSealedTokens,
  listSealedVapidKeys,
  replaceGrant,
  replaceSealedToken,
  replaceSubscription,
  replaceVapidKey,
} from './secret-queries.ts'

const PAGE_ROWS = 500

type Sealed = { id: string; sealed: Buffer }
type Source<Row extends Sealed> = {
  list: (after: string | undefined) => Promise<Row[]>
  keyOf: (row: Row) => EncryptionKey
  replace: (id: string, sealed: { before: Buffer; after: Buffer }) => Promise<void>
}
/** `unreadable`: rows that no secret of IDENTITY_SECRET decrypts; they are left as they are. */
export type Reencrypted = { changed: number; unreadable: number }

/**
 * Job. While IDENTITY_SECRET has several secrets: encrypts again with the newest one what is kept for longer than the
 * replacement takes. Signing keys are rotated, and the rest expires within days. Idempotent.
 */
export async function reencryptSecrets(deps: Pick<Deps, 'db' | 'secret'>): Promise<Reencrypted> {
  const { db, secret } = deps
  if (secretsOf(secret).length === 1) return { changed: 0, unreadable: 0 }
  const keyFor = (purpose: string) => () => ({ secret, purpose })
  const counts = [
    await reencryptRows({
      list: async (after) => (after === undefined ? listSealedVapidKeys(db) : []),
      keyOf: keyFor(VAPID_PURPOSE),
      replace: (id, sealed) => replaceVapidKey(db, id, sealed),
    }),
    await reencryptRows({
      list: (after) => listSealedSubscriptions(db, after, PAGE_ROWS),
      keyOf: keyFor(SUBSCRIPTION_PURPOSE),
      replace: (id, sealed) => replaceSubscription(db, id, sealed),
    }),
    await reencryptRows({
      list: (after) => listSealedTokens(db, after, PAGE_ROWS),
      keyOf: (row) => tokenKey(deps, row),
      replace: (id, sealed) => replaceSealedToken(db, id, sealed),
    }),
    await reencryptRows({
      list: (after) => listSealedGrants(db, after, PAGE_ROWS),
      keyOf: keyFor(GRANT_PURPOSE),
      replace: (id, sealed) => replaceGrant(db, id, sealed),
    }),
  ]
  return {
    changed: counts.reduce((sum, { changed }) => sum + changed, 0),
    unreadable: counts.reduce((sum, { unreadable }) => sum + unreadable, 0),
  }
}

async function reencryptRows<Row extends Sealed>({ list, keyOf, replace }: Source<Row>): Promise<Reencrypted> {
  const counts: Reencrypted = { changed: 0, unreadable: 0 }
  let rows = await list(undefined)
  while (rows.length > 0) {
    for (const row of rows) {
      const key = keyOf(row)
      if (isEncryptedWithNewest(key, row.sealed)) continue
      const after = reencrypt(key, row.sealed)
      if (after === undefined) counts.unreadable += 1
      else {
        await replace(row.id, { before: row.sealed, after })
        counts.changed += 1
      }
    }
    rows = await list(rows.at(-1)?.id)
  }
  return counts
}

function reencrypt(key: EncryptionKey, sealed: Buffer): Buffer | undefined {
  try {
    return encrypt(key, decrypt(key, sealed))
  } catch {
    return undefined
  }
}
