import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { streamUsage } from '../../test/gateway.fixture.ts'
import { streamLines } from '../usage/stream-event.ts'
import { UsageJournal } from '../usage/usage-journal.ts'
import { type StreamCaller, StreamUsage } from './stream-usage.ts'

const MINUTE_MS = 60_000
const caller: StreamCaller = {
  accountId: crypto.randomUUID(),
  keyId: crypto.randomUUID(),
  kid: 'kid1',
  tier: 'pro',
  transport: 'websocket',
  connectionId: 'connection-1',
  network: '192.0.2.0/24',
}

let dir: string
let journal: UsageJournal
let nowMs: number
let isFull: boolean
let usage: StreamUsage

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stream-usage-'))
  const sizes = { bytesMax: 1_000_000, segmentBytes: 1_000_000 }
  journal = new UsageJournal({ dir: join(dir, '0'), ...sizes, logger: silentLogger })
  nowMs = Date.parse('2026-03-01T10:00:30Z')
  isFull = false
  const bounded = { isFull: () => isFull, append: journal.append.bind(journal) }
  usage = new StreamUsage({ journal: bounded, line: streamLines('gateway-1'), now: () => nowMs })
})
afterEach(() => {
  journal.close()
  rmSync(dir, { recursive: true })
})

function pass(ms: number): void {
  nowMs += ms
  usage.check()
  journal.flush()
}

function written() {
  journal.flush()
  return streamUsage(dir).map(({ opened, ended, open_ms, messages, bytes_in, bytes_out }) => [
    [opened, ended],
    [open_ms, messages, bytes_in, bytes_out],
  ])
}

test('a connection has one event per minute of the clock and one at its end, which add up to what it delivered', () => {
  const delivered = { messages: 0, bytesIn: 40, bytesOut: 0 }
  const meter = usage.begin(caller, () => ({ ...delivered }))
  Object.assign(delivered, { messages: 3, bytesOut: 300 })
  pass(20_000)
  expect(written()).toEqual([])
  pass(10_100)
  pass(20_000)
  Object.assign(delivered, { messages: 10, bytesIn: 50, bytesOut: 1_000 })
  pass(MINUTE_MS - 20_000)
  pass(5_000)
  Object.assign(delivered, { messages: 11, bytesOut: 1_001 })
  meter.end()
  pass(2 * MINUTE_MS)
  expect(written()).toEqual([
    [
      [true, false],
      [30_100, 3, 40, 300],
    ],
    [
      [false, false],
      [60_000, 7, 10, 700],
    ],
    [
      [false, true],
      [5_000, 1, 0, 1],
    ],
  ])
  expect(streamUsage(dir)[0]).toMatchObject({
    account_id: caller.accountId,
    kid: 'kid1',
    connection_id: 'connection-1',
  })
})

test('a connection that ends in its first minute has one event', () => {
  usage.begin({ ...caller, kid: null }, () => ({ messages: 2, bytesIn: 1, bytesOut: 9 })).end()
  pass(MINUTE_MS)
  expect(written()).toEqual([
    [
      [true, true],
      [0, 2, 1, 9],
    ],
  ])
  expect(streamUsage(dir)[0]).toMatchObject({ key_id: 'session', kid: null })
})

test('deliveries while the journal is full are counted once it has space', () => {
  const delivered = { messages: 5, bytesIn: 0, bytesOut: 50 }
  usage.begin(caller, () => ({ ...delivered }))
  const second = usage.begin(caller, () => ({ messages: 1, bytesIn: 0, bytesOut: 1 }))
  isFull = true
  pass(MINUTE_MS)
  second.end()
  pass(MINUTE_MS)
  expect(written()).toEqual([])
  Object.assign(delivered, { messages: 9, bytesOut: 90 })
  isFull = false
  pass(1_000)
  expect(written()).toEqual([
    [
      [true, false],
      [121_000, 9, 0, 90],
    ],
    [
      [true, true],
      [60_000, 1, 0, 1],
    ],
  ])
})

test('a write that fails is part of the next event', () => {
  const delivered = { messages: 5, bytesIn: 0, bytesOut: 50 }
  let isLost = true
  const append: UsageJournal['append'] = (line, whenDone) =>
    isLost ? whenDone.onJournaled(false) : journal.append(line, whenDone)
  usage = new StreamUsage({
    journal: { isFull: () => false, append },
    line: streamLines('gateway-1'),
    now: () => nowMs,
  })
  const meter = usage.begin(caller, () => ({ ...delivered }))
  pass(MINUTE_MS)
  meter.end()
  isLost = false
  pass(500)
  pass(500)
  expect(written()).toEqual([
    [
      [true, true],
      [60_000, 5, 0, 50],
    ],
  ])
})

test('a stopping process writes the remaining counts, even beyond the size limit of the journal', () => {
  usage.begin(caller, () => ({ messages: 5, bytesIn: 0, bytesOut: 50 }))
  isFull = true
  usage.stop()
  expect(written()).toHaveLength(1)
})

test('many connections do not write their events in one turn, and each is written within seconds', () => {
  for (let n = 0; n < 1_200; n += 1) usage.begin(caller, () => ({ messages: 1, bytesIn: 0, bytesOut: 1 }))
  pass(MINUTE_MS)
  expect(written()).toHaveLength(500)
  pass(500)
  pass(500)
  expect(written()).toHaveLength(1_200)
  pass(500)
  expect(written()).toHaveLength(1_200)
})
