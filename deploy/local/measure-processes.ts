import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseIdentity } from './processes/process-identity.ts'

/** A measurement of a process with all its children. */
export type Share = { name: string; value: number }

/** Linux reports CPU time in hundredths of a second on every architecture (`USER_HZ`). */
const TICKS_PER_SECOND = 100
const MS_PER_SECOND = 1_000
/** Indexes of `utime`, `stime`, `cutime` and `cstime` in the result of `statOf`. */
const [UTIME, CSTIME] = [11, 14]

/** Proportional set size of the launcher and its processes in megabytes, the largest first. */
export function measureMemory(dir: string, launcherPid: number): Share[] {
  return sharesOf(dir, launcherPid, (pids) =>
    Math.round(pids.reduce((sum, pid) => sum + proportionalKilobytes(pid), 0) / 1_024),
  )
}

/** CPU time of the launcher and its processes during `forMs`, in percent of one core, the largest first. */
export async function measureProcessor(dir: string, launcherPid: number, forMs: number): Promise<Share[]> {
  const ticks = () => sharesOf(dir, launcherPid, (pids) => pids.reduce((sum, pid) => sum + ticksOf(pid), 0))
  const before = new Map(ticks().map(({ name, value }) => [name, value]))
  const startedMs = performance.now()
  await delay(forMs)
  const ticksPossible = ((performance.now() - startedMs) / MS_PER_SECOND) * TICKS_PER_SECOND
  const percent = (used: number) => Number(((100 * Math.max(0, used)) / ticksPossible).toFixed(1))
  return ticks()
    .map(({ name, value }) => ({ name, value: percent(value - (before.get(name) ?? value)) }))
    .sort((one, other) => other.value - one.value)
}

/** The result of `valueOf` for the launcher and for each process that it started, children included. */
function sharesOf(dir: string, launcherPid: number, valueOf: (pids: readonly number[]) => number): Share[] {
  const runDir = join(dir, 'run')
  const named = readdirSync(runDir).flatMap((file) => {
    const pid = parseIdentity(readText(join(runDir, file)))?.pid
    return pid === undefined ? [] : [{ name: file.replace(/\.json$/, ''), pid }]
  })
  const children = childrenByParent()
  const roots = new Set(named.map(({ pid }) => pid))
  return [{ name: 'launcher', pid: launcherPid }, ...named]
    .map(({ name, pid }) => ({ name, value: valueOf(familyOf(pid, children, roots)) }))
    .sort((one, other) => other.value - one.value)
}

/** A process and its descendants, except those that are reported separately. */
function familyOf(pid: number, children: Map<number, number[]>, roots: Set<number>): number[] {
  const own = (children.get(pid) ?? []).filter((child) => !roots.has(child))
  return [pid, ...own.flatMap((child) => familyOf(child, children, roots))]
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = Number(statOf(Number(entry))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  return children
}

function proportionalKilobytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

/** User and system time, including that of ended children. */
function ticksOf(pid: number): number {
  const times = statOf(pid).slice(UTIME, CSTIME + 1)
  return times.reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** The fields of `/proc/<pid>/stat` (proc(5)) that follow the name of the program, from `state` on. */
function statOf(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
