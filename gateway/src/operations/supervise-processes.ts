import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import type { Process } from '@tapeline/service/process/run-process'
import type { Config } from '../config.ts'
import { listenForOperators } from './listen-for-operators.ts'
import { requestReport } from './worker-report.ts'

const BACK_OFF_FIRST_MS = 250
const BACK_OFF_MAX_MS = 15_000
/** A process that ran this long restarts after the first back-off again. */
const STABLE_AFTER_MS = 60_000

type Options = { config: Config; logger: Logger; running: Pick<Process, 'onStop' | 'isStopping'> }

/**
 * Several processes on one port: each accepts connections from the kernel's one queue. If this process distributed them, a
 * connection on its way to a killed process would hang forever: node:cluster waits for an acknowledgement and keeps it open.
 * Each process has its own journal; the successor of a killed process ships its journal.
 */
export async function superviseProcesses({ config, logger, running }: Options): Promise<void> {
  const processes: Worker[] = []
  const workerDrainMs = config.LAME_DUCK_MS + config.DRAIN_TIMEOUT_MS
  running.onStop('processes', () => Promise.all(processes.map(stop)), workerDrainMs)
  // Immediately, not after this process's own lame-duck time: the workers answer "not ready".
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => processes.forEach((worker) => worker.process.kill('SIGTERM')))
  }
  cluster.schedulingPolicy = cluster.SCHED_NONE
  for (let number = 0; number < config.GATEWAY_PROCESSES; number += 1) processes.push(start(logger))
  await Promise.all(processes.map(untilListening))
  for (const number of processes.keys()) void keepAlive(number)
  listenForOperators({ config, running, report: () => Promise.all(processes.map(requestReport)) })

  async function keepAlive(number: number): Promise<void> {
    for (let backOffMs = BACK_OFF_FIRST_MS; ; backOffMs = Math.min(backOffMs * 2, BACK_OFF_MAX_MS)) {
      const worker = processes[number]
      if (worker === undefined) return
      const sinceMs = performance.now()
      const ending = await endOf(worker)
      if (running.isStopping()) return
      if (performance.now() - sinceMs > STABLE_AFTER_MS) backOffMs = BACK_OFF_FIRST_MS
      logger.error(
        { pid: worker.process.pid, ending, backOffMs },
        'supervisor: a gateway process ended; restarting it after backOffMs',
      )
      await delay(backOffMs, undefined, { ref: false })
      if (running.isStopping()) return
      replace(number)
    }
  }

  /** A failed start, for example without memory, leaves the ended process in its place: it is replaced after the next back-off. */
  function replace(number: number): void {
    try {
      processes[number] = start(logger)
    } catch (err) {
      logger.error({ err }, 'supervisor: a gateway process could not be started; trying again')
    }
  }
}

/**
 * The worker ends with this process, because its channel closes; only this process watches standard input.
 * @throws Error when the system cannot start a process; some reasons are an `error` event instead, such as EAGAIN
 */
function start(logger: Logger): Worker {
  const worker = cluster.fork({ EXIT_WITH_PARENT: '0' })
  // Without a listener the event would end this process, and all workers with it.
  worker.on('error', (err) =>
    logger.error(
      { err, pid: worker.process.pid },
      'supervisor: a gateway process failed; it is replaced if it has ended',
    ),
  )
  return worker
}

async function untilListening(worker: Worker): Promise<void> {
  const exited = new AbortController()
  const { signal } = exited
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('a gateway process did not start')
  })
  try {
    await Promise.race([once(worker, 'listening', { signal }), ended])
  } finally {
    ended.catch(() => {})
    exited.abort()
  }
}

async function endOf(worker: Worker): Promise<string> {
  return hasEnded(worker) ? 'it is not running' : exitOf(worker)
}

async function stop(worker: Worker): Promise<void> {
  if (hasEnded(worker)) return
  worker.process.kill('SIGTERM')
  await exitOf(worker)
}

/** Also true if it was never started. */
function hasEnded(worker: Worker): boolean {
  return worker.process.pid === undefined || worker.isDead()
}

/** Exit code or signal. An `error` event, which `once` of node:events would reject with, is not the end of a process. */
function exitOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(String(signal ?? code)))
  })
}
