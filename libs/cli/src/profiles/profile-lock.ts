import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than a renewal of tokens: an older lock is of a process that was killed. */
const STALE_MS = 15_000
/** Then the change is made without the lock: a lost change is better than a command that does not end. */
const WAIT_MAX_MS = 20_000
const CHECK_MS = 25

/** Runs a change of `path` while no other process changes it. Not reentrant. */
export async function whileLocked<Result>(path: string, change: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const endMs = performance.now() + WAIT_MAX_MS
  let isLocked = await tryLock(lock)
  while (!isLocked && performance.now() < endMs) {
    await delay(CHECK_MS)
    isLocked = await tryLock(lock)
  }
  try {
    return await change()
  } finally {
    if (isLocked) await rm(lock, { force: true })
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const madeMs = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (Date.now() - madeMs > STALE_MS) await rm(lock, { force: true })
    return false
  }
}
