import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const TASKS = '/proc/self/task'
const WORKER = 'libuv-worker'

/**
 * Lets the threads of Node's worker pool go behind everything else on the machine: 0 as ever, 19 last (nice(2), which on
 * Linux is a thread's own). Says how many it found; none where the system does not show its threads.
 */
export function lowerPoolPriority(niceness: number): number {
  const workers = threads().filter(isWorker)
  // Only downwards: the other way is not everybody's right.
  for (const id of workers) if (getPriority(id) < niceness) setPriority(id, niceness)
  return workers.length
}

function threads(): number[] {
  try {
    return readdirSync(TASKS).map(Number)
  } catch {
    return []
  }
}

function isWorker(id: number): boolean {
  return readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim() === WORKER
}
