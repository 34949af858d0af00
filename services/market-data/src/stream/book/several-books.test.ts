import type { Quote, QuotePage } from '@tapeline/contracts/market-data/quotes'
import { STREAM_BOOKS_MAX } from '@tapeline/contracts/market-data/stream'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { someBook } from '../../../test/stream/books.fixture.ts'
import { openStream } from '../../../test/stream/stream-client.fixture.ts'
import { openStreamProcess } from '../../../test/stream/stream-process.fixture.ts'
import { registerInstrument } from '../../instruments/register-instrument.ts'

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const symbols = ['ETH-USDT', 'SOL-USDT']
const { platform, process, actor, post } = await openStreamProcess()
afterAll(() => platform.stop())

const list = (body: object) => post<QuotePage>('quotes/list', body)

async function walk(cursor: string | null): Promise<Quote[]> {
  const quotes: Quote[] = []
  for (let place = cursor; ;) {
    const page = await list(place === null ? { symbols, limit: 7 } : { cursor: place, limit: 7 })
    quotes.push(...page.data)
    if (!page.has_more) return quotes
    place = page.next_cursor
  }
}

const withoutTsOut = (records: readonly object[]) =>
  records.map((record) => JSON.stringify({ ...record, ts_out: undefined }))

test('a cursor of several instruments has a position for each: the list and a new stream continue from there', async () => {
  await platform.ingestVenue(someBook('ETH-USDT', START_NS, 0, 40))
  // The other instrument begins earlier, so that its quotes come before those already sent.
  await waitUntil('they are stored', async () => (await list({ symbols })).data.length > 0)
  const client = await openStream(process.port, actor)
  const place = { venues: ['sim'], symbols, start: String(START_NS - 60_000_000_000n) }
  client.send({ op: 'subscribe', id: 'a', channel: 'bbo', ...place })
  await waitUntil('quotes of the first', async () => client.records('a').length > 5 || undefined)
  client.close()
  const sent = new Set(client.records('a').map(({ id }) => id))
  await platform.ingestVenue(someBook('SOL-USDT', START_NS - 30_000_000_000n, 0, 40))
  await waitUntil('both', async () => (await walk(null)).some(({ symbol }) => symbol === 'SOL-USDT') || undefined)
  const remaining = (await walk(null)).filter(({ id }) => !sent.has(id))
  expect(new Set(remaining.map(({ symbol }) => symbol)).size).toBeGreaterThan(0)
  expect(await walk(client.lastCursor() ?? null)).toEqual(remaining)
  const again = await openStream(process.port, actor)
  again.send({ op: 'subscribe', id: 'a', channel: 'bbo', cursor: client.lastCursor() ?? null })
  await waitUntil('the remaining changes', async () => again.records('a').length >= remaining.length || undefined)
  for (const name of symbols) {
    const of = (all: readonly { symbol: string }[]) => withoutTsOut(all.filter(({ symbol }) => symbol === name))
    expect(of(again.records('a')), name).toEqual(of(remaining))
  }
  again.close()
})

test('a subscription follows a bounded number of books', async () => {
  for (let number = 0; number <= STREAM_BOOKS_MAX; number += 1) {
    await registerInstrument(platform.deps.db, {
      venue: 'many',
      symbol: `C${number}-USD`,
      venueSymbol: `C${number}USD`,
      base: `C${number}`,
      quote: 'USD',
      sizeUnit: 'base',
      tsEventPrecision: 'ms',
      kind: 'spot',
    })
  }
  const client = await openStream(process.port, actor)
  await waitUntil('the instruments are registered', async () => {
    const instruments = await platform.deps.instruments.list()
    return instruments.filter(({ venue }) => venue === 'many').length > STREAM_BOOKS_MAX || undefined
  })
  client.send({ op: 'subscribe', id: 'a', channel: 'book.10', venues: ['many'] })
  const refusal = await client.next('error')
  expect(refusal).toMatchObject({ id: 'a', problem: { code: 'filter.invalid' } })
  expect(JSON.stringify(refusal)).toContain('"rule":"maxInstruments"')
  client.close()
})
