import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ of Linux, usually 100. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const MICROS_PER_TICK = 1_000_000 / TICKS_PER_SECOND

/** Index of utime, stime, cutime and cstime among the fields after the command name, which may contain spaces. */
const UTIME = 11
const FIELDS = 4

export function cpuMicros(pids: readonly number[]): number {
  return pids.map(cpuMicrosOf).reduce((sum, one) => sum + one, 0)
}

function cpuMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(UTIME, UTIME + FIELDS).reduce((sum, field) => sum + Number(field), 0)
  return ticks * MICROS_PER_TICK
}

export function rssMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'),
  )
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024
}

/** Non-idle time of a core. */
export function coreBusyMicros(core: number): number {
  const line =
    readFileSync('/proc/stat', 'utf8')
      .split('\n')
      .find((text) => text.startsWith(`cpu${core} `)) ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq) * MICROS_PER_TICK
}

/** The process and its current descendants. */
export function withDescendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(Number(name)) }))
  const found = [pid]
  for (const one of found) found.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid))
  return found
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

/** Pins all threads of the process to a core. */
export function pinTo(core: number, pid: number): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`taskset could not pin process ${pid} to core ${core}: ${stderr}`)
}
