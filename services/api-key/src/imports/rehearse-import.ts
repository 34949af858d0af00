import type { ImportedKeys, ImportKeys, ImportOutcome } from '@tapeline/contracts/api-key/imports'
import type { KeyDeps } from '../deps.ts'
import { presentKey } from '../keys/present-key.ts'
import { addImportedKey, countImported, failedImport, type Importer } from './import-keys.ts'

/** The outcomes that `importKeys` would have, from a transaction that is rolled back. */
export async function rehearseImport(
  deps: Pick<KeyDeps, 'db' | 'now' | 'newId'>,
  importer: Importer,
  { keys }: ImportKeys,
): Promise<ImportedKeys> {
  const trx = await deps.db.startTransaction().execute()
  const outcomes: ImportOutcome[] = []
  try {
    for (const key of keys) {
      const beforeKey = await trx.savepoint('key').execute()
      try {
        const found = await addImportedKey(deps, beforeKey, importer, key)
        const isNew = 'created' in found
        outcomes.push({
          outcome: isNew ? 'imported' : 'existed',
          key: presentKey(isNew ? found.created.key : found.existing, deps.now()),
        })
      } catch (error) {
        await beforeKey.rollbackToSavepoint('key').execute()
        outcomes.push(failedImport(error))
      }
    }
  } finally {
    await trx.rollback().execute()
  }
  return countImported(outcomes)
}
