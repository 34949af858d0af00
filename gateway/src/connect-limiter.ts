import { randomBytes } from 'node:crypto'
import type { Owners } from './ask-owners.ts'
import { Limiter } from './decide-limits.ts'
import type { Epoch } from './known-record.ts'
import { storeReady } from './limiter-store.ts'
import { LimiterUpkeep } from './limiter-upkeep.ts'
import { openLimiterStore } from './open-limiter-store.ts'
import type { StartOptions } from './start-options.ts'
import { type ThrottleStore, throttleStoreIn } from './throttle-store.ts'

export type ConnectedLimiter = {
  limiter: Limiter
  upkeep: LimiterUpkeep
  newLeaseId: () => string
  /** A connection of its own for what may wait longer. */
  throttleStore: ThrottleStore
  untilReady: () => Promise<boolean>
}

/** What is throttled by address may wait for so many decisions. */
const THROTTLE_DECISIONS = 2
const START_TIMEOUT_MS = 2_000

/** The limiter's connection keeps the order of decisions and releases, so nothing else travels on it. */
export async function connectLimiter(
  { config, logger, running }: StartOptions,
  owners: Owners,
  epoch: Epoch,
): Promise<ConnectedLimiter> {
  const { onStop } = running
  const store = await openLimiterStore(config.REDIS_URL, logger)
  onStop('redis', () => store.disconnect())
  const replyWithinMs = config.LIMITER_REPLY_WITHIN_MS
  const limiter = new Limiter({ store, logger, epoch, replyWithinMs, onUp: () => limiter.flush() })
  onStop('limiter', () => limiter.stop())
  const processTag = randomBytes(6).toString('base64url')
  const gatewaysExpected = config.GATEWAYS_EXPECTED
  const isUp = () => limiter.connection.isUp
  const wasAwayMs = () => limiter.connection.upSinceMs
  const upkeep = new LimiterUpkeep({ store, owners, logger, processTag, gatewaysExpected, isUp, wasAwayMs })
  onStop('limiter upkeep', () => upkeep.stop())
  const wire = await openLimiterStore(config.REDIS_URL, logger)
  onStop('throttles', () => wire.disconnect())
  const throttleStore = throttleStoreIn(wire, THROTTLE_DECISIONS * replyWithinMs)
  let leases = 0
  const newLeaseId = () => `${processTag}${(leases += 1).toString(36)}`
  return { limiter, upkeep, newLeaseId, throttleStore, untilReady: () => storeReady(store, START_TIMEOUT_MS) }
}
