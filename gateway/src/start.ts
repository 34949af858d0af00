import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { routeEvents } from '@tapeline/events/route-events'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Logger } from '@tapeline/service/logger'
import { closeWithin } from '@tapeline/service/process/close-within'
import type { Process } from '@tapeline/service/process/run-process'
import { createSteadyClock } from '@tapeline/service/steady-clock'
import { AccountCache } from './account-cache/account-cache.ts'
import type { AdmissionDeps } from './auth/admission.ts'
import { type App, createApp } from './http/app.ts'
import { type BrowserPolicy, createBrowserPolicy } from './http/browser-policy.ts'
import { clientAddressBy } from './http/client-address.ts'
import type { Config } from './config.ts'
import { type ConnectedLimiter, connectLimiter } from './limiter/connect-limiter.ts'
import type { Spans } from './operations/export-spans.ts'
import { FailureBucket } from './auth/failure-bucket.ts'
import { GatewayMetrics, measureProcess } from './operations/gateway-metrics.ts'
import { claimJournalSlots } from './usage/journal-slot.ts'
import { listenForOperators } from './operations/listen-for-operators.ts'
import { createMatch } from './routing/match-route.ts'
import { McpRelay } from './mcp/mcp-relay.ts'
import { RelayedAddresses } from './mcp/relayed-address.ts'
import { openJournal } from './usage/open-journal.ts'
import { Overload } from './operations/overload.ts'
import { StreamTickets } from './auth/stream-tickets.ts'
import { AccessTokens } from './auth/access-tokens.ts'
import { createRecordClients, type RecordClients } from './account-cache/record-clients.ts'
import { RequestPipeline } from './http/request-pipeline.ts'
import type { ResponseDeps } from './http/response-deps.ts'
import { addOpenRoutes } from './http/open-routes.ts'
import { connectServing } from './http/connect-serving.ts'
import { StreamGuard } from './http/stream-guard.ts'
import { subscriptionsOf } from './account-cache/subscriptions.ts'
import { throttlesOf } from './http/throttles.ts'
import { createTierDocuments, reportTiers, type TierDocuments } from './account-cache/tier-documents.ts'
import { routeTable } from './routing/route-table.ts'
import { usageLines } from './usage/usage-event.ts'
import { streamLines } from './usage/stream-event.ts'
import { StreamUsage } from './stream/stream-usage.ts'
import type { UsageJournal } from './usage/usage-journal.ts'
import { answerReports } from './operations/worker-report.ts'

export type StartOptions = {
  config: Config
  logger: Logger
  internalKeys: InternalKeys
  running: Pick<Process, 'onStop' | 'isStopping'>
}
/** What several stages share; each stage gets its part of it. */
type Parts = {
  options: StartOptions
  accounts: AccountCache
  tiers: TierDocuments
  limits: ConnectedLimiter
  journal: UsageJournal
  metrics: GatewayMetrics
  spans: Spans | undefined
  /** Name of this process in usage events. */
  name: string
}

/** Connects everything and listens; what was started is stopped in reverse order. */
export async function startGateway(options: StartOptions): Promise<{ port: number }> {
  const { config, logger, running } = options
  const { onStop } = running
  const slots = claimJournalSlots(config.JOURNAL_DIR)
  onStop('journal folder', () => slots.release())
  const epoch = { current: 0 }
  const clients = recordClients(options)
  const tiers = createTierDocuments({
    file: join(slots.own, 'tiers.json'),
    fetchSnapshot: (cached) => clients.fetchTiers(cached),
    logger,
  })
  onStop('tier documents', () => tiers.stop())
  const accounts = new AccountCache({ clients, tiers, epoch })
  const changes = routeEvents(subscriptionsOf(accounts, tiers), config.KAFKA_TOPIC_PREFIX)
  const onReceiving = () => void tiers.reload()
  const { journal, worker } = openJournal(options, slots, { ...changes, onReceiving })
  const limits = await connectLimiter({ config, logger, running, epoch, fetchSeed: clients.fetchSeed })
  const metrics = new GatewayMetrics()
  const [name, spans] = [nameOf(config, slots.slot), await openSpans(options)]
  const app = await openApp({ options, accounts, tiers, limits, journal, metrics, spans, name }, clients)
  await app.listen({ host: config.HOST, port: config.PORT })
  // The journal takes events without it; loading the worker's modules must not delay the first requests on the same core.
  worker.start()
  return { port: portOf(app, config.PORT) }
}

