import type { ServiceName } from '@tapeline/contracts/actor'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { StartOptions } from './start-options.ts'
import { UpstreamHealth } from './upstream-health.ts'
import { UpstreamPool } from './upstream-pool.ts'

/**
 * The way to one service: its connections, and whether it is worth using them. Streams have connections of their own:
 * each keeps one for as long as it is open.
 */
export type ServiceLink = { pool: UpstreamPool; streams: UpstreamPool; health: UpstreamHealth }

const KEEP_ALIVE_MS = 60_000
const CONNECT_TIMEOUT_MS = 1_000

/** Kept-alive connections to each service; services keep theirs longer, so that the gateway closes first. */
export function openLinks(
  { config, running }: StartOptions,
  metrics: GatewayMetrics,
): ReadonlyMap<ServiceName, ServiceLink> {
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
  const links = new Map(
    urls.map(([service, url]) => {
      const streams = new UpstreamPool({ url, ...options, connections: config.STREAMS_MAX })
      return [service, { pool: new UpstreamPool({ url, ...options }), streams, health: new UpstreamHealth() }]
    }),
  )
  const pools = [...links.values()].flatMap(({ pool, streams }) => [pool, streams])
  running.onStop('upstreams', () => {
    for (const pool of pools) pool.destroy()
  })
  for (const [service, { health }] of links) measure(metrics, service, health)
  return links
}

function measure(metrics: GatewayMetrics, service: ServiceName, health: UpstreamHealth): void {
  const labels = `{service="${service}"}`
  metrics.addGauge({
    name: 'gateway_upstream_open',
    labels,
    help: '1 while the breaker keeps calls from a service that does not answer.',
    read: () => Number(health.breaker.isOpen),
  })
  metrics.addCounter({
    name: 'gateway_upstream_spared_total',
    labels,
    help: 'Calls the breaker kept back.',
    read: () => health.spared,
  })
  metrics.addCounter({
    name: 'gateway_upstream_retries_total',
    labels,
    help: 'Calls sent once more.',
    read: () => health.retried,
  })
}
