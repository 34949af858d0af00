import { readFileSync } from 'node:fs'

/** The system reuses pids; pid, start time and boot id together identify one process. */
export type ProcessIdentity = { pid: number; startedAt: string; boot: string }

export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = startTimeOf(pid)
  return startedAt === undefined ? undefined : { pid, startedAt, boot: bootId() }
}

/** For a process that was just started; if it has already ended, nothing matches. */
export function identityOf(pid: number): ProcessIdentity {
  return identify(pid) ?? { pid, startedAt: '-', boot: '-' }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identity.boot === bootId() && startTimeOf(identity.pid) === identity.startedAt
}

export function commandLineOf(pid: number): string {
  return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? ''
}

/** A variable that the process was started with; undefined without the right to read it. */
export function variableOf(pid: number, name: string): string | undefined {
  const entries = readProc(`/proc/${pid}/environ`)?.split('\0') ?? []
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, startedAt, boot } = value as Record<string, unknown>
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof boot !== 'string') return undefined
    return { pid, startedAt, boot }
  } catch {
    return undefined
  }
}

/** Field 22 of /proc/<pid>/stat, in ticks since boot; a zombie counts as ended. */
function startTimeOf(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

function bootId(): string {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
