import { publicConfigs } from '@tapeline/service/platform-settings'
import type { Deps } from '../deps.ts'
import { listConfigs } from './config-queries.ts'
import { valueOfState } from './find-conflict.ts'

/** What every user may know, by key. Without the database: as this process last knew it. */
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
