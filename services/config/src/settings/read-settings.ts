import { DEFAULT_SETTINGS, type SavedSettings } from '@tapeline/contracts/config/settings'
import type { Deps } from '../deps.ts'
import { findNewestSettings } from './settings-queries.ts'

/** An account's settings, with defaults for those not chosen. */
export async function readSettings({ db }: Pick<Deps, 'db'>, accountId: string): Promise<SavedSettings> {
  const row = await findNewestSettings(db, accountId)
  return { user_settings: { ...DEFAULT_SETTINGS, ...row?.settings }, version: row?.version ?? 0 }
}
