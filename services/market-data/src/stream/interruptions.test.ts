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
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform

beforeAll(async () => {
  platform = await openStreamPlatform()
})
afterAll(() => platform.stop())

type Process = Awaited<ReturnType<StreamPlatform['startProcess']>>

/** Reconnects with its last cursor, to any process that runs, until it has so many records. */
async function follow(processes: Process[], random: () => number, records: number): Promise<number[]> {
  const sequences: number[] = []
  let cursor: string | undefined
  while (sequences.length < records) {
    const process = processes[Math.floor(random() * processes.length)]
    const client = await openStream(process?.port ?? 0, actor).catch(() => undefined)
    if (client === undefined) continue
    const place =
      cursor === undefined ? { venues: ['sim'], symbols: ['BTC-USDT'], start: String(START_NS) } : { cursor }
    client.send({ op: 'subscribe', id: 'a', channel: 'trades', ...place })
    const batchesMax = 1 + Math.floor(random() * 8)
    await waitUntil('an interruption, or all', async () => {
      const read = client.records('a').length
      const batches = client.received.filter(({ type }) => type === 'trades').length
      return client.closed() !== undefined || batches >= batchesMax || sequences.length + read >= records || undefined
    })
    client.close()
    sequences.push(...client.records('a').map(({ sequence }) => Number(sequence)))
    cursor = client.lastCursor() ?? cursor
  }
  return sequences
}

test('clients that are cut and processes that restart: every record once and in order', async () => {
  const random = seededRandom(PROPERTY_SEED)
  const processes = [await platform.startProcess(), await platform.startProcess()]
  const total = BATCHES * BATCH_TRADES
  const following = Array.from({ length: CLIENTS }, () => follow(processes, random, total))
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await platform.ingest(someTrades('BTC-USDT', START_NS, batch * BATCH_TRADES, (batch + 1) * BATCH_TRADES))
    if (batch % 10 !== 5) continue
    const started = await platform.startProcess()
    const [stopped] = processes.splice(0, 1, started)
    await stopped?.stop()
  }
  const expected = Array.from({ length: total }, (_value, index) => index + 1)
  for (const sequences of await Promise.all(following)) expect(sequences).toEqual(expected)
}, 120_000)

test('hundreds of clients that come back at the same time all catch up: none is turned away', async () => {
  const process = await platform.startProcess()
  const records = 600
  await platform.ingest(someTrades('ETH-USDT', START_NS, 0, records))
  const place = { venues: ['sim'], symbols: ['ETH-USDT'], start: String(START_NS) }
  const clients = await Promise.all(Array.from({ length: HERD }, () => openStream(process.port, actor)))
  for (const client of clients) client.send({ op: 'subscribe', id: 'a', channel: 'trades', ...place })
  const isOver = (client: (typeof clients)[number]) =>
    client.records('a').length >= records || client.received.some(({ type }) => type === 'error')
  await waitUntil('all have all', () => clients.every(isOver), 60_000)
  for (const client of clients) {
    expect(client.received.filter(({ type }) => type === 'error')).toEqual([])
    expect(client.records('a')).toHaveLength(records)
    client.close()
  }
}, 120_000)
