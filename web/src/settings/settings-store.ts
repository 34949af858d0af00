import type { SavedSettings, UserSettings } from '@tapeline/contracts/config/settings'
import { ApiError } from '../api/api-error.ts'
import type { ApiClient } from '../api/client.ts'
import { createObservable, type Observable } from '../observable.ts'
import { DEFAULTS, differenceFrom, type SettingName, settingNames, type SettingsChange } from './user-settings.ts'

const SETTINGS = '/api/v1/internal/user/settings'
/** Specification §9. */
const SAVE_AFTER_MS = 1_000
const SAID_FOR_MS = 3_000

export type SettingsState = {
  /** As the server has them; undefined until they are known. */
  saved: SavedSettings | undefined
  /** What is not saved yet. */
  changed: SettingsChange
  isSaving: boolean
  /** The last attempt to save, for three seconds. */
  said: 'saved' | 'failed' | undefined
  savedAtMs: number | undefined
  /** Why they are not known, or not saved. */
  failure: ApiError | undefined
  /** Settings that were changed here and elsewhere at once: the person decides. */
  conflict: SettingName[]
  /** What was before the reset. */
  beforeReset: UserSettings | undefined
}

export type SettingsDeps = {
  api: Pick<ApiClient, 'data'>
  /** Shows what can be seen of them, at once; what is not known is not in it. */
  apply: (settings: SettingsChange) => void
  /** The theme of this browser: somebody who has chosen no settings yet keeps it. */
  themeHere: () => UserSettings['theme']
  now: () => number
}

type Store = SettingsDeps & { state: Observable<SettingsState>; timer: Timer; said: Timer; set: Set }
type Timer = { handle: ReturnType<typeof setTimeout> | undefined }
type Set = (change: Partial<SettingsState>) => void

const NOTHING_KNOWN: SettingsState = {
  saved: undefined,
  changed: {},
  isSaving: false,
  said: undefined,
  savedAtMs: undefined,
  failure: undefined,
  conflict: [],
  beforeReset: undefined,
}

/** The settings of whoever is signed in: what the server has, and what was changed since (specification §4). */
export function createSettingsStore(deps: SettingsDeps) {
  const state = createObservable<SettingsState>(NOTHING_KNOWN)
  const set: Set = (change) => state.set({ ...state.get(), ...change })
  const store: Store = { ...deps, state, set, timer: { handle: undefined }, said: { handle: undefined } }
  return {
    get: state.get,
    subscribe: state.subscribe,
    learn: (saved: SavedSettings) => learn(store, saved),
    load: () => load(store),
    change: (change: SettingsChange) => changeBy(store, change),
    save: () => save(store),
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
    /** Somebody else is signed in, or nobody. */
    forget: () => {
      clearTimeout(store.timer.handle)
      clearTimeout(store.said.handle)
      state.set(NOTHING_KNOWN)
      store.apply({ dashboardCompactMode: DEFAULTS.dashboardCompactMode })
    },
  }
}

/** What holds now: what is saved, with what was changed since. */
export function settingsIn({ saved, changed }: Pick<SettingsState, 'saved' | 'changed'>): UserSettings {
  return { ...(saved?.user_settings ?? DEFAULTS), ...changed }
}

function learn(store: Store, saved: SavedSettings): void {
  const known = store.state.get().saved
  if (known !== undefined && known.version >= saved.version) return
  const theme = saved.version === 0 ? store.themeHere() : saved.user_settings.theme
  const learned = { ...saved, user_settings: { ...saved.user_settings, theme } }
  const changed = differenceFrom(learned.user_settings, store.state.get().changed)
  // What was changed here and elsewhere is the person's decision, however it was heard of.
  const conflict = settingNames(changed).filter(
    (name) => known !== undefined && known.user_settings[name] !== learned.user_settings[name],
  )
  if (conflict.length > 0) clearTimeout(store.timer.handle)
  store.set({ saved: learned, changed, failure: undefined, conflict })
  show(store)
}

async function load(store: Store): Promise<void> {
  try {
    learn(store, await store.api.data<SavedSettings>({ path: SETTINGS }))
  } catch (error) {
    if (error instanceof ApiError) store.set({ failure: error })
  }
}

function changeBy(store: Store, change: SettingsChange): void {
  const { saved, changed } = store.state.get()
  const wanted = { ...changed, ...change }
  store.set({
    changed: saved === undefined ? wanted : differenceFrom(saved.user_settings, wanted),
    conflict: [],
    beforeReset: undefined,
  })
  show(store)
  clearTimeout(store.timer.handle)
  if (hasChanges(store)) store.timer.handle = setTimeout(() => void save(store), SAVE_AFTER_MS)
}

function show({ state, apply }: Store): void {
  const { saved, changed } = state.get()
  apply({ ...saved?.user_settings, ...changed })
}

function discard(store: Store): void {
  clearTimeout(store.timer.handle)
  store.set({ changed: {}, conflict: [], beforeReset: undefined })
  show(store)
}

async function save(store: Store): Promise<void> {
  clearTimeout(store.timer.handle)
  if (store.state.get().isSaving || !hasChanges(store)) return
  store.set({ isSaving: true })
  try {
    if (store.state.get().saved === undefined) learn(store, await store.api.data<SavedSettings>({ path: SETTINGS }))
    await send(store)
    store.set({ isSaving: false, savedAtMs: store.now(), failure: undefined })
    say(store, 'saved')
  } catch (error) {
    store.set({ isSaving: false })
    if (isChangedMeanwhile(error)) await follow(store)
    else {
      store.set({ failure: error instanceof ApiError ? error : undefined })
      say(store, 'failed')
    }
    return
  }
  // Whatever was changed while this was on its way.
  if (hasChanges(store)) store.timer.handle = setTimeout(() => void save(store), SAVE_AFTER_MS)
}

async function send(store: Store): Promise<void> {
  const { saved, changed } = store.state.get()
  if (saved === undefined) return
  const chosen = saved.version === 0 ? { theme: saved.user_settings.theme, ...changed } : changed
  const body = { user_settings: JSON.stringify(chosen), version: saved.version }
  const answer = await store.api.data<SavedSettings>({ method: 'PUT', path: SETTINGS, body })
  // Signed out, or somebody else, while it was on its way.
  if (store.state.get().saved !== saved) return
  const since = differenceFrom(answer.user_settings, store.state.get().changed)
  store.set({ saved: answer, changed: since, conflict: [] })
}

/** Another tab saved first. What only one of the two changed is kept; what both changed, the person decides. */
async function follow(store: Store): Promise<void> {
  try {
    learn(store, await store.api.data<SavedSettings>({ path: SETTINGS }))
    if (store.state.get().conflict.length === 0) await save(store)
  } catch {
    say(store, 'failed')
  }
}

function say(store: Store, said: 'saved' | 'failed'): void {
  clearTimeout(store.said.handle)
  store.set({ said })
  store.said.handle = setTimeout(() => store.set({ said: undefined }), SAID_FOR_MS)
}

function hasChanges(store: Store): boolean {
  return settingNames(store.state.get().changed).length > 0
}

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'settings.changed_meanwhile'
}
