import { type RedisSentinels, startRedisSentinels } from '@tapeline/testing/redis/redis-sentinels'
import { type HaPlatform, startHaPlatform } from '../ha-platform.ts'
import { sentinelServers } from '../redis-servers.ts'
import { type CutPlace, openNetwork } from './network.ts'

/** A platform whose PostgreSQL and Redis servers can be cut off. */
export type SplitPlatform = HaPlatform & {
  sentinels: RedisSentinels
  postgresPlaces: CutPlace[]
  redisPlaces: CutPlace[]
}
/** A setting that prevents a split brain, left out to show that the checks fail without it. */
export const SABOTAGES = ['asynchronous-standby', 'replicas-not-required'] as const
export type Sabotage = (typeof SABOTAGES)[number]

/**
 * Each PostgreSQL and each Redis server in its own network namespace, and with the first Redis master a Sentinel. All
 * other servers and processes are on the other side of the bridge.
 */
export async function startSplitPlatform(log: (line: string) => void, sabotage?: Sabotage): Promise<SplitPlatform> {
  const network = openNetwork()
  try {
    const postgresPlaces = ['postgres-1', 'postgres-2'].map(network.add)
    const redisPlaces = ['redis-1', 'redis-2', 'redis-3'].map(network.add)
    const [withMaster = network.host] = redisPlaces
    const started = Promise.withResolvers<RedisSentinels>()
    const ha = await startHaPlatform(log, {
      postgres: {
        places: postgresPlaces,
        etcdAddress: network.host.address,
        isSynchronous: sabotage !== 'asynchronous-standby',
      },
      async startRedis(dir) {
        const redis = await startRedisSentinels(dir, {
          servers: redisPlaces,
          sentinels: [withMaster, network.host, network.host],
          areReplicasRequired: sabotage !== 'replicas-not-required',
        })
        started.resolve(redis)
        return sentinelServers(redis)
      },
    })
    const stop = async (): Promise<void> => {
      await ha.stop()
      network.remove()
    }
    return { ...ha, sentinels: await started.promise, postgresPlaces, redisPlaces, stop }
  } catch (error) {
    network.remove()
    throw error
  }
}
