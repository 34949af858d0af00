const LOCK_TIMEOUT_MS = 45_000

type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs one at a time: in all tabs where the browser has locks (secure addresses and localhost), otherwise in this tab.
 */
export function lockAcrossTabs(locks: LockManager | undefined): WithLock {
  if (locks === undefined) return lockInThisTab()
  return async (name, work) => locks.request(name, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, work)
}

function lockInThisTab(): WithLock {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, mine)
    return mine
  }
}
