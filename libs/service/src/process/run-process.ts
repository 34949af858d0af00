import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

export type Stop = () => unknown
export type Process = {
  /** Registers a stop function; they run in reverse order. `durationMs` is the time it may need, for example to drain. */
  onStop: (name: string, stop: Stop, durationMs?: number) => void
  /** True after the first signal: readiness returns 503. */
  isStopping: () => boolean
  /** Ends the process with exit code 1, so that it is restarted; open requests have 3 s, because a part may hang. */
  fail: (reason: string) => void
}

/** Deadline for stop functions without `durationMs`. */
const STOP_DEADLINE_MS = 9_000
/** Deadline for everything after a failure. */
const FAILED_DEADLINE_MS = 3_000

/**
 * Starts a process and shuts it down on SIGTERM or SIGINT: unready, lame duck, then the stop functions in reverse
 * order. With EXIT_WITH_PARENT=1 it also ends when standard input closes, so that no child outlives a killed
 * launcher.
 */
export async function runProcess(
  logger: Logger,
  lameDuckMs: number,
  start: (process: Process) => Promise<void>,
): Promise<void> {
  const stops: { name: string; stop: Stop; durationMs: number }[] = []
  let stopping = false

  const shutDown = async (reason: string) => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    const waitsMs = stops.reduce((sum, { durationMs }) => sum + durationMs, lameDuckMs)
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS + waitsMs).unref()
    await delay(lameDuckMs)
    await stopAll()
    logger.info('stopped')
    process.exit(0)
  }
  const fail = async (reason: string) => {
    if (stopping) return
    stopping = true
    logger.fatal({ reason }, 'process: failed; stopping and exiting with code 1, to be restarted')
    setTimeout(() => process.exit(1), FAILED_DEADLINE_MS)
    await stopAll()
    process.exit(1)
  }
  const stopAll = async () => {
    for (const { name, stop } of stops.toReversed()) {
      try {
        await stop()
      } catch (error) {
        logger.error({ err: error, part: name }, 'process: a component did not stop cleanly; stopping the others')
      }
    }
  }

  process.on('SIGTERM', () => void shutDown('SIGTERM'))
  process.on('SIGINT', () => void shutDown('SIGINT'))
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'process: unhandled promise rejection; exiting with code 1')
    process.exit(1)
  })
  if (process.env.EXIT_WITH_PARENT === '1') {
    process.stdin.on('close', () => void shutDown('parent gone')).on('error', () => void shutDown('parent gone'))
    process.stdin.resume()
  }
  try {
    await start({
      onStop: (name, stop, durationMs = 0) => stops.push({ name, stop, durationMs }),
      isStopping: () => stopping,
      fail: (reason) => void fail(reason),
    })
  } catch (error) {
    logger.fatal({ err: error }, 'process: could not start; exiting with code 1')
    process.exit(1)
  }
}
