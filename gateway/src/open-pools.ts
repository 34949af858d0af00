import type { ServiceName } from '@tapeline/contracts/actor'
import { Pool } from 'undici'
import type { StartOptions } from './start-options.ts'

const KEEP_ALIVE_MS = 60_000
const CONNECT_TIMEOUT_MS = 1_000

/** Kept-alive connections to each service; services keep theirs longer, so that the gateway closes first. */
export function openPools({ config, running }: StartOptions): ReadonlyMap<ServiceName, Pool> {
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
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  }
  const pools = new Map(urls.map(([service, url]) => [service, new Pool(url, options)]))
  running.onStop('upstreams', () => Promise.all([...pools.values()].map((pool) => pool.destroy())))
  return pools
}
