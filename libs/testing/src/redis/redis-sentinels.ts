import { join } from 'node:path'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { findRedisBinary } from '../../../../deploy/local/servers/redis-binary.ts'
import { LOOPBACK, type Place } from '../programs/place.ts'
import { waitUntil } from '../wait-until.ts'
import { queryRedis, type Listening, type RedisNode, redisNode } from './redis-node.ts'

export type RedisSentinels = {
  /** In the format of `REDIS_URL`. */
  url: string
  servers: RedisNode[]
  sentinels: RedisNode[]
  /** The master according to most Sentinels. */
  master: () => Promise<RedisNode>
  /** Waits until all servers are connected and every Sentinel has discovered them. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

/** Places of the master, its two replicas and the Sentinels, in this order; all on the loopback interface by default. */
export type SentinelsOptions = {
  servers?: readonly Place[]
  sentinels?: readonly Place[]
  /** Whether a master without an acknowledging replica rejects writes; true by default. */
  areReplicasRequired?: boolean
}

const MASTER = 'tapeline'
const COUNT = 3
const QUORUM = 2
const DOWN_AFTER_MS = 1_000
const FAILOVER_TIMEOUT_MS = 5_000
/** A master rejects writes if no replica has acknowledged for this long, which bounds a split brain. */
export const REPLICA_LAG_MAX_S = 2
const WHOLE_WITHIN_MS = 60_000
const CACHE_DIR = join(import.meta.dirname, '../../../../.tapeline/cache')

/** A master, two replicas and three Sentinels in `dir`. */
export async function startRedisSentinels(dir: string, options: SentinelsOptions = {}): Promise<RedisSentinels> {
  const { command } = await findRedisBinary(CACHE_DIR, () => undefined)
  const ports = await Promise.all(Array.from({ length: 2 * COUNT }, takeFreePort))
  const places = { servers: options.servers ?? [], sentinels: options.sentinels ?? [] }
  const first: Listening = { place: places.servers[0] ?? LOOPBACK, port: ports[0] ?? 0 }
  const make = (port: number, n: number): RedisNode => {
    const isServer = n < COUNT
    const name = isServer ? `redis-${n + 1}` : `sentinel-${n - COUNT + 1}`
    const place = (isServer ? places.servers[n] : places.sentinels[n - COUNT]) ?? LOOPBACK
    const at: Listening = { place, port }
    const lines = isServer
      ? serverLines(at, n === 0 ? undefined : first, options.areReplicasRequired ?? true)
      : sentinelLines(at, first)
    return redisNode({ name, ...at, command, dir: join(dir, name), lines, words: isServer ? [] : ['--sentinel'] })
  }
  const nodes = ports.map(make)
  const [servers, sentinels] = [nodes.slice(0, COUNT), nodes.slice(COUNT)]
  for (const node of nodes) await node.start()
  const started: RedisSentinels = {
    url: `redis+sentinel://${sentinels.map(({ address, port }) => `${address}:${port}`).join(',')}/${MASTER}`,
    servers,
    sentinels,
    master: () => masterOf(servers, sentinels),
    untilWhole: async () =>
      void (await waitUntil('the Sentinels see every server', () => isWhole(servers, sentinels), WHOLE_WITHIN_MS)),
    stop: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
  }
  await started.untilWhole()
  return started
}

function serverLines(
  { place, port }: Listening,
  master: Listening | undefined,
  areReplicasRequired: boolean,
): string[] {
  return [
    `port ${port}`,
    `bind ${place.address}`,
    'protected-mode no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync yes',
    'repl-diskless-sync-delay 0',
    ...(areReplicasRequired ? ['min-replicas-to-write 1', `min-replicas-max-lag ${REPLICA_LAG_MAX_S}`] : []),
    ...(master === undefined ? [] : [`replicaof ${master.place.address} ${master.port}`]),
  ]
}

function sentinelLines({ place, port }: Listening, master: Listening): string[] {
  return [
    `port ${port}`,
    `bind ${place.address}`,
    `sentinel monitor ${MASTER} ${master.place.address} ${master.port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
  ]
}

async function masterOf(servers: RedisNode[], sentinels: RedisNode[]): Promise<RedisNode> {
  const named = await Promise.allSettled(
    sentinels.map((one) => queryRedis(one, ['SENTINEL', 'get-master-addr-by-name', MASTER])),
  )
  const ports = named.flatMap((one) =>
    one.status === 'fulfilled' && Array.isArray(one.value) ? [Number(one.value[1])] : [],
  )
  const most = ports.toSorted((one, other) => count(ports, other) - count(ports, one))[0]
  const master = servers.find(({ port }) => port === most)
  if (master === undefined) throw new Error('no Sentinel names a master')
  return master
}

function count(ports: number[], port: number): number {
  return ports.filter((one) => one === port).length
}

async function isWhole(servers: RedisNode[], sentinels: RedisNode[]): Promise<boolean> {
  const info = String(await queryRedis(await masterOf(servers, sentinels), ['INFO', 'replication']))
  const linked = [...info.matchAll(/slave\d+:[^\r]*state=online/g)].length
  const views = await Promise.all(
    sentinels.map(async (sentinel) => {
      const fields = await queryRedis(sentinel, ['SENTINEL', 'master', MASTER])
      const valueOf = (name: string) => (Array.isArray(fields) ? fields[fields.indexOf(name) + 1] : undefined)
      return (
        Number(valueOf('num-slaves')) >= COUNT - 1 &&
        Number(valueOf('num-other-sentinels')) === COUNT - 1 &&
        valueOf('flags') === 'master'
      )
    }),
  )
  return info.includes('role:master') && linked === COUNT - 1 && views.every(Boolean)
}
