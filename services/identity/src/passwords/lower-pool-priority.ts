import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const TASKS = '/proc/self/task'
const WORKER = 'libuv-worker'

/**
 * Lets the threads of Node's worker pool go behind everything else on the machine: 0 as ever, 19 last (nice(2), which on
 * Linux is a thread's own). Where the system does not show its threads, or does not let it, all stays as it is.
 */
export function lowerPoolPriority(niceness: number): void {
  for (const id of threads()) lower(id, niceness)
}

function lower(id: number, niceness: number): void {
  try {
    const isWorker = readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim() === WORKER
    // Only downwards: the other way is not everybody's right.
    if (isWorker && getPriority(id) < niceness) setPriority(id, niceness)
  } catch {
    // A thread that has just ended, or a system that refuses: passwords are hashed all the same.
  }
}

function threads(): number[] {
  try {
    return readdirSync(TASKS).map(Number)
  } catch {
    return []
  }
}
