import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { UserActor } from '@tapeline/contracts/actor'
import type { L2Event, L2EventPage } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { createDeps } from './deps.ts'
import { canonicalDecimal, compareDecimals } from './decimal.ts'
import { importFiles } from '../test/import-files.fixture.ts'
import { migrations } from './migrations/all.ts'
import { listRecords } from './records/list-records.ts'
import { renderPage } from './records/render-page.ts'
import type { Tables } from './tables.ts'

const files = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map(
  (name) => recording('binance-spot', name) ?? '',
)
const hasRecordings = !files.includes('')
const IMPORT_TIMEOUT_MS = 300_000
const actor: UserActor = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
afterAll(drop)

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

test.skipIf(!hasRecordings)(
  'the best bid and offer of the book replayed from the API are those of the venue, at every update that both have',
  async () => {
    await importFiles(deps, 'binance-spot', files)
    const quotes = new Map((await Promise.all(files.map(quotesOf))).flatMap((one) => [...one]))
    const [bids, asks] = [new Map<string, string>(), new Map<string, string>()]
    let compared = 0
    for (const event of await allEvents()) {
      apply(bids, event, event.bids)
      apply(asks, event, event.asks)
      const quote = event.type === 'update' ? quotes.get(event.venue_last_id ?? '') : undefined
      if (quote === undefined) continue
      compared += 1
      expect(bestOf(bids, asks)).toBe(quote)
    }
    expect(compared).toBe(564 + 508)
  },
  IMPORT_TIMEOUT_MS,
)

async function allEvents(): Promise<L2Event[]> {
  const events: L2Event[] = []
  let body: object = { venues: ['binance'], start: '2024-08-08', end: '2024-08-10', limit: 1000 }
  for (;;) {
    const rendered = await renderPage(pool, 'l2_event', await listRecords(deps, actor, 'l2_event', body), {
      requestId: 'x',
    })
    const page: L2EventPage = JSON.parse(rendered.json.toString())
    events.push(...page.data)
    if (!page.has_more) return events
    body = { cursor: page.next_cursor }
  }
}

function apply(side: Map<string, string>, { type }: L2Event, levels: L2Event['bids']): void {
  if (type === 'snapshot') side.clear()
  for (const [price, size] of levels) {
    if (size === '0') side.delete(price)
    else side.set(price, size)
  }
}

function bestOf(bids: Map<string, string>, asks: Map<string, string>): string {
  const [bid = '', ask = ''] = [best(bids, 1), best(asks, -1)]
  expect(compareDecimals(bid, ask)).toBeLessThan(0)
  return `${bid} ${bids.get(bid)} ${ask} ${asks.get(ask)}`
}

function best(side: Map<string, string>, direction: 1 | -1): string | undefined {
  let found: string | undefined
  for (const price of side.keys()) {
    if (found === undefined || direction * compareDecimals(price, found) > 0) found = price
  }
  return found
}

/** Best bid, its size, best ask, its size by update id. */
async function quotesOf(file: string): Promise<Map<string, string>> {
  const quotes = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    if (!line.includes('@bookTicker')) continue
    const { data } = JSON.parse(line.slice(line.indexOf(' ') + 1)) as {
      data: { u: number; b: string; B: string; a: string; A: string }
    }
    quotes.set(String(data.u), [data.b, data.B, data.a, data.A].map(canonicalDecimal).join(' '))
  }
  return quotes
}
