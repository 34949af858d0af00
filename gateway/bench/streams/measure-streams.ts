import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { waitUntil } from '@tapeline/testing/wait-until'
import { addAccount } from '../../test/account.fixture.ts'
import { startEdge } from '../../test/gateway.fixture.ts'
import { startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { startStreamService } from '../../test/stream-service.fixture.ts'
import type { IdleFigures, OpenIdle } from './idle-clients.ts'

// Second part of npm run bench:stream: memory and processor time of the gateway per idle live stream, in front of a plain
// `ws` server that sends heartbeats. It requests more streams than LIVE_STREAMS_MAX: the others must get a 503.

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '10000' },
    max: { type: 'string', default: '8000' },
    out: { type: 'string', default: 'docs/benchmarks/stream-gateway.json' },
  },
})
const WARM = 200
const HEARTBEATS = 3
const HEARTBEAT_EVERY_MS = 10_000
/** Clock tick of /proc/<pid>/stat. */
const TICK_MS = 10
const KB = 1_024
const MICROS = 1_000
const ARRIVES_WITHIN_MS = 60_000
const NO_LIMIT = 1_000_000
const [requested, max] = [Number(values.idle), Number(values.max)]
const heartbeat = JSON.stringify({ type: 'heartbeat', ts: new Date().toISOString(), cursors: { a: 'x'.repeat(300) } })

const edge = await startEdge()
const service = await startStreamService()
const environment = {
  MARKET_DATA_URL: service.url,
  LIVE_STREAMS_MAX: String(max),
  KAFKA_TOPIC_PREFIX: 'bench-streams-',
}
const gateway = await startGatewayProcess(edge, environment)
const clients = fork(join(import.meta.dirname, 'idle-clients.ts'))
try {
  const { apiKey } = addAccount(edge, {
    streamConnections: NO_LIMIT,
    requestsPerMinute: NO_LIMIT,
    burstLimit: NO_LIMIT,
  })
  const port = Number(new URL(gateway.url).port)
  const open = (count: number) => request(clients, { open: { count, port, apiKey } })
  await open(WARM)
  const before = await usageOf()
  const opened = await open(requested - WARM)
  await delay(2_000)
  const idle = await usageOf()
  for (let sent = 1; sent <= HEARTBEATS; sent += 1) {
    const dueMs = performance.now() + HEARTBEAT_EVERY_MS
    for (const socket of service.open.keys()) socket.send(heartbeat)
    await waitUntil(
      'every stream has it',
      async () => (await request(clients, {})).heartbeatsLeast >= sent,
      ARRIVES_WITHIN_MS,
    )
    await delay(Math.max(0, dueMs - performance.now()))
  }
  const afterIdle = await usageOf()
  const after = await request(clients, { close: true })
  await waitUntil('the gateway has none', async () => (await gateway.metrics()).includes('gateway_live_streams 0'))
  const streams = opened.open - WARM
  const result = {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version, loadAverage: loadavg() },
    asked: requested,
    open: opened.open,
    refused: opened.refused,
    endedWithoutAnswer: after.ended,
    kbPerStream: round((idle.rssBytes - before.rssBytes) / KB / streams),
    microsToOpen: round(((idle.cpuMs - before.cpuMs) * MICROS) / (requested - WARM)),
    heartbeats: HEARTBEATS,
    /** Checks of access, pings and heartbeats. */
    coresUsedWhileIdle: round((afterIdle.cpuMs - idle.cpuMs) / (HEARTBEATS * HEARTBEAT_EVERY_MS)),
    kbPerStreamAfterHeartbeats: round((afterIdle.rssBytes - before.rssBytes) / KB / streams),
  }
  process.stderr.write(`${JSON.stringify(result, null, 2)}\n`)
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
} finally {
  clients.kill('SIGKILL')
  await gateway.stop()
  await service.stop()
  await edge.stop()
}

/** CPU time and memory of all processes of the gateway. */
async function usageOf(): Promise<{ cpuMs: number; rssBytes: number }> {
  const pids = (await gateway.processes()).flatMap(({ pid }) => pid ?? [])
  const sum = { cpuMs: 0, rssBytes: 0 }
  for (const pid of new Set([...pids, gateway.child.pid ?? 0])) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    sum.cpuMs += (Number(fields[11]) + Number(fields[12])) * TICK_MS
    sum.rssBytes += Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * KB
  }
  return sum
}

async function request(child: ChildProcess, message: { open?: OpenIdle; close?: true }): Promise<IdleFigures> {
  const answered = once(child, 'message')
  child.send(message)
  const [figures] = (await answered) as [IdleFigures]
  return figures
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
