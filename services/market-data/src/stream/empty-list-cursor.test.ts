import type { StreamChannel } from '@tapeline/contracts/market-data/stream'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someBook } from '../../test/stream/books.fixture.ts'
import { openStream } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'

const symbol = 'BTC-USDT'
const RECORDS = 30
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
/** Records of the day before, which are not part of the tier free. */
const EARLY_NS = START_NS - 30n * 3_600_000_000_000n
const actors = { pro: someUser({ tier: 'pro' }), free: someUser({ tier: 'free' }) }
const lists = [
  { path: 'trades/list', channel: 'trades', body: {} },
  { path: 'l2events/list', channel: 'l2events', body: {} },
  { path: 'l2events/list', channel: 'book.10', body: {} },
  { path: 'quotes/list', channel: 'bbo', body: {} },
  { path: 'trades/bars', channel: 'bars.1s', body: { interval: '1s' } },
] satisfies { path: string; channel: StreamChannel; body: object }[]
const cases = (['pro', 'free'] as const).flatMap((tier) => lists.map((list) => ({ ...list, tier })))
const cursors = new Map<string, string>()
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

type Page = { data: { ts_event?: string; ts_start?: string }[]; next_cursor: string }

async function list(tier: 'pro' | 'free', path: string, body: object): Promise<Page> {
  const call = { method: 'POST', url: `/api/v1/${path}`, body } as const
  const response = await callAs(process.app, 'market-data', actors[tier], call)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<Page>()
}

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
  for (const { tier, path, channel, body } of cases) {
    const page = await list(tier, path, { venues: ['sim'], symbols: [symbol], ...body })
    expect(page.data).toEqual([])
    cursors.set(`${tier} ${channel}`, page.next_cursor)
  }
  await platform.ingest(someTrades(symbol, EARLY_NS, 1_000, 1_000 + RECORDS))
  await platform.ingest(someTrades(symbol, START_NS, 0, RECORDS))
  await platform.ingestVenue(someBook(symbol, START_NS, 0, RECORDS))
  for (const [path, rows] of [
    ['trades/list', 2 * RECORDS],
    ['l2events/list', RECORDS],
  ] as const) {
    await waitUntil('they are stored', async () => {
      const { data } = await list('pro', path, { symbols: [symbol], start: String(EARLY_NS), limit: 1_000 })
      return data.length >= rows || undefined
    })
  }
})
afterAll(() => platform.stop())

test.each(cases)('the cursor of an empty list of $path begins $channel with the first record: $tier', async (one) => {
  const { tier, path, channel } = one
  const cursor = cursors.get(`${tier} ${channel}`) ?? ''
  const { data: listed } = await list(tier, path, { cursor, limit: 1_000 })
  expect(listed.length).toBeGreaterThan(0)
  const client = await openStream(process.port, actors[tier])
  client.send({ op: 'subscribe', id: 'a', channel, cursor })
  expect(await client.next('subscribed')).toMatchObject({ mode: 'catching_up' })
  const timeOf = ({ ts_event, ts_start }: Page['data'][number]) => ts_event ?? ts_start
  if (channel === 'book.10') {
    // A change far from the best price is not part of this channel.
    const [first] = await waitUntil('the book', async () =>
      client.records('a').length > 1 ? client.records('a') : undefined,
    )
    expect(first?.sequence).toBe('1')
  } else {
    await waitUntil('the listed records', async () => client.records('a').length >= listed.length || undefined)
    expect(client.records('a').map(timeOf)).toEqual(listed.map(timeOf))
  }
  client.close()
})
