import type { Deps } from '../../deps.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { verifyFile } from '../verify-file.ts'
import { dropHotRows, listDroppableFiles } from './drop-queries.ts'

/** Far longer than any request and any cached listing of the manifest, so that no reader still needs the rows. */
const GRACE_MS = 900_000

/**
 * Deletes the rows of sealed days from PostgreSQL after reading their files back completely. Returns the number of days.
 * @throws AggregateError with one error per day that could not be dropped
 */
export async function dropSealedDays(deps: Deps, graceMs = GRACE_MS): Promise<number> {
  let dropped = 0
  const failures: Error[] = []
  for (const file of await listDroppableFiles(deps.pool, graceMs)) {
    try {
      if (await dropVerified(deps, file)) dropped += 1
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  // A day that cannot be dropped must not prevent the others from being dropped.
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
  return dropped
}

async function dropVerified({ pool, lake }: Deps, file: SealedFile): Promise<boolean> {
  const fault = await verifyFile(lake.store, file)
  if (fault !== undefined) throw new Error(`${file.ref.key} is not dropped from PostgreSQL: ${fault}`)
  return dropHotRows(pool, file)
}
