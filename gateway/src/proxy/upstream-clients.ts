import type { ServiceName } from '@tapeline/contracts/actor'
import type { GatewayMetrics } from '../operations/gateway-metrics.ts'
import type { Process } from '@tapeline/service/process/run-process'
import type { Config } from '../config.ts'
import { UpstreamHealth } from './upstream-health.ts'
import { UpstreamPool } from './upstream-pool.ts'

/** The connections to one service, and its breaker. Streams have connections of their own: each keeps one while it is open. */
export type UpstreamClient = { pool: UpstreamPool; streams: UpstreamPool; health: UpstreamHealth }

export type UpstreamClientsOptions = { config: Config; running: Pick<Process, 'onStop'> }

const KEEP_ALIVE_MS = 60_000
const CONNECT_TIMEOUT_MS = 1_000

/** Kept-alive connections to each service; services keep theirs longer, so that the gateway closes first. */
export function openUpstreamClients(
  { config, running }: UpstreamClientsOptions,
  metrics: GatewayMetrics,
): ReadonlyMap<ServiceName, UpstreamClient> {
  const urls: [ServiceName, string][] = [
    ['identity', config.IDENTITY_URL],
    ['api-key', config.API_KEY_URL],
    ['audit', config.AUDIT_URL],
    ['config', config.CONFIG_URL],
    ['market-data', config.MARKET_DATA_URL],
  ]
  const options = {
    connections: config.UPSTREAM_CONNECTIONS_MAX,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    keepAliveMs: KEEP_ALIVE_MS,
  }
  const clients = new Map(
    urls.map(([service, url]) => {
      const streams = new UpstreamPool({ url, ...options, connections: config.STREAMS_MAX })
      return [service, { pool: new UpstreamPool({ url, ...options }), streams, health: new UpstreamHealth() }]
    }),
  )
  const pools = [...clients.values()].flatMap(({ pool, streams }) => [pool, streams])
  running.onStop('upstreams', () => {
    for (const pool of pools) pool.destroy()
  })
  for (const [service, { health }] of clients) measure(metrics, service, health)
  return clients
}

/** The connections of live streams, and the breaker of their own: REST calls continue when streams fail. */
export function openStreamClient(
  { config, running }: UpstreamClientsOptions,
  metrics: GatewayMetrics,
): Pick<UpstreamClient, 'pool' | 'health'> {
  const url = config.STREAM_URL === '' ? config.MARKET_DATA_URL : config.STREAM_URL
  const connections = config.LIVE_STREAMS_MAX
  const pool = new UpstreamPool({ url, connections, connectTimeoutMs: CONNECT_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS })
  running.onStop('upstream of live streams', () => pool.destroy())
  const health = new UpstreamHealth()
  measure(metrics, 'live streams', health)
  return { pool, health }
}

function measure(metrics: GatewayMetrics, service: ServiceName | 'live streams', health: UpstreamHealth): void {
  const labels = `{service="${service}"}`
  metrics.addGauge({
    name: 'gateway_upstream_open',
    labels,
    help: '1 while the circuit breaker of the service is open.',
    read: () => Number(health.breaker.isOpen),
  })
  metrics.addCounter({
    name: 'gateway_upstream_breaker_rejected_total',
    labels,
    help: 'Requests rejected by the open circuit breaker.',
    read: () => health.breakerRejected,
  })
  metrics.addCounter({
    name: 'gateway_upstream_retries_total',
    labels,
    help: 'Requests sent a second time.',
    read: () => health.retried,
  })
}
