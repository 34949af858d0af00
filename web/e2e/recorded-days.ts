import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { RunningPlatform } from '../../tests/platform/running-platform.ts'

const run = promisify(execFile)
const MARKET_DATA = join(import.meta.dirname, '..', '..', 'services', 'market-data')
const TRADES_PER_DAY = 40
const MINUTE_MS = 60_000
const MAPPING = {
  records: 'trades',
  symbol: { column: 'pair', names: { BTCUSD: 'BTC-USD' } },
  ts_event: { column: 'time', unit: 'ms' },
  id: 'number',
  price: 'price',
  size: 'size',
  side: { column: 'side', buy: ['B'], sell: ['S'], of: 'taker' },
}

/** Imports trades of these UTC days as BTC-USD of a venue and seals the days: one file each. */
export async function recordDays(platform: RunningPlatform, venue: string, days: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-days-'))
  const env = {
    ...process.env,
    DATABASE_URL: platform.marketDataDatabaseUrl,
    LAKE_URL: `file:${join(dirname(platform.logFile), 'lake')}`,
  }
  try {
    const ticks = join(folder, 'ticks.csv')
    const mapping = join(folder, 'mapping.json')
    await writeFile(ticks, ['time,number,price,size,side,pair', ...days.flatMap(tradesOf)].join('\n'))
    await writeFile(mapping, JSON.stringify({ venue, ...MAPPING }))
    const imports = [join(MARKET_DATA, 'src', 'import.ts'), 'csv', ticks, '--mapping', mapping]
    await run(process.execPath, imports, { env })
    await run(process.execPath, [join(MARKET_DATA, 'test', 'lake', 'seal-days.ts')], { env })
  } finally {
    await rm(folder, { recursive: true })
  }
}

function tradesOf(day: string, n: number): string[] {
  const startMs = Date.parse(day)
  return Array.from({ length: TRADES_PER_DAY }, (_, trade) => {
    const price = (61_000 + n * 10 + trade / 4).toFixed(2)
    const side = trade % 3 === 0 ? 'S' : 'B'
    return [startMs + trade * MINUTE_MS, n * TRADES_PER_DAY + trade + 1, price, '0.25', side, 'BTCUSD'].join(',')
  })
}
