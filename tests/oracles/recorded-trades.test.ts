import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Trade, TradePage } from '@tapeline/contracts/market-data/http'
import { send } from '@tapeline/testing/api-client'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const run = promisify(execFile)
const IMPORT = join(import.meta.dirname, '..', '..', 'services', 'market-data', 'src', 'import.ts')
const { gatewayUrl, demoKey, marketDataDatabaseUrl } = runningPlatform()

const binance = [
  recording('binance-spot', 'spot_btcusdt_20240808.gz'),
  recording('binance-spot', 'spot_btcusdt_20240809.gz'),
].filter((file) => file !== undefined)
const FIRST_ID = 3_735_683_259
const LAST_ID = 3_735_703_162

async function importFiles(format: string, files: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: marketDataDatabaseUrl }
  return (await run(process.execPath, [IMPORT, format, ...files], { env })).stdout
}

/** Reads all trades of a filter through the gateway with the pro key, page by page, respecting Retry-After. */
async function walk(order: 'asc' | 'desc', limit: number): Promise<Trade[]> {
  const filter = { venues: ['binance'], symbols: ['BTC-USDT'], start: '2024-08-08', end: '2024-08-10', order }
  const found: Trade[] = []
  let cursor: string | null = null
  do {
    const page: TradePage = await listPage(cursor === null ? { ...filter, limit } : { cursor, limit })
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

async function listPage(body: object): Promise<TradePage> {
  for (;;) {
    const reply = await send<TradePage>(`${gatewayUrl}/api/v1/trades/list`, { token: demoKey, body })
    if (reply.status === 200) return reply.body
    expect(reply.status, JSON.stringify(reply.body)).toBe(429)
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(reply.headers.get('retry-after'))))
  }
}

if (binance.length === 0) test.skip(NO_RECORDINGS, () => {})

describe.skipIf(binance.length === 0)('two recorded files of Binance BTC-USDT', () => {
  beforeAll(async () => {
    await importFiles('binance-spot', binance)
  })

  test('importing again adds nothing', async () => {
    expect(await importFiles('binance-spot', binance)).toMatch(/0 added|added 0|nothing new/)
  })

  test.each([
    ['asc', 1_000],
    ['desc', 1_000],
    ['asc', 100],
    ['desc', 100],
  ] as const)(
    'paged %s by %i through the gateway, each of the 19,904 trades is returned exactly once',
    async (order, limit) => {
      const trades = await walk(order, limit)
      const ids = trades.map(({ trade_id }) => Number(trade_id))
      const expected = Array.from({ length: LAST_ID - FIRST_ID + 1 }, (_, n) => FIRST_ID + n)
      expect(ids).toHaveLength(19_904)
      expect(order === 'asc' ? ids : ids.toReversed()).toEqual(expected)
    },
  )
})
