import type { Deps } from '../../deps.ts'
import { verifyFile } from '../verify-file.ts'
import { dropHotRows, listDroppableFiles } from './drop-queries.ts'

/** Far longer than any request and any cached listing of the manifest, so that no reader still wants the rows. */
const GRACE_MS = 900_000

/** Takes the rows of sealed days out of PostgreSQL once their files were read back whole. Returns the number of days. */
export async function dropSealedDays(deps: Deps, graceMs = GRACE_MS): Promise<number> {
  let dropped = 0
  for (const file of await listDroppableFiles(deps.pool, graceMs)) {
    const fault = await verifyFile(deps.lake.store, file)
    if (fault !== undefined) throw new Error(`${file.ref.key} is not dropped from PostgreSQL: ${fault}`)
    if (await dropHotRows(deps.pool, file)) dropped += 1
  }
  return dropped
}
