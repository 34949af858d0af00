import { Cluster, type CommonRedisOptions, Redis, type SentinelConnectionOptions, SentinelConnector } from 'ioredis'
import type { Logger } from './logger.ts'
import { clusterNodesOf, type SentinelAddress, sentinelsOf } from './redis-nodes.ts'

export type RedisClient = Redis | Cluster

const CONNECT_TIMEOUT_MS = 1_000
const RECONNECT_DELAY_MAX_MS = 500
const QUEUE_RECONNECT_DELAY_MAX_MS = 2_000
const SLOTS_TIMEOUT_MS = 1_000

export type RedisOptions = {
  /**
   * One address. Several, comma-separated, are nodes of a Redis Cluster, as is one that ends in `?cluster=true`.
   * `redis+sentinel://host:port,…/<master>` follows the master that Sentinels name.
   */
  url: string
  logger: Logger
  /** null: the caller applies its own timeout. */
  commandTimeoutMs: number | null
  autoPipelining?: boolean
}

/** Creates a client whose commands fail within `commandTimeoutMs`: nothing is queued or sent again. */
export function connectRedis({ url, logger, commandTimeoutMs, autoPipelining = false }: RedisOptions): RedisClient {
  const options = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(commandTimeoutMs === null ? {} : { commandTimeout: commandTimeoutMs }),
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  }
  const nodes = clusterNodesOf(url)
  const redis =
    nodes === undefined
      ? connectServer(url, { ...options, enableOfflineQueue: false, enableAutoPipelining: autoPipelining })
      : connectCluster(nodes, options, autoPipelining)
  logOutages(redis, logger)
  return redis
}

/** Whether a client is connected to a Redis Cluster. */
export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster
}

/** The servers with keys, for commands that concern a server and not a key. */
export function serversOf(redis: RedisClient): Redis[] {
  return isCluster(redis) ? redis.nodes('master') : [redis]
}

/** Resolves when the client is ready, or after `timeoutMs`: a process also starts without Redis. */
export async function redisReady(redis: RedisClient, timeoutMs: number): Promise<boolean> {
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

type ServerOptions = Pick<
  CommonRedisOptions,
  | 'connectTimeout'
  | 'commandTimeout'
  | 'autoResendUnfulfilledCommands'
  | 'maxRetriesPerRequest'
  | 'enableOfflineQueue'
  | 'enableAutoPipelining'
>

function connectServer(url: string, options: ServerOptions): Redis {
  const settled = { ...options, retryStrategy: reconnectAfterMs }
  const sentinels = sentinelsOf(url)
  return sentinels === undefined ? new Redis(url, settled) : new Redis({ ...settled, ...followMaster(sentinels) })
}

/** Connection options of BullMQ: one server, or the master that Sentinels name. */
export function queueConnection(url: string) {
  const sentinels = sentinelsOf(url)
  return {
    ...(sentinels === undefined ? { url } : followMaster(sentinels)),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, QUEUE_RECONNECT_DELAY_MAX_MS),
  }
}

/** ioredis options that follow the master: a connection to one that was replaced is closed when the Sentinels say so. */
function followMaster(address: SentinelAddress) {
  const { sentinels, master, username, password, sentinelPassword, isEncrypted } = address
  return {
    Connector: FollowingConnector,
    sentinels,
    name: master,
    failoverDetector: true,
    sentinelRetryStrategy: reconnectAfterMs,
    sentinelReconnectStrategy: reconnectAfterMs,
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(sentinelPassword === '' ? {} : { sentinelPassword }),
    ...(isEncrypted ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  }
}

/** Commands follow moved slots; commands to an unavailable cluster fail. */
function connectCluster(nodes: URL[], options: object, autoPipelining: boolean): Cluster {
  const [first] = nodes
  const isEncrypted = first?.protocol === 'rediss:'
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || '6379') })),
    {
      redisOptions: {
        ...options,
        ...(first?.username ? { username: decodeURIComponent(first.username) } : {}),
        ...(first?.password ? { password: decodeURIComponent(first.password) } : {}),
        ...(isEncrypted ? { tls: {} } : {}),
      },
      // Certificates contain host names, not IP addresses.
      ...(isEncrypted ? { dnsLookup: (host, done) => done(null, host) } : {}),
      enableOfflineQueue: false,
      enableAutoPipelining: autoPipelining,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
      clusterRetryStrategy: reconnectAfterMs,
    },
  )
}

function reconnectAfterMs(attempt: number): number {
  return Math.min(attempt * 50, RECONNECT_DELAY_MAX_MS)
}

function logOutages(redis: RedisClient, logger: Logger): void {
  let isOutageLogged = false
  redis.on('error', (error: unknown) => {
    if (!isOutageLogged) logger.warn({ err: error }, 'redis: unavailable; reconnecting')
    isOutageLogged = true
  })
  redis.on('ready', () => {
    if (isOutageLogged) logger.info('redis: connected again')
    isOutageLogged = false
  })
}

type Connect = SentinelConnector['connect']

/**
 * While ioredis asks for the master, it still receives the failovers that Sentinels announce on its previous connection. An
 * announcement at that moment would end the client for good, so it stops listening first; the next connection listens
 * again.
 */
class FollowingConnector extends SentinelConnector {
  constructor(options: unknown) {
    // ioredis passes the options of the client and declares them as unknown.
    super(options as SentinelConnectionOptions)
  }

  override connect(...args: Parameters<Connect>): ReturnType<Connect> {
    this['failoverDetector']?.cleanup()
    return super.connect(...args)
  }
}
