import type { Actor, UserActor } from '@tapeline/contracts/actor'
import type { ImportedKey, ImportedKeys, ImportKeys, ImportOutcome } from '@tapeline/contracts/api-key/imports'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { AppError } from '@tapeline/service/app-error'
import { importedKid } from '@tapeline/service/keys/imported-key'
import type { Transaction } from 'kysely'
import type { KeyDeps } from '../deps.ts'
import { presentNewKey } from '../keys/create-key.ts'
import { findKey, findSecret, lockKeysOfUser } from '../keys/key-queries.ts'
import { addKey, type NewKey } from '../keys/new-key.ts'
import { presentKey } from '../keys/present-key.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

const HEX_CHARACTERS = 64
/** Unique constraints of the kid and of the external id. */
const UNIQUE = ['api_key_secret_pkey', 'api_key_external_id']

/** The account of the keys, and the actor of the events. */
export type Importer = { owner: UserActor; by: Actor }

/**
 * Imports keys of another gateway by their hashes: each in its own transaction, with its own outcome.
 * Idempotent: a key that the account already has stays as it is.
 */
export async function importKeys(
  deps: KeyDeps,
  owner: UserActor,
  { keys }: ImportKeys,
  by: Actor = owner,
): Promise<ImportedKeys> {
  const outcomes: ImportOutcome[] = []
  for (const key of keys) outcomes.push(await importOne(deps, { owner, by }, key))
  return countImported(outcomes)
}

export function countImported(keys: ImportOutcome[]): ImportedKeys {
  return { imported: keys.filter(({ outcome }) => outcome === 'imported').length, keys }
}

async function importOne(deps: KeyDeps, importer: Importer, key: ImportedKey): Promise<ImportOutcome> {
  try {
    const found = await deps.db.transaction().execute((trx) => addImportedKey(deps, trx, importer, key))
    if ('existing' in found) return { outcome: 'existed', key: presentKey(found.existing, deps.now()) }
    return { outcome: 'imported', key: (await presentNewKey(deps, found.created)).key }
  } catch (error) {
    return failedImport(error)
  }
}

/** The outcome of a key that is rejected; rethrows every other failure. */
export function failedImport(error: unknown): ImportOutcome {
  const failure = UNIQUE.some((constraint) => isUniqueViolation(error, constraint)) ? inUse() : error
  if (!(failure instanceof AppError)) throw failure
  return { outcome: 'failed', code: failure.code, message: failure.message }
}

export async function addImportedKey(
  deps: Pick<KeyDeps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  { owner, by }: Importer,
  { sha256, prefix = '', is_active: isActive = true, ...fields }: ImportedKey,
): Promise<{ existing: ApiKeyRow } | { created: NewKey }> {
  const secretSha256 = Buffer.from(sha256, sha256.length === HEX_CHARACTERS ? 'hex' : 'base64')
  const kid = importedKid(secretSha256)
  await lockKeysOfUser(trx, owner.userId)
  const existing = await findOwn(trx, owner, { kid, now: deps.now() })
  if (existing !== undefined) return { existing }
  return {
    created: await addKey(deps, trx, owner, { ...fields, imported: { kid, secretSha256, prefix, isActive, by } }),
  }
}

/** @throws AppError when the key belongs to another account, was deleted, or its secret was replaced */
async function findOwn(
  trx: Transaction<Tables>,
  actor: UserActor,
  { kid, now }: { kid: string; now: Date },
): Promise<ApiKeyRow | undefined> {
  const secret = await findSecret(trx, kid)
  if (secret === undefined) return undefined
  const key = await findKey(trx, actor, { keyId: secret.id, now })
  if (key === undefined || key.kid !== kid) throw inUse()
  return key
}

function inUse(): AppError {
  return new AppError(
    'api_key.hash_in_use',
    'A key with this hash or external id exists, or was deleted less than 31 days ago.',
  )
}
