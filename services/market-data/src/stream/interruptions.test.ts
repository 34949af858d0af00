import { setTimeout as delay } from 'node:timers/promises'
import { STREAM_CLOSE } from '@tapeline/contracts/market-data/stream'
import { someUser } from '@tapeline/testing/actors'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const CLIENTS = 20
const HERD = 300
const BATCHES = 40
const BATCH_TRADES = 25
const TEST_TIMEOUT_MS = 240_000
/** Shorter than the test's time limit, so that a failing test still stops its clients. */
const WAIT_MS = 200_000
const AGAIN_AFTER_MS = 20
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform

beforeAll(async () => {
  platform = await openStreamPlatform()
})
afterAll(() => platform.stop())

type Process = Awaited<ReturnType<StreamPlatform['startProcess']>>
type Running = { processes: Process[]; random: () => number; stopSignal: AbortSignal }

/** Reconnects with its last cursor to any running process until it has enough records or the test ends. */
async function follow({ processes, random, stopSignal }: Running, records: number): Promise<number[]> {
  const sequences: number[] = []
  let cursor: string | undefined
  while (sequences.length < records && !stopSignal.aborted) {
    const process = processes[Math.floor(random() * processes.length)]
    const client = await openStream(process?.port ?? 0, actor).catch(() => undefined)
    if (client === undefined) {
      await delay(AGAIN_AFTER_MS)
      continue
    }
    const place =
      cursor === undefined ? { venues: ['sim'], symbols: ['BTC-USDT'], start: String(START_NS) } : { cursor }
    client.send({ op: 'subscribe', id: 'a', channel: 'trades', ...place })
    const batchesMax = 1 + Math.floor(random() * 8)
    const isInterrupted = () => {
      const read = client.records('a').length
      const batches = client.received.filter(({ type }) => type === 'trades').length
      const isEnough = batches >= batchesMax || sequences.length + read >= records
      return stopSignal.aborted || client.closed() !== undefined || isEnough
    }
    await waitUntil('an interruption, or all records', isInterrupted, WAIT_MS).finally(client.close)
    sequences.push(...client.records('a').map(({ sequence }) => Number(sequence)))
    cursor = client.lastCursor() ?? cursor
  }
  return sequences
}

test(
  'clients that are cut and processes that restart: every record once and in order',
  async () => {
    const random = seededRandom(PROPERTY_SEED)
    const processes = [await platform.startProcess(), await platform.startProcess()]
    const total = BATCHES * BATCH_TRADES
    const stopSignal = AbortSignal.timeout(WAIT_MS)
    const following = Promise.all(
      Array.from({ length: CLIENTS }, () => follow({ processes, random, stopSignal }, total)),
    )
    const restarting = async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        await platform.ingest(someTrades('BTC-USDT', START_NS, batch * BATCH_TRADES, (batch + 1) * BATCH_TRADES))
        if (batch % 10 !== 5) continue
        const started = await platform.startProcess()
        const [stopped] = processes.splice(0, 1, started)
        await stopped?.stop()
      }
    }
    const [followed] = await Promise.all([following, restarting()])
    const expected = Array.from({ length: total }, (_value, index) => index + 1)
    for (const sequences of followed) expect(sequences).toEqual(expected)
  },
  TEST_TIMEOUT_MS,
)

test('a stream that is opened while its process stops receives a request to reconnect', async () => {
  const process = await platform.startProcess()
  await process.streams.stop()
  const client = await openStream(process.port, actor)
  await waitUntil('it is closed', () => client.closed() !== undefined)
  expect(client.received.map(({ type }) => type)).toEqual(['goodbye'])
  expect(client.closed()?.code).toBe(STREAM_CLOSE.goingAway)
  await process.stop()
})

test(
  'hundreds of clients that reconnect at the same time all catch up; none is rejected',
  async () => {
    const process = await platform.startProcess()
    const records = 600
    await platform.ingest(someTrades('ETH-USDT', START_NS, 0, records))
    const place = { venues: ['sim'], symbols: ['ETH-USDT'], start: String(START_NS) }
    const clients = await Promise.all(Array.from({ length: HERD }, () => openStream(process.port, actor)))
    for (const client of clients) client.send({ op: 'subscribe', id: 'a', channel: 'trades', ...place })
    const isDone = (client: (typeof clients)[number]) =>
      client.records('a').length >= records || client.received.some(({ type }) => type === 'error')
    await waitUntil('all clients have all records', () => clients.every(isDone), WAIT_MS)
    for (const client of clients) {
      expect(client.received.filter(({ type }) => type === 'error')).toEqual([])
      expect(client.records('a')).toHaveLength(records)
      client.close()
    }
  },
  TEST_TIMEOUT_MS,
)
