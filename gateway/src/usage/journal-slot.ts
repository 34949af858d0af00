import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { LOCK_FILE, segmentNumber } from './journal-files.ts'

/** The journal folder of this process, and folders of ended processes whose events it ships as well. */
export type JournalSlots = { own: string; slot: number; adopted: string[]; release: () => void }

const SLOTS_MAX = 1_000

/** Claims the first folder not locked by a live process, and every other unlocked folder that contains events. */
export function claimJournalSlots(dir: string): JournalSlots {
  mkdirSync(dir, { recursive: true })
  let slot = 0
  while (!claim(join(dir, String(slot)))) {
    slot += 1
    if (slot === SLOTS_MAX) throw new Error(`${dir} has no free journal folder`)
  }
  const own = join(dir, String(slot))
  const others = readdirSync(dir).filter((name) => /^\d+$/.test(name) && name !== String(slot))
  const adopted = others.map((name) => join(dir, name)).filter((folder) => hasSegments(folder) && claim(folder))
  const release = () => {
    for (const folder of [own, ...adopted]) rmSync(join(folder, LOCK_FILE), { force: true })
  }
  return { own, slot, adopted, release }
}

/** The lock is a symbolic link to the owner's identity: created atomically, and without a block on a full disk. */
function claim(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, LOCK_FILE)
  const identity = identityOf(process.pid) ?? `${process.pid}`
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (tryLock(identity, lock)) return true
    if (isHeldByLiveProcess(lock) || !removeOrphaned(lock)) return false
  }
  return false
}

function tryLock(identity: string, lock: string): boolean {
  try {
    symlinkSync(identity, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isHeldByLiveProcess(lock: string): boolean {
  const holder = readHolder(lock)
  const pid = Number.parseInt(holder, 10)
  if (!Number.isInteger(pid) || pid <= 0) return false
  const identity = identityOf(pid)
  return identity !== undefined && (identity === holder || !identity.includes(' '))
}

/** Renaming is atomic: of several processes that find the same stale lock one gets it, and restores it if its owner is alive. */
function removeOrphaned(lock: string): boolean {
  const renamed = `${lock}.${crypto.randomUUID()}`
  try {
    renameSync(lock, renamed)
  } catch {
    return true
  }
  try {
    return !isHeldByLiveProcess(renamed) || !tryLock(readHolder(renamed), lock)
  } finally {
    unlinkSync(renamed)
  }
}

/** Older versions wrote the lock as a regular file. */
function readHolder(lock: string): string {
  try {
    return readlinkSync(lock)
  } catch {
    return readOrEmpty(lock)
  }
}

/** Pid, start time and boot id of a live process, so that a reused pid is not taken for the old process; undefined when ended. */
function identityOf(pid: number): string | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  if (stat !== '') {
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isZombie = afterName[0] === 'Z' || afterName[0] === 'X'
    return isZombie ? undefined : `${pid} ${afterName[19]} ${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}`
  }
  try {
    process.kill(pid, 0)
    return `${pid}`
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? `${pid}` : undefined
  }
}

function hasSegments(folder: string): boolean {
  return readdirSync(folder).some((name) => segmentNumber(name) !== undefined)
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
