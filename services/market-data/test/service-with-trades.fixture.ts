import type { Actor } from '@tapeline/contracts/actor'
import { type TradePage, TradePage as TradePageSchema } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { createApp } from '../src/app.ts'
import { createDeps } from '../src/deps.ts'
import { registerInstrument } from '../src/instruments/register-instrument.ts'
import { migrations } from '../src/migrations/all.ts'
import type { TradeRecord } from '../src/store/record.ts'
import { storeAtOnce } from '../src/store/store-records.ts'
import type { Tables } from '../src/tables.ts'
import { someTrade } from './records.fixture.ts'

export const NOW = new Date('2026-03-20T12:00:00Z')
export const HOUR_MS = 3_600_000
export const SECRET = 'a secret of at least 32 characters'
const pro = someUser({ tier: 'pro' })

export function nanosecondsAgo(hours: number): string {
  return `${NOW.getTime() - hours * HOUR_MS}000123`
}

function tradeAgo(hours: number, fields: Partial<TradeRecord> = {}): TradeRecord {
  return someTrade(`t${hours}`, nanosecondsAgo(hours), { size: '25.426189', ...fields })
}

/** The service with three trades of `sim` BTC-USDT (30, 20 and 1 hours ago) and one of `binance` (2 hours ago). */
export async function openServiceWithTrades() {
  const { pool, drop } = await openTestDatabase<Tables>(migrations)
  const deps = createDeps(pool, () => NOW, SECRET)
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  const binance = await registerInstrument(deps.db, {
    venue: 'binance',
    symbol: 'BTC-USDT',
    venueSymbol: 'BTCUSDT',
    base: 'BTC',
    quote: 'USDT',
    sizeUnit: 'base',
    tsEventPrecision: 'ms',
    kind: 'spot',
  })
  await storeAtOnce(pool, [
    { instrumentId: 1, trades: [tradeAgo(30), tradeAgo(20), tradeAgo(1)], l2Events: [] },
    { instrumentId: binance, trades: [tradeAgo(2, { conditions: ['exchange:P'], side: 'sell' })], l2Events: [] },
  ])
  const post = (path: 'trades' | 'l2events', body: unknown, actor: Actor = pro) =>
    callAs(app, 'market-data', actor, { method: 'POST', url: `/api/v1/${path}/list`, body })
  /** A page that follows the contract. */
  const trades = async (body: object, actor: Actor = pro): Promise<TradePage> => {
    const response = await post('trades', body, actor)
    expect(response.statusCode, response.body).toBe(200)
    const page = response.json<TradePage>()
    expect([...Value.Errors(TradePageSchema, page)]).toEqual([])
    expect(response.headers['x-rows-returned']).toBe(String(page.data.length))
    return page
  }
  const close = async () => {
    await app.close()
    await drop()
  }
  return { pool, app, post, trades, close }
}
