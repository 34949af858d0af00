import { join } from 'node:path'
import { startRedisFailoverCluster } from '@tapeline/testing/redis/redis-failover-cluster'
import type { RedisNode } from '@tapeline/testing/redis/redis-node'
import { type RedisSentinels, startRedisSentinels } from '@tapeline/testing/redis/redis-sentinels'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'
import { findRedisBinary } from '../../../deploy/local/servers/redis-binary.ts'
import { startRedis } from '../../../deploy/local/servers/redis.ts'
import { cacheFolder } from '../../../deploy/local/folders.ts'
import type { Part, PartFinder } from './part.ts'

/** The Redis of a highly available installation. */
export type RedisServers = {
  /** In the format of `REDIS_URL`. */
  url: string
  /** For job queues, if that is another server. */
  jobsUrl?: string
  parts: PartFinder[]
  master: () => Promise<Part>
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

/** A master, two replicas and three Sentinels; one Sentinel is a part to kill, because the others are alike. */
export async function startSentinelServers(dir: string): Promise<RedisServers> {
  return sentinelServers(await startRedisSentinels(dir))
}

export function sentinelServers(redis: RedisSentinels): RedisServers {
  const master = async () => partOf(await redis.master(), 'Redis master')
  const replica = async () => {
    const current = await redis.master()
    const found = redis.servers.find((server) => server !== current)
    if (found === undefined) throw new Error('Redis has no replica')
    return partOf(found, 'Redis replica')
  }
  const sentinels = redis.sentinels.slice(0, 1).map((sentinel) => async () => partOf(sentinel, 'Sentinel'))
  const { url, untilWhole, stop } = redis
  return { url, parts: [master, replica, ...sentinels], master, untilWhole, stop }
}

/** A Redis Cluster of six nodes, and a separate server for job queues, which do not support a cluster. */
export async function startClusterServers(dir: string): Promise<RedisServers> {
  const cluster = await startRedisFailoverCluster(dir)
  const binary = await findRedisBinary(cacheFolder(), () => undefined)
  const jobs = await startRedis({ dir: join(dir, 'jobs'), port: await takeFreePort(), binary })
  const master = async () => partOf(await cluster.nodeWith('master'), 'Cluster master')
  const replica = async () => partOf(await cluster.nodeWith('replica'), 'Cluster replica')
  return {
    url: cluster.url,
    jobsUrl: jobs.url,
    parts: [master, replica],
    master,
    untilWhole: cluster.untilWhole,
    stop: async () => void (await Promise.all([cluster.stop(), jobs.stop()])),
  }
}

function partOf({ name, kill, start }: RedisNode, kind: Part['kind']): Part {
  return { name, kind, kill, restart: start }
}
