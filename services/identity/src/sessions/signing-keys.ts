import { createPublicKey } from 'node:crypto'
import { ACCESS_TOKEN_ALGORITHM, type PublicKeys } from '@tapeline/contracts/identity/access-token'
import type { Secrets } from '@tapeline/service/encryption'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { isUnderNewestSecret, newSigningKey, readPrivateKey } from './new-signing-key.ts'
import {
  deleteSupersededSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from './signing-key-queries.ts'

const REREAD_MS = 60_000
const ROTATE_AFTER_MS = 90 * 86_400_000
/** Longer than clients cache the published keys. */
const PUBLISHED_BEFORE_USE_MS = 3_600_000
/** Longer than the lifetime of a token signed with the old key. */
const KEPT_AFTER_USE_MS = 86_400_000

export type SigningKey = { kid: string; privateKeyPem: string }
export type SigningKeys = {
  /** The current signing key; created when there is none. */
  current: () => Promise<SigningKey>
  published: () => Promise<PublicKeys>
}
export type SigningKeysOptions = { db: Kysely<Tables>; now: () => Date; secret: Secrets }

/** Signing keys from the database, reloaded every minute, so that every process signs with the same one. */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { db, now, secret } = options
  let cached: { rows: SigningKeyRow[]; atMs: number } | undefined
  let opened: SigningKey | undefined
  const read = async () => {
    if (cached !== undefined && now().getTime() - cached.atMs < REREAD_MS) return cached.rows
    const rows = await listSigningKeys(db)
    cached = { rows: rows.length > 0 ? rows : await makeFirst(options), atMs: now().getTime() }
    return cached.rows
  }
  return {
    async current() {
      const row = signerAt(await read(), now())
      if (opened?.kid !== row.kid) opened = { kid: row.kid, privateKeyPem: readPrivateKey(secret, row) }
      return opened
    },
    async published() {
      return { keys: (await read()).map(publicKeyOf) }
    },
  }
}

/**
 * Job. Publishes a new key an hour before it signs, and an old one for a day after it did. A key is replaced after 90
 * days, and when IDENTITY_SECRET has a new secret.
 */
export async function rotateSigningKeys({ db, now, secret }: SigningKeysOptions): Promise<void> {
  const at = now()
  const [newest] = await listSigningKeys(db)
  const isDue = newest !== undefined && (isOld(newest, at) || !isUnderNewestSecret(secret, newest))
  const signsFrom = new Date(at.getTime() + PUBLISHED_BEFORE_USE_MS)
  const fresh = isDue ? await newSigningKey(secret, { now: at, signsFrom }) : undefined
  await db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx)
    const [stillNewest] = await listSigningKeys(trx)
    if (fresh !== undefined && stillNewest?.kid === newest?.kid) await insertSigningKey(trx, fresh)
    await deleteSupersededSigningKeys(trx, new Date(at.getTime() - KEPT_AFTER_USE_MS))
  })
}

function isOld({ created_at }: SigningKeyRow, at: Date): boolean {
  return at.getTime() - created_at.getTime() >= ROTATE_AFTER_MS
}

/** Generated before the lock is taken, because it takes longer than the lock timeout. */
async function makeFirst({ db, now, secret }: SigningKeysOptions): Promise<SigningKeyRow[]> {
  const fresh = await newSigningKey(secret, { now: now(), signsFrom: now() })
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx)
    if ((await listSigningKeys(trx)).length === 0) await insertSigningKey(trx, fresh)
    return listSigningKeys(trx)
  })
}

/** The newest key that may sign now; `rows` are newest first and never empty. */
function signerAt(rows: SigningKeyRow[], now: Date): SigningKeyRow {
  const row = rows.find(({ signs_from }) => signs_from <= now) ?? rows.at(-1)
  if (row === undefined) throw new Error('there is no signing key')
  return row
}

function publicKeyOf({ kid, public_key }: SigningKeyRow): PublicKeys['keys'][number] {
  const { n = '', e = '' } = createPublicKey(public_key).export({ format: 'jwk' })
  return { kty: 'RSA', use: 'sig', alg: ACCESS_TOKEN_ALGORITHM, kid, n, e }
}
