import type { Deps } from '../deps.ts'
import { insertFlagIfAbsent } from './flag-queries.ts'
import { seededFlags } from './seeded-flags.ts'

/** Safe to run twice: a flag that is there stays as it is. */
export async function seedFlags(deps: Pick<Deps, 'db' | 'now' | 'newId'>): Promise<void> {
  const now = deps.now()
  for (const { isPublic, ...flag } of seededFlags) {
    await insertFlagIfAbsent(deps.db, {
      ...flag,
      id: deps.newId(),
      enabled: true,
      is_active: true,
      is_public: isPublic,
      created_at: now,
      updated_at: now,
      enabled_from: null,
      enabled_until: null,
      deleted_at: null,
    })
  }
}
