import type { SavedSettings, UserSettings } from '@tapeline/contracts/config/settings'
import type { ApiError } from '../api/api-error.ts'
import type { ApiClient } from '../api/client.ts'
import type { Observable } from '../observable.ts'
import { differenceFrom, type SettingName, settingNames, type SettingsChange } from './user-settings.ts'

export type SettingsState = {
  /** Settings on the server; undefined until they are loaded. */
  saved: SavedSettings | undefined
  /** Unsaved changes. */
  changed: SettingsChange
  isSaving: boolean
  /** The last attempt to save, for three seconds. */
  outcome: 'saved' | 'failed' | undefined
  savedAtMs: number | undefined
  /** Why they could not be loaded or saved. */
  failure: ApiError | undefined
  /** Settings that were changed both here and elsewhere: not saved until the user decides. */
  conflict: SettingName[]
  /** Settings before the reset. */
  beforeReset: UserSettings | undefined
}

export type SettingsDeps = {
  api: Pick<ApiClient, 'data'>
  /** Applies visible settings at once; unknown ones are absent. */
  apply: (settings: SettingsChange) => void
  /** What this browser shows; kept for a user without saved settings. */
  here: () => Pick<UserSettings, 'theme' | 'language'>
  now: () => number
}

type Timer = { handle: ReturnType<typeof setTimeout> | undefined }

export type Store = SettingsDeps & {
  state: Observable<SettingsState>
  set: (change: Partial<SettingsState>) => void
  timer: Timer
  outcomeTimer: Timer
  /** Incremented when the user changes; answers for the previous user are dropped. */
  userGeneration: number
  /** The generation whose settings are being loaded. */
  loadingFor: number | undefined
  /** Changes being sent to the server. */
  sending: SettingsChange
  /** The latest save; never rejects. */
  running: Promise<void> | undefined
}

export const SETTINGS_PATH = '/api/v1/internal/user/settings'

export const NOT_LOADED: SettingsState = {
  saved: undefined,
  changed: {},
  isSaving: false,
  outcome: undefined,
  savedAtMs: undefined,
  failure: undefined,
  conflict: [],
  beforeReset: undefined,
}

/**
 * Applies newer settings of the server. A setting changed both here and elsewhere becomes a conflict for the user to
 * decide.
 */
export function mergeSaved(store: Store, saved: SavedSettings): void {
  const { saved: previous, changed: before, conflict } = store.state.get()
  if (previous !== undefined && previous.version >= saved.version) return
  const received = { ...saved.user_settings, ...(saved.version === 0 ? store.here() : {}) }
  const changed = differenceFrom(received, before)
  const isElsewhere = (name: SettingName): boolean =>
    previous !== undefined && previous.user_settings[name] !== received[name] && store.sending[name] !== received[name]
  store.set({
    saved: { ...saved, user_settings: received },
    changed,
    failure: undefined,
    conflict: settingNames(changed).filter((name) => conflict.includes(name) || isElsewhere(name)),
  })
  show(store)
}

export function show({ state, apply }: Store): void {
  const { saved, changed } = state.get()
  apply({ ...saved?.user_settings, ...changed })
}

/** Changes that can be saved without a decision of the user. */
export function settledChanges({ state }: Store): SettingsChange {
  const { changed, conflict } = state.get()
  return without(changed, conflict)
}

export function without(changed: SettingsChange, names: readonly SettingName[]): SettingsChange {
  return Object.fromEntries(
    settingNames(changed).flatMap((name) => (names.includes(name) ? [] : [[name, changed[name]]])),
  )
}
