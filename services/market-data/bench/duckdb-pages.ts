import { DuckDBInstance } from '@duckdb/node-api'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { dayStart } from '../src/nanoseconds.ts'
import { FIRST_DAY, SECONDS_PER_DAY } from './busy-market.ts'
import { PAGE_ROWS, quantile } from './lake-pages.ts'

/** Pages at random places from the same files by DuckDB in this process; it finds the day by its folder. */
export async function measureDuckDb(folder: string, days: number, pages: number) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const random = seededRandom(7)
  const times: number[] = []
  try {
    const files = `read_parquet('${folder}/v1/channel=trade/venue=sim/symbol=BTC-USDT/*/*.parquet', hive_partitioning = true)`
    const before = process.cpuUsage()
    for (let page = 0; page < pages; page += 1) {
      const second = Math.floor(random() * (days * SECONDS_PER_DAY - 2 * PAGE_ROWS))
      const start = dayStart(FIRST_DAY) + BigInt(second) * 1_000_000_000n
      const date = new Date((FIRST_DAY * SECONDS_PER_DAY + second) * 1_000).toISOString().slice(0, 10)
      const startedMs = performance.now()
      const result = await connection.runAndReadAll(
        `select * from ${files} where date >= '${date}' and date <= date '${date}' + 1 and ts_event >= ${start}
         order by ts_event, sequence limit ${PAGE_ROWS}`,
      )
      if (result.currentRowCount !== PAGE_ROWS) throw new Error(`DuckDB found ${result.currentRowCount} rows`)
      times.push(performance.now() - startedMs)
    }
    const { user, system } = process.cpuUsage(before)
    const sorted = times.toSorted((one, other) => one - other)
    const cpuMsPerPage = Number(((user + system) / pages / 1_000).toFixed(2))
    return {
      source: 'duckdb',
      days,
      way: 'random place',
      clients: 1,
      pages,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      cpuMsPerPage,
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
