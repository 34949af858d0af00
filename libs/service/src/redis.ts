import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

const CONNECT_TIMEOUT_MS = 1_000
const RECONNECT_DELAY_MAX_MS = 500

export type RedisOptions = {
  url: string
  logger: Logger
  /** null: the caller keeps the time itself. */
  commandTimeoutMs: number | null
  autoPipelining?: boolean
}

/** A client whose commands fail within `commandTimeoutMs` instead of waiting: nothing is queued or sent again. */
export function connectRedis({ url, logger, commandTimeoutMs, autoPipelining = false }: RedisOptions): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(commandTimeoutMs === null ? {} : { commandTimeout: commandTimeoutMs }),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: autoPipelining,
    retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_DELAY_MAX_MS),
  })
  let isDown = false
  redis.on('error', (error) => {
    if (!isDown) logger.warn({ err: error }, 'Redis is away')
    isDown = true
  })
  redis.on('ready', () => {
    if (isDown) logger.info('Redis is back')
    isDown = false
  })
  return redis
}

/** Resolves when the client can be used, or after `timeoutMs`: a process starts without Redis too. */
export async function redisReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(false), timeoutMs)
    const onReady = () => done(true)
    function done(isReady: boolean) {
      clearTimeout(timer)
      redis.off('ready', onReady)
      resolve(isReady)
    }
    redis.once('ready', onReady)
  })
}
