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

export type ToastState = { shown: readonly Toast[]; log: readonly Toast[] }

/** Toasts on the screen and the log of the last ones, for those who came too late. */
export function createToastStore(newId: () => string) {
  const listeners = new Set<() => void>()
  let state: ToastState = { shown: [], log: [] }

  function become(next: ToastState): void {
    state = next
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show({ type, title, message, durationMs = DURATION_MS }: NewToast): void {
      const toast: Toast = { id: newId(), type, title, message, durationMs }
      become({ shown: [...state.shown, toast].slice(-SHOWN_MAX), log: [...state.log, toast].slice(-LOGGED_MAX) })
    },
    dismiss(id: string): void {
      become({ ...state, shown: state.shown.filter((toast) => toast.id !== id) })
    },
  }
}
