import type { SavedSettings, UserSettings } from '@tapeline/contracts/config/settings'
import { ApiError } from '../api/api-error.ts'
import { createObservable } from '../observable.ts'
import { flush, save, saveSoon } from './save-settings.ts'
import {
  mergeSaved,
  NOT_LOADED,
  SETTINGS_PATH,
  type SettingsDeps,
  type SettingsState,
  show,
  type Store,
  without,
} from './settings-state.ts'
import { DEFAULTS, differenceFrom, type SettingsChange } from './user-settings.ts'

/** Settings of the signed-in user: the server's version and the changes since. */
export function createSettingsStore(deps: SettingsDeps) {
  const state = createObservable<SettingsState>(NOT_LOADED)
  const set: Store['set'] = (change) => state.set({ ...state.get(), ...change })
  const timers = { timer: { handle: undefined }, outcomeTimer: { handle: undefined } }
  const requests = { loadingFor: undefined, sending: {}, running: undefined }
  const store: Store = { ...deps, ...timers, ...requests, state, set, userGeneration: 0 }
  return {
    get: state.get,
    subscribe: state.subscribe,
    mergeSaved: (saved: SavedSettings) => mergeSaved(store, saved),
    load: () => load(store),
    /** Loads them unless they are loaded or being loaded. */
    loadMissing: async () => {
      if (state.get().saved === undefined && store.loadingFor !== store.userGeneration) await load(store)
    },
    change: (change: SettingsChange) => changeBy(store, change),
    /** All settings: the user has seen the changes made elsewhere and decided. */
    save: () => {
      set({ conflict: [] })
      return save(store)
    },
    /** What is not saved yet: without waiting, and again after a failure. */
    saveUnsaved: () => save(store),
    /** As `saveUnsaved`, and includes changes made during a running save. */
    flush: () => flush(store),
    discard: () => discard(store),
    reset: () => {
      const before = settingsIn(state.get())
      changeBy(store, DEFAULTS)
      set({ beforeReset: before })
    },
    undoReset: () => {
      const { beforeReset } = state.get()
      if (beforeReset === undefined) return
      changeBy(store, beforeReset)
      set({ beforeReset: undefined })
    },
    /** The user changed or signed out. */
    forget: () => {
      store.userGeneration += 1
      store.sending = {}
      clearTimeout(store.timer.handle)
      clearTimeout(store.outcomeTimer.handle)
      state.set(NOT_LOADED)
      store.apply({ dashboardCompactMode: DEFAULTS.dashboardCompactMode })
    },
  }
}

/** Current settings: the saved ones with unsaved changes applied. */
export function settingsIn({ saved, changed }: Pick<SettingsState, 'saved' | 'changed'>): UserSettings {
  return { ...(saved?.user_settings ?? DEFAULTS), ...changed }
}

async function load(store: Store): Promise<void> {
  const { userGeneration } = store
  store.loadingFor = userGeneration
  try {
    const saved = await store.api.data<SavedSettings>({ path: SETTINGS_PATH })
    if (store.userGeneration === userGeneration) mergeSaved(store, saved)
  } catch (error) {
    if (store.userGeneration === userGeneration && error instanceof ApiError) store.set({ failure: error })
  } finally {
    if (store.loadingFor === userGeneration) store.loadingFor = undefined
  }
}

function changeBy(store: Store, change: SettingsChange): void {
  const { saved, changed: before, conflict } = store.state.get()
  const merged = { ...before, ...change }
  const changed = saved === undefined ? merged : differenceFrom(saved.user_settings, merged)
  store.set({ changed, conflict: conflict.filter((name) => name in changed), beforeReset: undefined })
  show(store)
  saveSoon(store)
}

/** Restores the server's values: of conflicting settings only those, otherwise of all. */
function discard(store: Store): void {
  const { changed, conflict } = store.state.get()
  store.set({ changed: conflict.length === 0 ? {} : without(changed, conflict), conflict: [], beforeReset: undefined })
  show(store)
  saveSoon(store)
}
