import { createObservable } from '../observable.ts'

const RETRY_MS = 5_000

export type Reachability = {
  /** The browser reports that there is no network. */
  isOffline: boolean
  /** Neither a request nor the confirming probe was answered. */
  isUnreachable: boolean
  /** Time of the last answer; the displayed data are from then. */
  answeredAtMs: number | undefined
}

export type ReachabilityDeps = {
  /** A small call; any answer proves that the API can be reached. */
  probe: () => Promise<unknown>
  /** The API can be reached again: everything is reloaded. */
  onReturn: () => void
  now: () => number
}

/** Whether the API can be reached. A single failed call is not enough, because an intermediary may block only that call. */
export function createReachability({ probe, onReturn, now }: ReachabilityDeps) {
  const { get, set, subscribe } = createObservable<Reachability>({
    isOffline: false,
    isUnreachable: false,
    answeredAtMs: undefined,
  })
  let answers = 0
  let answeredAtMs: number | undefined
  let isProbing = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function check(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isProbing) return
    isProbing = true
    const before = answers
    await probe().catch(() => undefined)
    isProbing = false
    if (answers > before) return
    set({ ...get(), isUnreachable: true, answeredAtMs })
    timer = setTimeout(() => void check(), RETRY_MS)
  }

  return {
    get,
    subscribe,
    check,
    /** A request was answered: an outage, if one was reported, is over. */
    reportAnswer: (): void => {
      answers += 1
      answeredAtMs = now()
      if (!get().isUnreachable) return
      clearTimeout(timer)
      timer = undefined
      set({ ...get(), isUnreachable: false, answeredAtMs })
      onReturn()
    },
    /** A request was not answered: a probe confirms this before an outage is reported. */
    reportFailure: (): void => {
      if (!get().isUnreachable) void check()
    },
    /** Browser events about the network; recovery is confirmed only by an answer. */
    setOnline: (isOnline: boolean): void => {
      if (!isOnline) return set({ ...get(), isOffline: true, answeredAtMs })
      set({ isOffline: false, isUnreachable: true, answeredAtMs })
      void check()
    },
  }
}
