import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { releaseLease, renewLease } from '../connector-queries.ts'

/** A process that ends without releasing is replaced within 4.5 s. */
const LEASE_MS = 4_000
const RENEW_MS = 1_000
const WAIT_MS = 500
/** Ends the work before the lease has expired, by this process's clock. */
const SAFE_MS = 3_500

export type LeaseOptions = { db: Kysely<Tables>; feed: string; holder: string; logger: Logger; signal: AbortSignal }

/**
 * Runs `work` while this process has the lease of a feed: its signal aborts when the lease is lost or could not be
 * renewed in time. Another process waits and takes over afterwards. Returns when `signal` aborts.
 */
export async function holdLease(options: LeaseOptions, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { db, feed, holder, logger, signal } = options
  while (!signal.aborted) {
    const requestedMs = performance.now()
    if (!(await renew(options))) {
      await pause(WAIT_MS, signal)
      continue
    }
    logger.info({ feed }, 'venue connector: lease acquired; connecting')
    const lost = new AbortController()
    const working = work(AbortSignal.any([signal, lost.signal]))
    await renewUntilEnd(options, requestedMs)
    if (!signal.aborted) logger.warn({ feed }, 'venue connector: lease lost; disconnecting, another process connects')
    lost.abort()
    await working
    await releaseLease(db, { feed, holder }).catch(() => undefined)
  }
}

/** Renews the lease until another process has it or it was not renewed in time. */
async function renewUntilEnd(options: LeaseOptions, acquiredMs: number): Promise<void> {
  let renewedMs = acquiredMs
  while (!options.signal.aborted && performance.now() - renewedMs < SAFE_MS) {
    await pause(RENEW_MS, options.signal)
    const requestedMs = performance.now()
    const isHeld = await Promise.race([renew(options), timeout(renewedMs + SAFE_MS - requestedMs, options.signal)])
    if (isHeld === false) return
    if (isHeld === true) renewedMs = requestedMs
  }
}

/** Undefined when the database did not answer. */
async function renew({ db, feed, holder, logger }: LeaseOptions): Promise<boolean | undefined> {
  try {
    return await renewLease(db, { feed, holder, forMs: LEASE_MS })
  } catch (err) {
    logger.warn({ err, feed }, 'venue connector: renewing the lease failed; retrying')
    return undefined
  }
}

async function timeout(pauseMs: number, signal: AbortSignal): Promise<undefined> {
  await pause(Math.max(0, pauseMs), signal)
  return undefined
}

async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  await delay(pauseMs, undefined, { signal }).catch(() => undefined)
}
