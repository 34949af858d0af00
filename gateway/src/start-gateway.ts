import { hostname } from 'node:os'
import { join } from 'node:path'
import { routeEvents } from '@tapeline/events/route-events'
import { createSteadyClock } from '@tapeline/service/steady-clock'
import { ActorTokens } from './actor-tokens.ts'
import { type App, createApp } from './app.ts'
import { askOwners, type Owners } from './ask-owners.ts'
import { type BrowserPolicy, createBrowserPolicy } from './browser-policy.ts'
import { clientAddressBy } from './client-address.ts'
import { connectLimiter } from './connect-limiter.ts'
import { Deadlines } from './deadlines.ts'
import { FailureBucket } from './failure-bucket.ts'
import { GatewayMetrics } from './gateway-metrics.ts'
import type { Gateway } from './gateway.ts'
import { claimJournalSlots } from './journal-slot.ts'
import { KnownKeys } from './known-keys.ts'
import { listenForOperators } from './listen-for-operators.ts'
import { measureProcess } from './measure-process.ts'
import { openJournal } from './open-journal.ts'
import { openLinks } from './open-links.ts'
import { OpenStreams } from './open-streams.ts'
import { Overload } from './overload.ts'
import { AccessTokens } from './read-access-token.ts'
import type { StartOptions } from './start-options.ts'
import { subscriptionsOf } from './subscriptions.ts'
import type { ThrottleStore } from './throttle-store.ts'
import { throttlesOf } from './throttles.ts'
import { keepTierDocuments, reportTiers, type TierDocuments } from './tier-documents.ts'
import { usageLines } from './usage-event.ts'
import { answerReports } from './worker-report.ts'

/** Connects everything and listens; what was started is stopped in reverse order. */
export async function startGateway(options: StartOptions): Promise<{ port: number }> {
  const { config, logger, internalKeys, running } = options
  const { onStop } = running
  const slots = claimJournalSlots(config.JOURNAL_DIR)
  onStop('journal folder', () => slots.release())
  const epoch = { current: 0 }
  const owners = ownersOf(options)
  const tiers = keepTierDocuments({
    file: join(slots.own, 'tiers.json'),
    ask: (known) => owners.askTiers(known),
    logger,
  })
  onStop('tier documents', () => tiers.stop())
  const known = new KnownKeys({ owners, tiers, epoch })
  const hearing = routeEvents(subscriptionsOf(known, tiers), config.KAFKA_TOPIC_PREFIX)
  const { journal, thread } = openJournal(options, slots, hearing)
  const { limiter, upkeep, newLeaseId, throttleStore, untilReady } = await connectLimiter(options, owners, epoch)
  const policy = createBrowserPolicy(config.CORS_ORIGINS, config.HSTS_MAX_AGE_S)
  const { app, open } = await createFramework(options, throttleStore, tiers, policy)
  const deadlines = new Deadlines()
  onStop('deadlines', () => deadlines.stop())
  const streams = new OpenStreams(config.STREAMS_MAX)
  const metrics = new GatewayMetrics()
  const overload = new Overload({ inFlightMax: config.IN_FLIGHT_MAX, loopDelayMaxMs: config.LOOP_DELAY_MAX_MS })
  onStop('overload', () => overload.stop())
  const gateway: Gateway = {
    config,
    logger,
    now: Date.now,
    policy,
    clientAddress: clientAddressBy(config.TRUST_PROXY),
    known,
    tokens: accessTokens(app, owners),
    limiter,
    upkeep,
    journal,
    usageLine: usageLines(nameOf(config, slots.slot)),
    links: openLinks(options, metrics),
    deadlines,
    streams,
    overload,
    metrics,
    actorTokens: new ActorTokens(internalKeys),
    failures: new FailureBucket(),
    newLeaseId,
    isStopping: running.isStopping,
    ...(await openSpans(options)),
  }
  measure(gateway, tiers)
  await Promise.all([tiers.start(), untilReady()])
  await open(gateway)
  tellOperators(options, tiers, metrics)
  onStop('http', () => closeWithin(app, config.DRAIN_TIMEOUT_MS), config.DRAIN_TIMEOUT_MS)
  onStop('streams', () => streams.stop())
  await app.listen({ host: config.HOST, port: config.PORT })
  // The journal takes events without it: what is asked first does not wait for the thread's modules on the same core.
  thread.start()
  return { port: portOf(app, config.PORT) }
}

