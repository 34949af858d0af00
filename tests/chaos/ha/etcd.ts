import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Child, runChild } from '../../../deploy/local/processes/run-child.ts'

export type EtcdNode = {
  name: string
  address: string
  port: number
  start: () => Promise<void>
  kill: () => Promise<void>
}
type EtcdOptions = {
  dir: string
  address: string
  number: number
  peers: { port: number; peerPort: number }[]
  program: string
}

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5_000
const ASK_TIMEOUT_MS = 1_000

/** One of several etcd members on this machine, which store Patroni's lease. */
export function etcdNode({ dir, address, number, peers, program }: EtcdOptions): EtcdNode {
  const name = `etcd-${number}`
  const { port = 0, peerPort = 0 } = peers[number - 1] ?? {}
  const data = join(dir, name)
  const at = (of: number) => `http://${address}:${of}`
  const words = {
    name,
    'data-dir': join(data, 'data'),
    'listen-client-urls': at(port),
    'advertise-client-urls': at(port),
    'listen-peer-urls': at(peerPort),
    'initial-advertise-peer-urls': at(peerPort),
    'initial-cluster': peers.map((peer, n) => `etcd-${n + 1}=${at(peer.peerPort)}`).join(','),
    'unsafe-no-fsync': 'true',
    'log-level': 'error',
  }
  let child: Child | undefined
  return {
    name,
    address,
    port,
    kill: async () => child?.kill(),
    async start() {
      mkdirSync(data, { recursive: true, mode: 0o700 })
      child = await runChild({
        name,
        command: program,
        args: Object.entries(words).map(([word, value]) => `--${word}=${value}`),
        dir: data,
        marker: data,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        output: { file: join(data, 'etcd.log') },
      })
      await waitUntil(`${name} is healthy`, () => isHealthy(at(port)), START_TIMEOUT_MS)
    },
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}
