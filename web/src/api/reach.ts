import { createObservable } from '../observable.ts'

const RETRY_MS = 5_000

export type ReachState = {
  /** The browser reports that there is no network. */
  isOffline: boolean
  /** Neither a request nor the confirming probe was answered. */
  isAway: boolean
  /** Time of the last answer; the displayed data are from then. */
  answeredAtMs: number | undefined
}

export type ReachDeps = {
  /** A small call; any answer proves that the API can be reached. */
  probe: () => Promise<unknown>
  /** The API can be reached again: everything is reloaded. */
  onReturn: () => void
  now: () => number
}

/** Whether the API can be reached. A single failed call is no proof, because an intermediary may block only that call. */
export function createReach({ probe, onReturn, now }: ReachDeps) {
  const { get, set, subscribe } = createObservable<ReachState>({
    isOffline: false,
    isAway: false,
    answeredAtMs: undefined,
  })
  let answers = 0
  let answeredAtMs: number | undefined
  let isLooking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function check(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isLooking) return
    isLooking = true
    const before = answers
    await probe().catch(() => undefined)
    isLooking = false
    if (answers > before) return
    set({ ...get(), isAway: true, answeredAtMs })
    timer = setTimeout(() => void check(), RETRY_MS)
  }

  return {
    get,
    subscribe,
    check,
    answered: (): void => {
      answers += 1
      answeredAtMs = now()
      if (!get().isAway) return
      clearTimeout(timer)
      timer = undefined
      set({ ...get(), isAway: false, answeredAtMs })
      onReturn()
    },
    missed: (): void => {
      if (!get().isAway) void check()
    },
    /** Browser events about the network; recovery is confirmed only by an answer. */
    setOnline: (isOnline: boolean): void => {
      if (!isOnline) return set({ ...get(), isOffline: true, answeredAtMs })
      set({ isOffline: false, isAway: true, answeredAtMs })
      void check()
    },
  }
}
