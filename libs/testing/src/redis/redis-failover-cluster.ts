import { join } from 'node:path'
import { isPortFree, takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { findRedisBinary } from '../../../../deploy/local/servers/redis-binary.ts'
import { LOOPBACK } from '../programs/place.ts'
import { waitUntil } from '../wait-until.ts'
import { queryRedis, type RedisNode, redisNode } from './redis-node.ts'

export type RedisFailoverCluster = {
  /** All nodes, in the format of `REDIS_URL`. */
  url: string
  /** A node that currently is a master, or a replica. */
  nodeWith: (role: 'master' | 'replica') => Promise<RedisNode>
  /** Waits until every slot has a master and every master a replica that is connected. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

const MASTERS = 3
const NODES = 2 * MASTERS
const SLOTS = 16_384
/** A node that does not respond for this long is marked as failed, and its replica takes over. */
const NODE_TIMEOUT_MS = 2_000
const WHOLE_WITHIN_MS = 60_000
const JOIN_WITHIN_MS = 30_000
/** Cluster nodes communicate on a port that is higher by this. */
const BUS_PORT_OFFSET = 10_000
/** Both ports are below the ephemeral range, where no other socket can take them while a node is down. */
const BUS_PORT_MAX = 32_000
const CACHE_DIR = join(import.meta.dirname, '../../../../.tapeline/cache')

/** A Redis Cluster of three masters with a replica each, in `dir`; nodes can be killed and started again. */
export async function startRedisFailoverCluster(dir: string): Promise<RedisFailoverCluster> {
  const { command } = await findRedisBinary(CACHE_DIR, () => undefined)
  const ports = await Promise.all(Array.from({ length: NODES }, freeBusPort))
  const nodes = ports.map((port, n) => {
    const name = `redis-${n + 1}`
    return redisNode({ name, place: LOOPBACK, port, command, dir: join(dir, name), lines: linesOf(port), words: [] })
  })
  await Promise.all(nodes.map((node) => node.start()))
  await joinNodes(nodes)
  const untilWhole = async () => void (await waitUntil('the cluster is whole', () => isWhole(nodes), WHOLE_WITHIN_MS))
  await untilWhole()
  return {
    url: nodes.map(({ address, port }) => `redis://${address}:${port}`).join(','),
    nodeWith: async (role) => waitUntil(`a node is a ${role}`, () => findNode(nodes, role), WHOLE_WITHIN_MS),
    untilWhole,
    stop: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
  }
}

function linesOf(port: number): string[] {
  return [
    `port ${port}`,
    `bind ${LOOPBACK.address}`,
    'cluster-enabled yes',
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync yes',
    'repl-diskless-sync-delay 0',
  ]
}

async function freeBusPort(): Promise<number> {
  for (;;) {
    const port = await takeFreePort()
    const busPort = port + BUS_PORT_OFFSET
    if (busPort < BUS_PORT_MAX && (await isPortFree(busPort))) return port
  }
}

/** Assigns the slots to the first nodes and makes each of the others a replica of one of them. */
async function joinNodes(nodes: RedisNode[]): Promise<void> {
  const [first] = nodes
  if (first === undefined) return
  const part = Math.ceil(SLOTS / MASTERS)
  for (const [n, node] of nodes.entries()) {
    const slots = Array.from(
      { length: Math.max(0, Math.min(part, SLOTS - n * part)) },
      (_none, slot) => n * part + slot,
    )
    if (slots.length > 0) await queryRedis(node, ['CLUSTER', 'ADDSLOTS', ...slots.map(String)], JOIN_WITHIN_MS)
    if (n > 0) await queryRedis(first, ['CLUSTER', 'MEET', node.address, String(node.port)], JOIN_WITHIN_MS)
  }
  const masters = nodes.slice(0, MASTERS)
  for (const [n, node] of nodes.slice(MASTERS).entries()) {
    const master = masters[n]
    if (master === undefined) continue
    const id = String(await queryRedis(master, ['CLUSTER', 'MYID'], JOIN_WITHIN_MS))
    await waitUntil('the replica has discovered its master', async () => (await viewOf(node)).includes(id))
    await queryRedis(node, ['CLUSTER', 'REPLICATE', id], JOIN_WITHIN_MS)
  }
}

/** `CLUSTER NODES`: per node its id, address, flags, and its master. */
async function viewOf(node: RedisNode): Promise<string> {
  return String(await queryRedis(node, ['CLUSTER', 'NODES']))
}

async function findNode(nodes: RedisNode[], role: 'master' | 'replica'): Promise<RedisNode | undefined> {
  for (const node of nodes) {
    // A node that is down has no role.
    const info = String(await queryRedis(node, ['INFO', 'replication']).catch(() => ''))
    if (info.includes(role === 'master' ? 'role:master' : 'role:slave')) return node
  }
  return undefined
}

async function isWhole(nodes: RedisNode[]): Promise<boolean> {
  const views = await Promise.all(nodes.map(isSeenWhole))
  return views.every(Boolean)
}

async function isSeenWhole(node: RedisNode): Promise<boolean> {
  const [view, state, replication] = await Promise.all([
    viewOf(node),
    queryRedis(node, ['CLUSTER', 'INFO']),
    queryRedis(node, ['INFO', 'replication']),
  ])
  const flags = view.split('\n').flatMap((line) => line.split(' ')[2] ?? [])
  const isLinked = String(replication).includes('role:master')
    ? /slave0:[^\r]*state=online/.test(String(replication))
    : String(replication).includes('master_link_status:up')
  return (
    String(state).includes('cluster_state:ok') &&
    flags.filter((flag) => /^(myself,)?master$/.test(flag)).length === MASTERS &&
    flags.filter((flag) => /^(myself,)?slave$/.test(flag)).length === NODES - MASTERS &&
    isLinked
  )
}
