import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const TASKS = '/proc/self/task'
const WORKER = 'libuv-worker'

/**
 * Lowers the priority of Node's worker pool threads (nice(2), which on Linux applies per thread): 0 normal, 19
 * lowest. Without effect where the system does not list its threads or does not permit it.
 */
export function lowerPoolPriority(niceness: number): void {
  for (const id of threads()) lower(id, niceness)
}

function lower(id: number, niceness: number): void {
  try {
    const isWorker = readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim() === WORKER
    // Only downwards: raising it requires privileges.
    if (isWorker && getPriority(id) < niceness) setPriority(id, niceness)
  } catch {
    // The thread has ended, or the system does not permit it: hash at normal priority.
  }
}

function threads(): number[] {
  try {
    return readdirSync(TASKS).map(Number)
  } catch {
    return []
  }
}
