import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectRedis, isCluster, redisReady } from '@tapeline/service/redis'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { type Child, runChild } from '../../../../deploy/local/processes/run-child.ts'
import { answersPing } from '../../../../deploy/local/servers/redis.ts'
import { findRedisBinary } from '../../../../deploy/local/servers/redis-binary.ts'
import { silentLogger } from '../silent-logger.ts'
import { waitUntil } from '../wait-until.ts'

/** A server or Sentinel that can be killed and started again on its port and files. */
export type RedisNode = {
  name: string
  port: number
  pid: () => number
  kill: () => Promise<void>
  start: () => Promise<void>
}
export type RedisSentinels = {
  /** Address in the format of `REDIS_URL`. */
  url: string
  servers: RedisNode[]
  sentinels: RedisNode[]
  /** The master according to most Sentinels. */
  master: () => Promise<RedisNode>
  /** Waits until all servers are connected and every Sentinel has discovered them. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

const HOST = '127.0.0.1'
const MASTER = 'tapeline'
const COUNT = 3
const QUORUM = 2
const DOWN_AFTER_MS = 1_000
const FAILOVER_TIMEOUT_MS = 5_000
/** A master rejects writes if no replica has acknowledged for this long, which bounds a split brain. */
const REPLICA_LAG_MAX_S = 2
const COMMAND_TIMEOUT_MS = 2_000
const START_TIMEOUT_MS = 30_000
const WHOLE_WITHIN_MS = 60_000
const CACHE_DIR = join(import.meta.dirname, '../../../../.tapeline/cache')

/** A master, two replicas and three Sentinels in `dir`. */
export async function startRedisSentinels(dir: string): Promise<RedisSentinels> {
  const { command } = await findRedisBinary(CACHE_DIR, () => undefined)
  const ports = await Promise.all(Array.from({ length: 2 * COUNT }, takeFreePort))
  const [first = 0] = ports
  const make = (port: number, n: number): RedisNode => {
    const isServer = n < COUNT
    const name = isServer ? `redis-${n + 1}` : `sentinel-${n - COUNT + 1}`
    const lines = isServer ? serverLines(port, port === first ? undefined : first) : sentinelLines(port, first)
    return makeNode({ name, port, command, dir: join(dir, name), lines, words: isServer ? [] : ['--sentinel'] })
  }
  const nodes = ports.map(make)
  const [servers, sentinels] = [nodes.slice(0, COUNT), nodes.slice(COUNT)]
  for (const node of nodes) await node.start()
  const started: RedisSentinels = {
    url: `redis+sentinel://${sentinels.map(({ port }) => `${HOST}:${port}`).join(',')}/${MASTER}`,
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

function serverLines(port: number, masterPort: number | undefined): string[] {
  return [
    `port ${port}`,
    `bind ${HOST}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync yes',
    'repl-diskless-sync-delay 0',
    'min-replicas-to-write 1',
    `min-replicas-max-lag ${REPLICA_LAG_MAX_S}`,
    ...(masterPort === undefined ? [] : [`replicaof ${HOST} ${masterPort}`]),
  ]
}

function sentinelLines(port: number, masterPort: number): string[] {
  return [
    `port ${port}`,
    `bind ${HOST}`,
    `sentinel monitor ${MASTER} ${HOST} ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
  ]
}

type NodeOptions = { name: string; port: number; command: string; dir: string; lines: string[]; words: string[] }

/** Redis and Sentinel rewrite their configuration file. */
function makeNode({ name, port, command, dir, lines, words }: NodeOptions): RedisNode {
  const file = join(dir, `${name}.conf`)
  let child: Child | undefined
  return {
    name,
    port,
    pid: () => child?.pid ?? 0,
    kill: async () => child?.kill(),
    async start() {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      if (!existsSync(file)) writeFileSync(file, [...lines, `dir ${dir}`, ''].join('\n'))
      child = await runChild({
        name,
        command,
        args: [file, ...words],
        dir,
        marker: file,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: START_TIMEOUT_MS,
        output: { file: join(dir, `${name}.log`) },
      })
      await waitUntil(`${name} answers`, () => answersPing(HOST, port), START_TIMEOUT_MS)
    },
  }
}

async function masterOf(servers: RedisNode[], sentinels: RedisNode[]): Promise<RedisNode> {
  const named = await Promise.allSettled(
    sentinels.map(({ port }) => queryRedis(port, ['SENTINEL', 'get-master-addr-by-name', MASTER])),
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
  const { port } = await masterOf(servers, sentinels)
  const info = String(await queryRedis(port, ['INFO', 'replication']))
  const linked = [...info.matchAll(/slave\d+:[^\r]*state=online/g)].length
  const views = await Promise.all(
    sentinels.map(async (sentinel) => {
      const fields = await queryRedis(sentinel.port, ['SENTINEL', 'master', MASTER])
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

/** Sends one command to the server or Sentinel at this port, on a separate connection. */
export async function queryRedis(port: number, [name = '', ...words]: readonly string[]): Promise<unknown> {
  const redis = connectRedis({
    url: `redis://${HOST}:${port}`,
    logger: silentLogger,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  })
  try {
    await redisReady(redis, COMMAND_TIMEOUT_MS)
    if (isCluster(redis)) throw new Error('one server is not a cluster')
    return await redis.call(name, ...words)
  } finally {
    redis.disconnect()
  }
}
