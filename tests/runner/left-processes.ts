import { readdirSync, readFileSync } from 'node:fs'

export type LeftProcess = { pid: number; command: string }

/** Processes with this run's mark in their environment, including detached ones. */
export function findMarked(mark: string): LeftProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 160) }))
    .filter(({ command }) => command !== '')
}

const ENDING_BY_ITSELF_MS = 5_000
const ENDING_AFTER_TERM_MS = 3_000

/** Ends processes that a step left running, and returns their list. */
export async function endMarked(mark: string, { endingByItselfMs = ENDING_BY_ITSELF_MS } = {}): Promise<LeftProcess[]> {
  const remaining = await waitForEnd(mark, endingByItselfMs)
  signalAll(remaining, 'SIGTERM')
  signalAll(await waitForEnd(mark, ENDING_AFTER_TERM_MS), 'SIGKILL')
  return remaining
}

async function waitForEnd(mark: string, limitMs: number): Promise<LeftProcess[]> {
  const until = Date.now() + limitMs
  let remaining = findMarked(mark)
  while (remaining.length > 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    remaining = findMarked(mark)
  }
  return remaining
}

function signalAll(processes: LeftProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended in the meantime.
    }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
