const NAME = 'tapeline-reloaded'
/** A page that fails again within this time is not reloaded again. */
const ONCE_PER_MS = 60_000

type ReloadDeps = {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
  /** Whether the page server is reachable; otherwise the browser would show its own error page. */
  isServed: () => Promise<boolean>
  reload: () => void
}

/** A deployment removed the requested chunk: loads the new pages, once. False: no further reload. */
export async function reloadOnce({ storage, now, isServed, reload }: ReloadDeps): Promise<boolean> {
  if (now() - Number(storage.getItem(NAME) ?? 0) < ONCE_PER_MS || !(await isServed())) return false
  storage.setItem(NAME, String(now()))
  reload()
  return true
}
