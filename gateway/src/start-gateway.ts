import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@tapeline/contracts/actor'
import { createKafka } from '@tapeline/events/kafka'
import { listen } from '@tapeline/events/listen'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Logger } from '@tapeline/service/logger'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import type { Process } from '@tapeline/service/run-process'
import { Pool } from 'undici'
import { ActorTokens } from './actor-tokens.ts'
import { createApp } from './app.ts'
import { askOwners } from './ask-owners.ts'
import { createBrowserPolicy } from './browser-policy.ts'
import { clientAddressBy } from './client-address.ts'
import type { Config } from './config.ts'
import { Deadlines } from './deadlines.ts'
import { Limiter } from './decide-limits.ts'
import { FailureBucket } from './failure-bucket.ts'
import { GatewayMetrics } from './gateway-metrics.ts'
import type { Gateway } from './gateway.ts'
import { claimJournalSlots } from './journal-slot.ts'
import { KnownKeys } from './known-keys.ts'
import { LimiterUpkeep } from './limiter-upkeep.ts'
import { AccessTokens } from './read-access-token.ts'
import { startShipper } from './start-shipper.ts'
import { subscriptionsOf } from './subscriptions.ts'
import { throttlesOf } from './throttles.ts'
import { TierDocuments } from './tier-documents.ts'
import { usageLines } from './usage-event.ts'
import { UsageJournal } from './usage-journal.ts'

export type StartOptions = {
  config: Config
  logger: Logger
  internalKeys: InternalKeys
  running: Pick<Process, 'onStop' | 'isStopping'>
}

const THROTTLE_TIMEOUT_MS = 100
const REDIS_START_TIMEOUT_MS = 2_000
const UPSTREAM_KEEP_ALIVE_MS = 60_000
const UPSTREAM_CONNECT_TIMEOUT_MS = 1_000
const LISTEN_RETRY_MS = 2_000

/** Connects everything and listens; what was started is stopped in reverse order. */
export async function startGateway(options: StartOptions): Promise<{ port: number; gateway: Gateway }> {
  const { config, logger, internalKeys, running } = options
  const { onStop, isStopping } = running
  const slots = claimJournalSlots(config.JOURNAL_DIR)
  onStop('journal folder', () => slots.release())
  const journal = openJournal(options, slots)

  const epoch = { current: 0 }
  const owners = askOwners(
    { identity: config.IDENTITY_URL, 'api-key': config.API_KEY_URL, audit: config.AUDIT_URL, config: config.CONFIG_URL },
    internalKeys,
  )
  const tiers = new TierDocuments({ file: join(slots.own, 'tiers.json'), ask: () => owners.askTiers(), logger })
  onStop('tier documents', () => tiers.stop())
  const known = new KnownKeys({ owners, tiers, epoch })
  hearChanges(options, known, tiers)

  const redis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: null })
  onStop('redis', () => redis.disconnect())
  const processTag = randomBytes(6).toString('base64url')
  const replyWithinMs = config.LIMITER_REPLY_WITHIN_MS
  const limiter = new Limiter({ redis, logger, epoch, replyWithinMs, onUp: () => limiter.flush() })
  onStop('limiter', () => limiter.stop())
  const { GATEWAYS_EXPECTED: gatewaysExpected } = config
  const isUp = () => limiter.connection.isUp
  const upkeep = new LimiterUpkeep({ redis, owners, logger, processTag, gatewaysExpected, isUp })
  onStop('limiter upkeep', () => upkeep.stop())

  const throttleRedis = connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: THROTTLE_TIMEOUT_MS })
  onStop('throttles', () => throttleRedis.disconnect())
  const { app, open } = await createApp({
    logger,
    redis: throttleRedis,
    throttles: throttlesOf(config),
    connectionsMax: config.CLIENT_CONNECTIONS_MAX,
    bodyBytesMax: config.BODY_BYTES_MAX,
    isReady: () => tiers.snapshot !== undefined,
    isStopping,
  })
  const deadlines = new Deadlines()
  onStop('deadlines', () => deadlines.stop())
  const gatewayId = config.GATEWAY_ID === '' ? `${hostname()}-${slots.slot}` : config.GATEWAY_ID
  let leases = 0
  const gateway: Gateway = {
    config,
    logger,
    now: Date.now,
    policy: createBrowserPolicy(config.CORS_ORIGINS),
    clientAddress: clientAddressBy(config.TRUST_PROXY),
    known,
    tokens: new AccessTokens({
      verify: (token, verifyOptions) => app.jwt.verify(token, verifyOptions),
      askPublicKeys: () => owners.askPublicKeys(),
      nowMs: Date.now,
    }),
    limiter,
    upkeep,
    journal,
    usageLine: usageLines(gatewayId),
    pools: openPools(options),
    deadlines,
    metrics: metricsOf(journal, limiter),
    actorTokens: new ActorTokens(internalKeys),
    failures: new FailureBucket(),
    newLeaseId: () => `${processTag}${(leases += 1).toString(36)}`,
    isStopping,
  }
  await Promise.all([tiers.start(), redisReady(redis, REDIS_START_TIMEOUT_MS)])
  await open(gateway)
  listenForMetrics(options, gateway.metrics)
  onStop('http', () => closeWithin(app, config.DRAIN_TIMEOUT_MS))
  await app.listen({ host: config.HOST, port: config.PORT })
  const address = app.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : config.PORT, gateway }
}

