import { STREAM_TYPE } from '@tapeline/contracts/market-data/stream'
import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { headersOf } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

type Sent = { id: string | undefined; event: string; data: { data?: { sequence: string }[] } }

/** Reads events until there are `records` of them. */
async function readEvents(query: string, headers: Record<string, string>, records: number): Promise<Sent[]> {
  const controller = new AbortController()
  const url = `http://127.0.0.1:${process.port}/api/v1/stream?${query}`
  const response = await fetch(url, { headers: { ...headersOf(actor), ...headers }, signal: controller.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(STREAM_TYPE)
  const events: Sent[] = []
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      events.push(eventOf(text.slice(0, end)))
      text = text.slice(end + 2)
    }
    if (sequencesOf(events).length >= records) break
  }
  controller.abort()
  return events
}

function eventOf(block: string): Sent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { id: fields.get('id'), event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') }
}

function sequencesOf(events: readonly Sent[]): number[] {
  return events
    .filter(({ event }) => event === 'trades')
    .flatMap(({ data }) => (data.data ?? []).map(({ sequence }) => Number(sequence)))
}

test('a client that reconnects with Last-Event-ID misses nothing and gets nothing twice', async () => {
  await platform.ingest(someTrades('BTC-USDT', START_NS, 0, 700))
  await waitUntil('they are stored', async () => {
    const { rows } = await platform.pool.query(
      'select last_sequence from channel where instrument_id = 1 and name = $1',
      ['trade'],
    )
    return rows[0]?.last_sequence === '700' || undefined
  })
  const query = `channel=trades&venues=sim&symbols=BTC-USDT&start=${START_NS}`
  const first = await readEvents(query, {}, 1)
  const cursor = first.findLast(({ event }) => event === 'trades')?.id ?? ''
  await platform.ingest(someTrades('BTC-USDT', START_NS, 700, 800))
  const read = sequencesOf(first)
  const second = await readEvents('channel=trades', { 'last-event-id': cursor }, 800 - read.length)
  const all = [...read, ...sequencesOf(second)]
  expect(all).toEqual(Array.from({ length: 800 }, (_value, index) => index + 1))
})

test.each([
  ['channel=trades&symbols=NOPE', 404, 'symbol.unknown'],
  ['channel=trades&cursor=abc', 400, 'cursor.invalid'],
  ['channel=candles', 400, 'request.invalid'],
  ['channel=l2events&types=snapshot,diff', 400, 'filter.invalid'],
  ['channel=trades&types=snapshot', 400, 'filter.invalid'],
])('%s is answered with %i %s', async (query, status, code) => {
  const response = await fetch(`http://127.0.0.1:${process.port}/api/v1/stream?${query}`, { headers: headersOf(actor) })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code })
})
