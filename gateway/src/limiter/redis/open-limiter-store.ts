import type { Logger } from '@tapeline/service/logger'
import { clusterNodesOf } from '@tapeline/service/redis-nodes'
import type { LimiterStore } from './limiter-store.ts'
import { RedisConnection } from './redis-connection.ts'

export async function openLimiterStore(url: string, logger: Logger): Promise<LimiterStore> {
  if (clusterNodesOf(url) === undefined) return new RedisConnection({ url, logger })
  // Loaded only for a cluster, because it imports a whole client.
  const { ClusterStore } = await import('./cluster-store.ts')
  return new ClusterStore(url, logger)
}
