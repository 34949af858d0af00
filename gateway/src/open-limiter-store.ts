import { clusterNodesOf } from '@tapeline/service/redis'
import type { Logger } from '@tapeline/service/logger'
import { ClusterStore } from './cluster-store.ts'
import type { LimiterStore } from './limiter-store.ts'
import { RedisWire } from './redis-wire.ts'

export function openLimiterStore(url: string, logger: Logger): LimiterStore {
  return clusterNodesOf(url) === undefined ? new RedisWire({ url, logger }) : new ClusterStore(url, logger)
}
