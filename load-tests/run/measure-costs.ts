import { cpuMicros, rssMb, withDescendants } from '../bench/figures/process-figures.ts'
import type { Cost } from './load-result.ts'
import type { LoadPlatform } from './load-platform.ts'

/** CPU time of every process of the platform from this call until the result is read, per request. Linux only. */
export function measureCosts({ processes }: Pick<LoadPlatform, 'processes'>): (requests: number) => Cost[] {
  if (process.platform !== 'linux') return () => []
  const before = processes.map(({ name, pid }) => ({ name, pid, micros: cpuMicros(familyOf(pid)) }))
  return (requests) =>
    before.map(({ name, pid, micros }) => ({
      name,
      cpuMicrosPerRequest: (cpuMicros(familyOf(pid)) - micros) / Math.max(1, requests),
      rssMb: rssMb(familyOf(pid)),
    }))
}

/** A child process of a server may end between listing and reading. */
function familyOf(pid: number): number[] {
  return withDescendants(pid).filter((one) => {
    try {
      return cpuMicros([one]) >= 0
    } catch {
      return false
    }
  })
}
