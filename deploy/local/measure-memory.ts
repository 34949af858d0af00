import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseIdentity } from './processes/process-identity.ts'

export type MemoryShare = { name: string; megabytes: number }

/** Proportional set size of the launcher and of everything it runs, each with all its children. */
export function measureMemory(dir: string, launcherPid: number): MemoryShare[] {
  const runDir = join(dir, 'run')
  const named = readdirSync(runDir).flatMap((file) => {
    const pid = parseIdentity(readText(join(runDir, file)))?.pid
    return pid === undefined ? [] : [{ name: file.replace(/\.json$/, ''), pid }]
  })
  const children = childrenByParent()
  const roots = new Set(named.map(({ pid }) => pid))
  const shareOf = (name: string, pid: number): MemoryShare => {
    const kilobytes = familyOf(pid, children, roots).reduce((sum, member) => sum + proportionalKilobytes(member), 0)
    return { name, megabytes: Math.round(kilobytes / 1_024) }
  }
  return [shareOf('launcher', launcherPid), ...named.map(({ name, pid }) => shareOf(name, pid))].sort(
    (one, other) => other.megabytes - one.megabytes,
  )
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
    const stat = readText(`/proc/${entry}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  return children
}

function proportionalKilobytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
