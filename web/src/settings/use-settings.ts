import type { UserSettings } from '@tapeline/contracts/config/settings'
import { useSyncExternalStore } from 'react'
import { settings } from '../platform.ts'
import { NOTHING_KNOWN, type SettingsState } from './settings-state.ts'
import { settingsIn } from './settings-store.ts'

/** What holds for whoever is signed in, a change before it is saved too. */
export function useSettings(): UserSettings {
  return settingsIn(useSettingsState())
}

export function useSettingsState(): SettingsState {
  return useSyncExternalStore(settings.subscribe, settings.get, () => NOTHING_KNOWN)
}