/** The server with all its stages, open once the tier documents and Redis are loaded, or their first attempt has failed. */
async function openApp(parts: Parts, clients: RecordClients): Promise<App> {
  const { config, logger, running } = parts.options
  const { tiers, limits, journal, metrics, spans } = parts
  const { onStop, isStopping } = running
  const policy = createBrowserPolicy(config.CORS_ORIGINS, config.HSTS_MAX_AGE_S)
  const throttles = throttlesOf(config)
  const match = createMatch(routeTable)
  const { app, open } = await createApp({
    logger,
    throttleStore: limits.throttleStore,
    securityHeaders: policy.headersFor(undefined),
    connectionsMax: config.CLIENT_CONNECTIONS_MAX,
    bodyBytesMax: config.BODY_BYTES_MAX,
    isStream: (path) => match(path)?.isStream === true,
  })
  const failures = new FailureBucket(limits.throttleStore, throttles.failure)
  const auth = {
    accounts: parts.accounts,
    tokens: accessTokens(app, clients),
    failures,
    metrics,
    logger,
    now: Date.now,
  }
  const admission = admissionDeps(parts)
  const streams = new StreamGuard({ auth, admission, max: config.STREAMS_MAX })
  parts.accounts.onInvalidated = (what) => streams.recheck(what)
  const tickets = new StreamTickets({ ...auth, store: limits.oneTime })
  const overload = new Overload({ inFlightMax: config.IN_FLIGHT_MAX, loopDelayMaxMs: config.LOOP_DELAY_MAX_MS })
  onStop('overload', () => overload.stop())
  const usage = new StreamUsage({ journal, line: streamLines(parts.name), now: Date.now })
  const { mcp, clientAddress } = openMcp(parts.options, app)
  const ofStreams = { streams, slots: limits.slots, tickets, usage }
  const { serving, live } = connectServing({ ...parts.options, ...ofStreams, mcp, metrics, policy })
  const probes = { isReady: () => tiers.snapshot !== undefined, isStopping, reportTiers: () => reportTiers(tiers) }
  const { site } = policy
  addOpenRoutes(app, {
    serving,
    throttles,
    spans,
    probes,
    site,
    securityContact: config.SECURITY_CONTACT,
    now: Date.now,
  })
  overload.measure(metrics)
  measure(parts)
  await Promise.all([tiers.start(), limits.untilReady()])
  const context = { clientAddress, response: { ...responseDeps(parts, policy), overload } }
  await open(new RequestPipeline({ context, auth, admission, overload, journal, serving, match, tickets }))
  reportToOperators(parts)
  onStop('http', () => closeWithin(app, config.DRAIN_TIMEOUT_MS), config.DRAIN_TIMEOUT_MS)
  onStop('streams', () => streams.stop())
  onStop('live streams', () => live.stop())
  return app
}

/** The MCP server, and the addresses of the callers for whom its tools call this gateway. */
function openMcp({ config, logger, internalKeys, running }: StartOptions, app: App) {
  const addresses = new RelayedAddresses(internalKeys, Date.now)
  const mcp = new McpRelay({ addresses, baseUrl: () => ownAddress(app, config), logger })
  running.onStop('mcp', () => mcp.stop())
  const direct = clientAddressBy(config.TRUST_PROXY)
  return { mcp, clientAddress: (request: IncomingMessage) => addresses.read(request) ?? direct(request) }
}

function admissionDeps({ options, accounts, limits, metrics }: Parts): AdmissionDeps {
  const { limiter, maintenance, leases } = limits
  return { accounts, limiter, maintenance, leases, metrics, logger: options.logger, now: Date.now }
}

function responseDeps(
  { options, limits, journal, metrics, spans, name }: Parts,
  policy: BrowserPolicy,
): Omit<ResponseDeps, 'overload'> {
  const { isStopping } = options.running
  return { policy, metrics, spans, leases: limits.leases, journal, usageLine: usageLines(name), isStopping }
}

/** Loaded only where a collector is configured. */
async function openSpans({ config, logger, running }: StartOptions): Promise<Spans | undefined> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return undefined
  const { exportSpans } = await import('./operations/export-spans.ts')
  const spans = exportSpans(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.GATEWAY_ID, logger)
  running.onStop('spans', () => spans.stop())
  return spans
}

/** URL at which the MCP tools reach this gateway. */
function ownAddress(app: App, { HOST, PORT }: Config): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${portOf(app, PORT)}`
}

function portOf(app: App, configured: number): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : configured
}

/** On the operators' port, and to the supervisor; stopped last, so that a draining process reports that it is. */
function reportToOperators({ options, tiers, metrics }: Parts): void {
  const { config, running } = options
  const report = () => ({
    pid: process.pid,
    isReady: tiers.snapshot !== undefined && !running.isStopping(),
    tiers: reportTiers(tiers),
    metrics: metrics.render(),
  })
  listenForOperators({ config, running, report: async () => [report()] })
  answerReports(report)
}

function measure({ options, metrics, journal, tiers, limits }: Parts): void {
  measureProcess(metrics)
  metrics.addGauge({
    name: 'gateway_journal_bytes',
    help: 'Bytes of usage events not yet acknowledged by Kafka.',
    read: () => journal.bytes(),
  })
  metrics.addGauge({
    name: 'gateway_journal_bytes_max',
    help: 'JOURNAL_BYTES_MAX: with this many bytes, counted requests get a 503.',
    read: () => options.config.JOURNAL_BYTES_MAX,
  })
  metrics.addGauge({
    name: 'gateway_tier_documents_version',
    help: 'Version of the tier documents in use.',
    read: () => tiers.snapshot?.version ?? 0,
  })
  metrics.addCounter({
    name: 'gateway_tier_documents_refused_total',
    help: 'Rejected tier documents; the last valid ones stay in use.',
    read: () => tiers.refused,
  })
  metrics.addGauge({
    name: 'gateway_limiter_up',
    help: '1 while Redis decides, 0 while the fallback limiter does.',
    read: () => Number(limits.limiter.connection.isUp),
  })
}

/** The name in usage events distinguishes processes of one gateway. */
function nameOf({ GATEWAY_ID, GATEWAY_PROCESSES }: Config, slot: number): string {
  return GATEWAY_ID === '' || GATEWAY_PROCESSES > 1 ? `${GATEWAY_ID || hostname()}-${slot}` : GATEWAY_ID
}

function recordClients({ config, internalKeys }: StartOptions): RecordClients {
  const { IDENTITY_URL: identity, API_KEY_URL: apiKey, AUDIT_URL: audit, CONFIG_URL } = config
  return createRecordClients({ identity, 'api-key': apiKey, audit, config: CONFIG_URL }, internalKeys)
}

function accessTokens(app: App, clients: RecordClients): AccessTokens {
  return new AccessTokens({
    verify: (token, options) => app.jwt.verify(token, options),
    fetchPublicKeys: () => clients.fetchPublicKeys(),
    nowMs: createSteadyClock(),
  })
}
