import { publicConfigs } from '@tapeline/service/platform-settings'
import type { Deps } from '../deps.ts'
import { listConfigs } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'

/** Configurations visible to every user, by key. Falls back to the snapshot when the database is unavailable. */
export async function listPublicConfigs({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<Record<string, unknown>> {
  try {
    const rows = await listConfigs(db)
    const stored = rows.flatMap(({ key, state }) => (state === null ? [] : [[key, state] as const]))
    const byKey = new Map(stored)
    return publicConfigs(Object.fromEntries(stored), (key) => valueOfState(key, byKey.get(key) ?? null))
  } catch (error) {
    if (settings.report().version === 0) throw error
    return settings.publicValues()
  }
}
