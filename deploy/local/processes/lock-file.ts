import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identify, isAlive, parseIdentity, type ProcessIdentity } from './process-identity.ts'

export type Lock = { taken: true; release: () => void } | { taken: false; holder: ProcessIdentity | undefined }

const POLL_MS = 200
const STEAL_ATTEMPTS_MAX = 5
let serial = 0

/** One holder at a time; the lock of a process that has ended is taken over. */
export function takeLock(path: string): Lock {
  mkdirSync(dirname(path), { recursive: true })
  serial += 1
  const mine = `${path}.${process.pid}-${serial}`
  const content = JSON.stringify(identify(process.pid))
  writeFileSync(mine, content, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < STEAL_ATTEMPTS_MAX; attempt += 1) {
      if (linkIfAbsent(mine, path)) return { taken: true, release: () => releaseLock(path, content) }
      const staleContent = read(path)
      const holder = parseIdentity(staleContent ?? '')
      if (holder !== undefined && isAlive(holder)) return { taken: false, holder }
      removeStale(path, staleContent)
    }
    return { taken: false, holder: undefined }
  } finally {
    rmSync(mine, { force: true })
  }
}

export async function waitForLock(
  path: string,
  timeoutMs: number,
  onWait: (holder: number) => void,
): Promise<() => void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const lock = takeLock(path)
    if (lock.taken) return lock.release
    if (Date.now() > deadline) throw new Error(`${path} is still held by process ${lock.holder?.pid ?? '?'}`)
    onWait(lock.holder?.pid ?? 0)
    await delay(POLL_MS)
  }
}

/** Renames first: if two processes find the same stale lock, only one gets it, and a fresh lock is restored. */
function removeStale(path: string, staleContent: string | undefined): void {
  const renamed = `${path}.stale-${process.pid}`
  try {
    renameSync(path, renamed)
  } catch {
    return
  }
  if (read(renamed) !== staleContent) linkIfAbsent(renamed, path)
  rmSync(renamed, { force: true })
}

function releaseLock(path: string, content: string): void {
  if (read(path) === content) rmSync(path, { force: true })
}

function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