/** Loaded only where a collector is named. */
async function openSpans({ config, logger, running }: StartOptions): Promise<Pick<Gateway, 'spans'>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return {}
  const { exportSpans } = await import('./export-spans.ts')
  const spans = exportSpans(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.GATEWAY_ID, logger)
  running.onStop('spans', () => spans.stop())
  return { spans }
}

function portOf(app: App, wanted: number): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : wanted
}

/** On the operators' port, and to a supervisor that asks; stopped last, so that a process that drains says so. */
function tellOperators({ config, running }: StartOptions, tiers: TierDocuments, metrics: GatewayMetrics): void {
  const report = () => ({
    pid: process.pid,
    isReady: tiers.snapshot !== undefined && !running.isStopping(),
    tiers: reportTiers(tiers),
    metrics: metrics.render(),
  })
  listenForOperators({ config, running, report: async () => [report()] })
  answerReports(report)
}

function measure({ metrics, overload, journal, limiter }: Gateway, tiers: TierDocuments): void {
  overload.measure(metrics)
  measureProcess(metrics)
  metrics.addGauge({
    name: 'gateway_journal_bytes',
    help: 'Usage events not yet acknowledged.',
    read: () => journal.bytes(),
  })
  const isUp = () => Number(limiter.connection.isUp)
  metrics.addGauge({
    name: 'gateway_tier_documents_version',
    help: 'Version of the tier documents that this process goes by.',
    read: () => tiers.snapshot?.version ?? 0,
  })
  metrics.addCounter({
    name: 'gateway_tier_documents_refused_total',
    help: 'Answers with tier documents that cannot hold; the last good ones went on.',
    read: () => tiers.refused,
  })
  metrics.addGauge({ name: 'gateway_limiter_up', help: '1 while Redis decides, 0 while the share does.', read: isUp })
}

/** The name in usage events tells processes of one gateway apart. */
function nameOf({ GATEWAY_ID, GATEWAY_PROCESSES }: StartOptions['config'], slot: number): string {
  const name = GATEWAY_ID === '' ? hostname() : GATEWAY_ID
  return GATEWAY_ID === '' || GATEWAY_PROCESSES > 1 ? `${name}-${slot}` : name
}

function ownersOf({ config, internalKeys }: StartOptions): Owners {
  const { IDENTITY_URL: identity, API_KEY_URL: apiKey, AUDIT_URL: audit, CONFIG_URL } = config
  return askOwners({ identity, 'api-key': apiKey, audit, config: CONFIG_URL }, internalKeys)
}

function createFramework(
  { config, logger, running }: StartOptions,
  throttleStore: ThrottleStore,
  tiers: TierDocuments,
  policy: BrowserPolicy,
) {
  return createApp({
    logger,
    throttleStore,
    throttles: throttlesOf(config),
    securityHeaders: policy.headersFor(undefined),
    connectionsMax: config.CLIENT_CONNECTIONS_MAX,
    bodyBytesMax: config.BODY_BYTES_MAX,
    isReady: () => tiers.snapshot !== undefined,
    reportTiers: () => reportTiers(tiers),
    isStopping: running.isStopping,
  })
}

function accessTokens(app: App, owners: Owners): AccessTokens {
  return new AccessTokens({
    verify: (token, options) => app.jwt.verify(token, options),
    askPublicKeys: () => owners.askPublicKeys(),
    nowMs: createSteadyClock(),
  })
}

/** New connections are refused, open requests may end; what is still open after the time is cut. */
async function closeWithin(app: App, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  await app.close()
  clearTimeout(timer)
}
