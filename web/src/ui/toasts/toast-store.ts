import { createObservable } from '../../observable.ts'

export type ToastType = 'success' | 'error' | 'warning' | 'info'

export type Toast = {
  id: string
  type: ToastType
  title: string
  message: string | undefined
  durationMs: number
}

export type NewToast = { type: ToastType; title: string; message?: string; durationMs?: number }

const DURATION_MS = 5_000
const SHOWN_MAX = 4
const LOGGED_MAX = 20

type ToastState = { shown: readonly Toast[]; log: readonly Toast[] }

/**
 * Visible toasts and the log of recent ones. They are numbered: `crypto.randomUUID` is missing on pages that are not served over
 * HTTPS.
 */
export function createToastStore() {
  let count = 0
  const { get, set, subscribe } = createObservable<ToastState>({ shown: [], log: [] })
  return {
    get,
    subscribe,
    show: ({ type, title, message, durationMs = DURATION_MS }: NewToast): void => {
      count += 1
      const toast: Toast = { id: String(count), type, title, message, durationMs }
      set({ shown: [...get().shown, toast].slice(-SHOWN_MAX), log: [...get().log, toast].slice(-LOGGED_MAX) })
    },
    /** Removes the previous user's messages. */
    forgetPast: (): void => set({ ...get(), log: get().shown }),
    dismiss: (id: string): void => set({ ...get(), shown: get().shown.filter((toast) => toast.id !== id) }),
  }
}
