import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisServer } from './redis-server.ts'
import { waitUntil } from '../wait-until.ts'

export type RedisCluster = {
  /** All nodes, in the format of `REDIS_URL`. */
  url: string
  nodes: RedisServer[]
  /** The node that currently serves the key. */
  nodeOf: (key: string) => Promise<RedisServer>
  /** Moves the key's slot, with every key in it, to another node. */
  moveSlot: (key: string, to: RedisServer) => Promise<void>
  untilOk: () => Promise<void>
  stop: () => Promise<void>
}

const NODES = 3
const SLOTS = 16_384
/** A node that does not respond for this long is marked as failed. */
const NODE_TIMEOUT_MS = 2_000
const OK_TIMEOUT_MS = 60_000
const KEYS_MAX = 1_000
const MIGRATE_TIMEOUT_MS = 5_000

/** Starts three real Redis servers as a cluster, for one test file. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const options = { 'cluster-enabled': 'yes', 'cluster-node-timeout': NODE_TIMEOUT_MS }
  const dir = mkdtempSync(join(tmpdir(), 'redis-cluster-'))
  const nodes = await Promise.all(
    Array.from({ length: NODES }, (_none, n) => RedisServer.start(join(dir, `${n}`), options)),
  )
  await introduce(nodes)
  await untilOk(nodes)
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    nodeOf: async (key) => ownerOf(nodes, await slotOf(nodes, key)),
    moveSlot: async (key, to) => moveSlot(nodes, await slotOf(nodes, key), to),
    untilOk: () => untilOk(nodes),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Assigns the slots and joins the nodes. */
async function introduce(nodes: RedisServer[]): Promise<void> {
  const part = Math.ceil(SLOTS / nodes.length)
  for (const [n, node] of nodes.entries()) {
    const slots = Array.from({ length: Math.min(part, SLOTS - n * part) }, (_none, slot) => n * part + slot)
    await node.runCommand('CLUSTER', 'ADDSLOTS', ...slots)
    if (n > 0) await nodes[0]?.runCommand('CLUSTER', 'MEET', '127.0.0.1', node.port)
  }
}

async function untilOk(nodes: RedisServer[]): Promise<void> {
  for (const node of nodes) {
    await waitUntil(
      'the cluster is whole',
      async () => {
        const state = String(await node.runCommand('CLUSTER', 'INFO'))
        return state.includes('cluster_state:ok') && state.includes(`cluster_size:${nodes.length}`)
      },
      OK_TIMEOUT_MS,
    )
  }
}

async function slotOf([first]: RedisServer[], key: string): Promise<number> {
  return Number(await first?.runCommand('CLUSTER', 'KEYSLOT', key))
}

async function ownerOf(nodes: RedisServer[], slot: number): Promise<RedisServer> {
  const ranges = await nodes[0]?.runCommand('CLUSTER', 'SLOTS')
  if (!Array.isArray(ranges)) throw new Error('no slots')
  const found: unknown = ranges.find(([from, to]) => from <= slot && slot <= to)
  const port: unknown = Array.isArray(found) ? found[2]?.[1] : undefined
  const node = nodes.find((one) => one.port === port)
  if (node === undefined) throw new Error(`no node serves the slot ${slot}`)
  return node
}

async function moveSlot(nodes: RedisServer[], slot: number, to: RedisServer): Promise<void> {
  const from = await ownerOf(nodes, slot)
  await to.runCommand('CLUSTER', 'SETSLOT', slot, 'IMPORTING', await idOf(from))
  await from.runCommand('CLUSTER', 'SETSLOT', slot, 'MIGRATING', await idOf(to))
  const keys = await from.runCommand('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_MAX)
  if (!Array.isArray(keys)) throw new Error('no keys')
  if (keys.length > 0) {
    await from.runCommand('MIGRATE', '127.0.0.1', to.port, '', 0, MIGRATE_TIMEOUT_MS, 'KEYS', ...keys.map(String))
  }
  const id = await idOf(to)
  for (const node of [to, from, ...nodes]) await node.runCommand('CLUSTER', 'SETSLOT', slot, 'NODE', id)
}

async function idOf(node: RedisServer): Promise<string> {
  return String(await node.runCommand('CLUSTER', 'MYID'))
}
