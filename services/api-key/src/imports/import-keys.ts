import type { UserActor } from '@tapeline/contracts/actor'
import type { ImportedKey, ImportedKeys, ImportKeys, ImportOutcome } from '@tapeline/contracts/api-key/imports'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { AppError } from '@tapeline/service/app-error'
import { importedKid } from '@tapeline/service/keys/imported-key'
import type { Transaction } from 'kysely'
import type { KeyDeps } from '../deps.ts'
import { presentNewKey } from '../keys/create-key.ts'
import { findKey, findSecret, lockKeysOfUser } from '../keys/key-queries.ts'
import { addKey } from '../keys/new-key.ts'
import { presentKey } from '../keys/present-key.ts'
import { updateKey } from '../keys/update-key.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

const HEX_CHARACTERS = 64
/** Of the kid, and of the external id. */
const UNIQUE = ['api_key_secret_pkey', 'api_key_external_id']

/**
 * Imports keys of another gateway by their hashes: each in a transaction of its own, with an outcome of its own.
 * Idempotent: a key that the account already has stays as it is.
 */
export async function importKeys(deps: KeyDeps, actor: UserActor, { keys }: ImportKeys): Promise<ImportedKeys> {
  const outcomes: ImportOutcome[] = []
  for (const key of keys) outcomes.push(await importOne(deps, actor, key))
  return { imported: outcomes.filter(({ outcome }) => outcome === 'imported').length, keys: outcomes }
}

async function importOne(deps: KeyDeps, actor: UserActor, key: ImportedKey): Promise<ImportOutcome> {
  try {
    return await runImport(deps, actor, key)
  } catch (error) {
    const failure = UNIQUE.some((constraint) => isUniqueViolation(error, constraint)) ? inUse() : error
    if (!(failure instanceof AppError)) throw failure
    return { outcome: 'failed', code: failure.code, message: failure.message }
  }
}

async function runImport(deps: KeyDeps, actor: UserActor, input: ImportedKey): Promise<ImportOutcome> {
  const { sha256, prefix, is_active: isActive = true, ...fields } = input
  const secretSha256 = Buffer.from(sha256, sha256.length === HEX_CHARACTERS ? 'hex' : 'base64')
  const kid = importedKid(secretSha256)
  const found = await deps.db.transaction().execute(async (trx) => {
    await lockKeysOfUser(trx, actor.userId)
    const existing = await findOwn(trx, actor, { kid, now: deps.now() })
    if (existing !== undefined) return { existing }
    const imported = { kid, secretSha256, prefix: prefix ?? '' }
    return { made: await addKey(deps, trx, actor, { ...fields, imported }) }
  })
  if ('existing' in found) return { outcome: 'existed', key: presentKey(found.existing, deps.now()) }
  const { key } = await presentNewKey(deps, found.made)
  if (isActive) return { outcome: 'imported', key }
  return { outcome: 'imported', key: (await updateKey(deps, actor, key.id, { is_active: false })).key }
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
