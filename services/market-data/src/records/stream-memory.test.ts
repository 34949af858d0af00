import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { NDJSON_TYPE } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { tradeChunk } from '../lake/encoding/trade-chunk.ts'
import { createLake } from '../lake/lake.ts'
import { writeSealedDay } from '../lake/sealing/write-sealed-day.ts'
import { answerList } from './answer-list.ts'
import { createFairQueue } from './fair-queue.ts'

const DAY = 19_943
const DAYS = 3
const ROWS_PER_DAY = 100_000
/** A record has about 350 bytes of text. */
const TEXT_BYTES_MIN = 80_000_000
const LAKE_MEMORY_BYTES = 16_000_000
/** Far less than the text; covers the file cache. */
const GROWTH_MAX_BYTES = 64_000_000
const WARM_ROWS = 50_000
const SAMPLE_ROWS = 10_000

// A busy machine collects garbage later: each sample begins with a collection.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let lake: TestLake
beforeAll(async () => {
  lake = await openTestLake()
  for (let day = DAY; day < DAY + DAYS; day += 1) {
    const trades = Array.from({ length: ROWS_PER_DAY }, (_value, at) =>
      someTrade(String(day * 1_000_000 + at), dayStart(day) + BigInt(at) * 800_000_000n, { price: `${at % 977}.25` }),
    )
    const records = { channel: 'trade', chunks: [tradeChunk(trades, day)] } as const
    await writeSealedDay(lake.deps, { instrumentId: 1, day, records })
  }
})
afterAll(() => lake.close())

test('a stream of 300,000 records keeps no more memory at its end than near its beginning', async () => {
  const { pool } = lake.database
  const deps = { ...lake.deps, lake: createLake(pool, lake.deps.lake.store, LAKE_MEMORY_BYTES) }
  const queue = createFairQueue({ runningMax: 8, waitingMax: 8, waitingOfAccountMax: 8 })
  const body = { venues: ['sim'], symbols: ['BTC-USDT'], end: '2024-08-20' }
  const call = { channel: 'trade', body, accept: NDJSON_TYPE, requestId: 'x', path: '/api/v1/trades/list' } as const
  const { body: stream } = await answerList({ deps, queue }, someUser({ tier: 'pro' }), call)
  let [bytes, lines] = [0, 0]
  let early = 0
  let most = 0
  let sampleAt = SAMPLE_ROWS
  for await (const chunk of stream) {
    const part: Buffer = chunk
    bytes += part.length
    lines += part.reduce((count, code) => (code === LINE_END ? count + 1 : count), 0)
    if (lines < sampleAt) continue
    sampleAt += SAMPLE_ROWS
    collectGarbage()
    const inUse = bytesInUse()
    if (lines <= WARM_ROWS) early = Math.max(early, inUse)
    else most = Math.max(most, inUse)
  }
  // The last line is the end with its cursor.
  expect(lines).toBe(DAYS * ROWS_PER_DAY + 1)
  expect(bytes).toBeGreaterThan(TEXT_BYTES_MIN)
  expect(most - early).toBeLessThan(GROWTH_MAX_BYTES)
})

const LINE_END = 10

/** Heap and buffers; resident memory would include that of other tests in this process. */
function bytesInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