type Slots = ReturnType<typeof claimJournalSlots>

function openJournal({ config, logger, running }: StartOptions, { own, adopted }: Slots): UsageJournal {
  const journal = new UsageJournal({
    dir: own,
    bytesMax: config.JOURNAL_BYTES_MAX,
    segmentBytes: config.JOURNAL_SEGMENT_BYTES,
    logger,
  })
  const shipper = startShipper(
    {
      dir: own,
      adopted,
      brokers: config.KAFKA_BROKERS,
      topicPrefix: config.KAFKA_TOPIC_PREFIX,
      clientId: 'gateway-shipper',
      logLevel: config.LOG_LEVEL,
      freed: journal.freed,
    },
    logger,
  )
  running.onStop('shipper', () => shipper.stop())
  running.onStop('journal', () => journal.close())
  return journal
}

/** Joins the topics beside everything else: without Kafka a gateway starts too, its records are checked by version anyway. */
function hearChanges({ config, logger, running }: StartOptions, known: KnownKeys, tiers: TierDocuments): void {
  const kafka = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'gateway', log: logger })
  const group = `gateway-${crypto.randomUUID()}`
  let stopListening: (() => Promise<void>) | undefined
  let isStopped = false
  let isToldOf = false
  const join = async (): Promise<void> => {
    try {
      const listeners = subscriptionsOf(known, tiers)
      const { stop } = await listen({ kafka, group, topicPrefix: config.KAFKA_TOPIC_PREFIX, listeners })
      stopListening = stop
      if (isStopped) await stop()
    } catch (error) {
      if (!isToldOf) logger.warn({ error: String(error) }, 'changes cannot be heard from Kafka yet')
      isToldOf = true
      if (!isStopped) setTimeout(() => void join(), LISTEN_RETRY_MS).unref()
    }
  }
  void join()
  running.onStop('listener', async () => {
    isStopped = true
    await stopListening?.()
  })
}

function openPools({ config, running }: StartOptions): ReadonlyMap<ServiceName, Pool> {
  const urls: [ServiceName, string][] = [
    ['identity', config.IDENTITY_URL],
    ['api-key', config.API_KEY_URL],
    ['audit', config.AUDIT_URL],
    ['config', config.CONFIG_URL],
    ['market-data', config.MARKET_DATA_URL],
  ]
  const options = {
    connections: config.UPSTREAM_CONNECTIONS_MAX,
    pipelining: 1,
    keepAliveTimeout: UPSTREAM_KEEP_ALIVE_MS,
    keepAliveMaxTimeout: UPSTREAM_KEEP_ALIVE_MS,
    connect: { timeout: UPSTREAM_CONNECT_TIMEOUT_MS },
  }
  const pools = new Map(urls.map(([service, url]) => [service, new Pool(url, options)]))
  running.onStop('upstreams', () => Promise.all([...pools.values()].map((pool) => pool.destroy())))
  return pools
}

function metricsOf(journal: UsageJournal, limiter: Limiter): GatewayMetrics {
  const metrics = new GatewayMetrics()
  metrics.addGauge({ name: 'gateway_journal_bytes', help: 'Usage events not yet acknowledged.', read: () => journal.bytes() })
  const isUp = () => Number(limiter.connection.isUp)
  metrics.addGauge({ name: 'gateway_limiter_up', help: '1 while Redis decides, 0 while the share does.', read: isUp })
  return metrics
}

/** Metrics are for the operator: on a port of their own, or nowhere. */
function listenForMetrics({ config, running }: StartOptions, metrics: GatewayMetrics): void {
  if (config.ADMIN_PORT === 0) return
  const server = createServer((request, reply) => {
    const isMetrics = request.url === '/metrics'
    reply.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
    reply.end(isMetrics ? metrics.render() : '')
  })
  server.listen(config.ADMIN_PORT, config.HOST)
  running.onStop('metrics', () => server.close())
}

/** New connections are refused, open requests may end; what is still open after the time is cut. */
async function closeWithin(app: { close: () => Promise<unknown>; server: { closeAllConnections: () => void } }, timeoutMs: number) {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  await app.close()
  clearTimeout(timer)
}
