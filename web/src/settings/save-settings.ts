import type { SavedSettings } from '@tapeline/contracts/config/settings'
import { ApiError } from '../api/api-error.ts'
import { mergeSaved, SETTINGS_PATH, settledChanges, type Store } from './settings-state.ts'
import { differenceFrom, settingNames } from './user-settings.ts'

/** Specification §9. */
const SAVE_AFTER_MS = 1_000
const OUTCOME_SHOWN_MS = 3_000
/** Bounds the retries while other clients save between reading and saving. */
const ATTEMPTS_MAX = 3

export function saveSoon(store: Store): void {
  clearTimeout(store.timer.handle)
  if (hasToSave(store)) store.timer.handle = setTimeout(() => void save(store), SAVE_AFTER_MS)
}

/** Saves changes without conflicts. An answer that arrives after a change of user is dropped. */
export async function save(store: Store): Promise<void> {
  clearTimeout(store.timer.handle)
  if (store.state.get().isSaving || !hasToSave(store)) return
  store.running = sendChanges(store)
  await store.running
}

/** Saves what a running save does not include, too. Also resolves if saving fails. */
export async function flush(store: Store): Promise<void> {
  await store.running
  await save(store)
}

async function sendChanges(store: Store): Promise<void> {
  const { userGeneration } = store
  store.set({ isSaving: true })
  try {
    const isSent = await exchange(store, userGeneration)
    if (store.userGeneration !== userGeneration) return
    store.set({ isSaving: false, failure: undefined })
    if (!isSent) return
    store.set({ savedAtMs: store.now() })
    showOutcome(store, 'saved')
  } catch (error) {
    if (store.userGeneration !== userGeneration) return
    store.set({ isSaving: false, failure: error instanceof ApiError ? error : undefined })
    showOutcome(store, 'failed')
    return
  }
  // Changes made during this request.
  saveSoon(store)
}

/** Sends changes, and after a conflict again based on the saved version. False: nothing more may be sent. */
async function exchange(store: Store, userGeneration: number): Promise<boolean> {
  if (store.state.get().saved === undefined) await readAgain(store, userGeneration)
  for (let attempt = 1; ; attempt += 1) {
    const { saved } = store.state.get()
    if (saved === undefined || !hasToSave(store)) return false
    try {
      await send(store, userGeneration, saved)
      return true
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !(await isOutdated(store, userGeneration, { error, version: saved.version })))
        throw error
    }
  }
}

/** Whether another client saved first; its version becomes the base. */
async function isOutdated(
  store: Store,
  userGeneration: number,
  { error, version }: { error: unknown; version: number },
): Promise<boolean> {
  if (store.userGeneration !== userGeneration || !isChangedMeanwhile(error)) return false
  await readAgain(store, userGeneration)
  return store.userGeneration === userGeneration && (store.state.get().saved?.version ?? 0) > version
}

async function send(store: Store, userGeneration: number, { version, user_settings }: SavedSettings): Promise<void> {
  const settled = settledChanges(store)
  const { theme, language } = user_settings
  const chosen = version === 0 ? { theme, language, ...settled } : settled
  store.sending = chosen
  try {
    const body = { user_settings: JSON.stringify(chosen), version }
    const answer = await store.api.data<SavedSettings>({ method: 'PUT', path: SETTINGS_PATH, body, outlivesPage: true })
    if (store.userGeneration === userGeneration) take(store, answer)
  } finally {
    if (store.userGeneration === userGeneration) store.sending = {}
  }
}

function take(store: Store, answer: SavedSettings): void {
  const { saved, changed, conflict } = store.state.get()
  // A newer version arrived before the answer.
  if (saved !== undefined && saved.version > answer.version) return
  const since = differenceFrom(answer.user_settings, changed)
  const isSent = new Set(settingNames(store.sending))
  store.set({ saved: answer, changed: since, conflict: conflict.filter((name) => name in since && !isSent.has(name)) })
}

async function readAgain(store: Store, userGeneration: number): Promise<void> {
  const fresh = await store.api.data<SavedSettings>({ path: SETTINGS_PATH })
  if (store.userGeneration === userGeneration) mergeSaved(store, fresh)
}

function showOutcome(store: Store, outcome: 'saved' | 'failed'): void {
  clearTimeout(store.outcomeTimer.handle)
  store.set({ outcome })
  store.outcomeTimer.handle = setTimeout(() => store.set({ outcome: undefined }), OUTCOME_SHOWN_MS)
}

function hasToSave(store: Store): boolean {
  return settingNames(settledChanges(store)).length > 0
}

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'settings.changed_meanwhile'
}
