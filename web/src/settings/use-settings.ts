import type { UserSettings } from '@tapeline/contracts/config/settings'
import { useSyncExternalStore } from 'react'
import { settings } from '../platform.ts'
import { NOT_LOADED, type SettingsState } from './settings-state.ts'
import { settingsIn } from './settings-store.ts'

/** Current settings of the signed-in user, including unsaved changes. */
export function useSettings(): UserSettings {
  return settingsIn(useSettingsState())
}

export function useSettingsState(): SettingsState {
  return useSyncExternalStore(settings.subscribe, settings.get, () => NOT_LOADED)
}
