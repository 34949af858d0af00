import type { Bar, BarPage } from '@tapeline/contracts/market-data/bars'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../../test/stream/stream.fixture.ts'

const MINUTE_NS = 60_000_000_000n
const actor = someUser({ tier: 'pro' })
const symbols = ['ETH-USDT', 'SOL-USDT']
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

async function areStored(bars: number): Promise<void> {
  const body = { venues: ['sim'], symbols, limit: 1_000 }
  const call = { method: 'POST', url: '/api/v1/trades/bars', body } as const
  await waitUntil('the bars are stored', async () => {
    const response = await callAs(process.app, 'market-data', actor, call)
    return (response.statusCode === 200 && response.json<BarPage>().data.length === bars) || undefined
  })
}

function barsOf({ received }: Awaited<ReturnType<typeof openStream>>) {
  const bars = received.flatMap(({ type, data }) => (type === 'bars.1m' ? (data as unknown as Bar[]) : []))
  return bars.map(({ symbol, count }) => ({ symbol, count }))
}

test('each instrument has its own position: a reconnected client gets no closed bar twice', async () => {
  const hourAgo = BigInt(Date.now() - 3_600_000) * 1_000_000n
  const time = hourAgo - (hourAgo % MINUTE_NS)
  for (let minute = 0; minute < 5; minute += 1) {
    await platform.ingest(someTrades('ETH-USDT', time + BigInt(minute) * MINUTE_NS, minute * 10, minute * 10 + 10))
  }
  await platform.ingest(someTrades('SOL-USDT', time, 0, 10))
  await areStored(6)
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', venues: ['sim'], symbols, start: String(time) })
  await waitUntil('all', async () => barsOf(client).length === 6 || undefined)
  client.close()
  await platform.ingest(someTrades('SOL-USDT', time + MINUTE_NS, 10, 20))
  await areStored(7)
  const again = await openStream(process.port, actor)
  again.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', cursor: client.lastCursor() ?? null })
  await again.next('catch_up')
  expect(barsOf(again)).toEqual([{ symbol: 'SOL-USDT', count: 10 }])
  again.close()
})
