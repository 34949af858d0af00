import type { TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { findS3Server, type S3Server, startS3Server, WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { someTrade } from '../../../test/records.fixture.ts'
import { createApp } from '../../app.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createLake } from '../lake.ts'
import { openStore } from '@tapeline/objects/open-store'
import { dropSealedDays } from './drop-sealed-days.ts'
import { sealSettledDays } from './seal-settled-days.ts'

const SEALED_DAY = 19_943
const WAITING_DAY = SEALED_DAY + 1
const ROWS = 500
const LAKE_MEMORY_BYTES = 1_000_000
/** `BUCKET_OUTAGE_S` makes the outage longer. */
const OUTAGE_MS = Number(process.env['BUCKET_OUTAGE_S'] ?? 2) * 1_000
const program = findS3Server()

describe.skipIf(program === undefined)(`outage of a real bucket (${program ?? WITHOUT_S3_SERVER})`, () => {
  let lake: TestLake
  let server: S3Server
  let deps: TestLake['deps']
  let app: Server

  beforeAll(async () => {
    lake = await openTestLake()
    server = await startS3Server(program ?? '')
    deps = withEmptyCaches()
    await store(SEALED_DAY)
    expect(await sealSettledDays(deps)).toMatchObject({ sealed: 1 })
    expect(await dropSealedDays(deps, 0)).toBe(1)
    await store(WAITING_DAY)
    deps = withEmptyCaches()
    app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  })
  afterAll(async () => {
    await app.close()
    await lake.close()
    await server.stop()
  })

  function withEmptyCaches(): TestLake['deps'] {
    return { ...lake.deps, lake: createLake(lake.database.pool, openStore(server.config), LAKE_MEMORY_BYTES) }
  }

  async function store(day: number): Promise<void> {
    const trades = Array.from({ length: ROWS }, (_value, at) => someTrade(`${day}${at}`, dayStart(day) + BigInt(at)))
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  }

  async function read(day: number) {
    const range = { start: String(dayStart(day)), end: String(dayStart(day + 1)) }
    const body = { venues: ['sim'], symbols: ['BTC-USDT'], ...range, limit: 1000 }
    return callAs(app, 'market-data', someUser({ tier: 'pro' }), { method: 'POST', url: '/api/v1/trades/list', body })
  }

  test('hot days are read, sealed ones return 503 with Retry-After, and sealing resumes when it is back', async () => {
    await server.kill()
    const until = Date.now() + OUTAGE_MS
    do {
      expect((await read(WAITING_DAY)).json<TradePage>().data).toHaveLength(ROWS)
      const sealed = await read(SEALED_DAY)
      expect([sealed.statusCode, sealed.headers['retry-after']]).toEqual([503, '5'])
      expect(sealed.json<Problem>().code).toBe('data.unavailable')
      await expect(sealSettledDays(deps)).rejects.toThrow('the object store does not answer')
    } while (Date.now() < until)
    await server.restart()
    expect((await read(SEALED_DAY)).json<TradePage>().data).toHaveLength(ROWS)
    expect(await sealSettledDays(deps)).toMatchObject({ sealed: 1 })
    expect(await dropSealedDays(deps, 0)).toBe(1)
    expect((await read(WAITING_DAY)).json<TradePage>().data).toHaveLength(ROWS)
  })
})
