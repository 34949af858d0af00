import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tapeline/service/logger'
import type { Decision } from '../src/usage/decision.ts'
import { usageLines } from '../src/usage/usage-event.ts'
import { UsageJournal } from '../src/usage/usage-journal.ts'

// What a counted request costs the gateway's main thread for its usage event: the text of the event, and its part of a write.

const EVENTS = 200_000
const WARM_UP = 50_000
const PER_TURN = [1, 4, 16]
const MICROS_DIGITS = 2

const dir = mkdtempSync(join(tmpdir(), 'tapeline-journal-cost-'))
const logger = createLogger('gateway', 'warn')
const journal = new UsageJournal({ dir, bytesMax: 2 ** 40, segmentBytes: 8_388_608, logger })
const line = usageLines('gateway-1')
const values = [100, 1_000, 10_000, 100_000, 1_000_000, 100]
const decision: Decision = {
  verdict: 'admitted',
  isDegraded: false,
  nowMs: Date.now(),
  deniedMask: 0,
  retryAfterMs: 0,
  used: [3, 41, 512, 4_096, 70_000, 2],
  resetMs: [200, 31_000, 1_900_000, 40_000_000, 1_200_000_000, 0],
  limits: { values, argv: values.map(String) },
  key: undefined,
}
const facts = {
  accountId: crypto.randomUUID(),
  keyId: crypto.randomUUID(),
  kid: '0123456789AB',
  tier: 'pro' as const,
  method: 'GET',
  route: '/api/v1/trades/list',
  status: 200,
  outcome: 'ok' as const,
  code: null,
  rejectedFields: undefined,
  decision,
  latencyUs: 1_234,
  upstreamLatencyUs: 987,
  bytesIn: 0,
  bytesOut: 1_024,
  rowsReturned: 10,
  requestId: '0'.repeat(32),
  network: '192.0.2.0/24',
}

try {
  await append(WARM_UP, 4)
  for (const perTurn of PER_TURN) {
    const before = process.threadCpuUsage()
    await append(EVENTS, perTurn)
    const { user, system } = process.threadCpuUsage(before)
    print(`${perTurn} per turn: ${((user + system) / EVENTS).toFixed(MICROS_DIGITS)} µs per event`)
  }
  print(`${Buffer.byteLength(line(facts))} bytes per event`)
} finally {
  journal.close()
  rmSync(dir, { recursive: true, force: true })
}

async function append(events: number, perTurn: number): Promise<void> {
  for (let n = 0; n < events; n += perTurn) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    for (let k = 0; k < perTurn; k += 1) journal.append(line(facts), { onJournaled: resolve })
    await promise
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
