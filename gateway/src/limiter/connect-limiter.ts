import { randomBytes } from 'node:crypto'
import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { Logger } from '@tapeline/service/logger'
import type { Process } from '@tapeline/service/process/run-process'
import type { Config } from '../config.ts'
import { ConnectionSlots } from './connection-slots.ts'
import { Leases } from './leases.ts'
import { Limiter } from './limiter.ts'
import type { RedisEpoch } from './redis/limiter-connection.ts'
import { LimiterMaintenance } from './limiter-maintenance.ts'
import { OneTimeStore } from './one-time-store.ts'
import { storeReady } from './redis/limiter-store.ts'
import { openLimiterStore } from './redis/open-limiter-store.ts'
import { ThrottleStore } from './throttle-store.ts'

export type ConnectLimiterOptions = {
  config: Config
  logger: Logger
  running: Pick<Process, 'onStop'>
  epoch: RedisEpoch
  fetchSeed: (accountId: string, monthStartS: number, keyId?: string) => Promise<UsageSeed | undefined>
}
export type ConnectedLimiter = {
  limiter: Limiter
  maintenance: LimiterMaintenance
  leases: Leases
  slots: ConnectionSlots
  /** On a separate connection, because its requests may wait longer. */
  throttleStore: ThrottleStore
  oneTime: OneTimeStore
  untilReady: () => Promise<boolean>
}

/** How many times longer than a decision a throttle waits for Redis. */
const THROTTLE_DECISIONS = 2
const START_TIMEOUT_MS = 2_000

/** The limiter's connection keeps the order of decisions and releases, so nothing else uses it. */
export async function connectLimiter(options: ConnectLimiterOptions): Promise<ConnectedLimiter> {
  const { config, logger, epoch, fetchSeed } = options
  const { onStop } = options.running
  const { REDIS_URL, LIMITER_REPLY_WITHIN_MS: replyWithinMs, GATEWAYS_EXPECTED: gatewaysExpected } = config
  const store = await openLimiterStore(REDIS_URL, logger)
  onStop('redis', () => store.disconnect())
  const limiter = new Limiter({ store, logger, epoch, replyWithinMs, onUp: () => limiter.flush() })
  onStop('limiter', () => {
    // The leases of the last answers: otherwise they would count until they expire.
    limiter.flush()
    limiter.stop()
  })
  const processTag = randomBytes(6).toString('base64url')
  const leases = new Leases({ store, limiter, processTag, isOnlyProcess: gatewaysExpected === 1 })
  onStop('leases', () => leases.stop())
  const slots = new ConnectionSlots({ store, limiter, leases, gatewaysExpected })
  const isUp = () => limiter.connection.isUp
  const connectedSinceMs = () => limiter.connection.upSinceMs
  const maintenance = new LimiterMaintenance({
    store,
    fetchSeed,
    logger,
    processTag,
    gatewaysExpected,
    isUp,
    connectedSinceMs,
  })
  onStop('limiter maintenance', () => maintenance.stop())
  const throttles = await openLimiterStore(REDIS_URL, logger)
  onStop('throttles', () => throttles.disconnect())
  const throttleStore = new ThrottleStore(throttles, THROTTLE_DECISIONS * replyWithinMs)
  const oneTime = new OneTimeStore(throttles)
  return {
    limiter,
    maintenance,
    leases,
    slots,
    throttleStore,
    oneTime,
    untilReady: () => storeReady(store, START_TIMEOUT_MS),
  }
}
