import type { Deps } from '../deps.ts'
import { deleteFlowsOver } from './oauth-queries.ts'

/** Sign-ins with a provider that nobody came back from. Safe to run twice: what is gone is gone. */
export async function deleteOldFlows({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteFlowsOver(db, now())
}
