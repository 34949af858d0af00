import { type L2EventPage, L2EventPage as L2EventPageSchema } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import type { L2Record } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'

const NOW = new Date('2026-03-20T12:00:00Z')
const HOUR_MS = 3_600_000
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => NOW, 'a secret of at least 32 characters')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

function nanosecondsAgo(hours: number): string {
  return `${NOW.getTime() - hours * HOUR_MS}000123`
}

beforeAll(async () => {
  await storeAtOnce(pool, [{ instrumentId: 1, trades: [], l2Events: book() }])
})

function book(): L2Record[] {
  const types = ['snapshot', 'update', 'gap', 'snapshot'] as const
  return types.map((type, index) =>
    someL2Event(`l${index}`, nanosecondsAgo(3 - index / 2), {
      type,
      depthLimit: type === 'snapshot' ? 1000 : null,
      flags: 1,
      ...(type === 'gap' ? { gap: { reason: 'update_ids_missing', fromTs: nanosecondsAgo(2.5) } } : {}),
    }),
  )
}

async function books(body: object): Promise<L2EventPage> {
  const response = await callAs(app, 'market-data', pro, { method: 'POST', url: '/api/v1/l2events/list', body })
  expect(response.statusCode, response.body).toBe(200)
  const page = response.json<L2EventPage>()
  expect([...Value.Errors(L2EventPageSchema, page)]).toEqual([])
  return page
}

test('one event per message, with the gap as an event and in the coverage', async () => {
  const { data, coverage } = await books({ symbols: ['BTC-USDT'], venues: ['sim'] })
  expect(
    data.map(({ type, sequence, prev_sequence, book_epoch, depth_limit }) => [
      type,
      sequence,
      prev_sequence,
      book_epoch,
      depth_limit,
    ]),
  ).toEqual([
    ['snapshot', '1', null, 1, 1000],
    ['update', '2', '1', 1, null],
    ['gap', '3', '2', 2, null],
    ['snapshot', '4', '3', 3, 1000],
  ])
  expect(data[0]).toMatchObject({
    flags: ['replayed'],
    bids: [
      ['10', '1'],
      ['9', '2'],
      ['8', '3'],
    ],
    checksum: null,
    checksum_status: 'absent',
  })
  const gap = { from_ts: '2026-03-20T09:30:00.000000123Z', to_ts: '2026-03-20T10:00:00.000000123Z' }
  expect(data[2]?.gap).toEqual({ reason: 'update_ids_missing', from_sequence: '2', recoverable: false, ...gap })
  expect(coverage[1]).toMatchObject({ state: 'gap', from: gap.from_ts, to: gap.to_ts, reason: 'update_ids_missing' })
})

test.each([
  ['within the gap', '09:40', '09:50', true],
  ['across its beginning', '09:20', '09:40', true],
  ['across its end', '09:50', '10:10', true],
  ['around it', '09:00', '11:00', true],
  ['before it', '09:00', '09:30', false],
  ['after it', '10:01', '11:00', false],
])('a range %s: the coverage has every gap that touches the range', async (_where, from, until, isListed) => {
  const [start, end] = [from, until].map((time) => `2026-03-20T${time}:00Z`)
  for (const order of ['asc', 'desc']) {
    const { coverage } = await books({ symbols: ['BTC-USDT'], venues: ['sim'], start, end, order })
    expect(coverage.filter(({ state }) => state === 'gap')).toHaveLength(isListed ? 1 : 0)
  }
})

test('depth cuts each side of a message, types choose messages', async () => {
  const { data } = await books({ venues: ['sim'], types: ['update'], depth: 2 })
  expect(data).toMatchObject([
    {
      type: 'update',
      bids: [
        ['10', '1'],
        ['9', '2'],
      ],
      asks: [
        ['11', '1'],
        ['12', '0'],
      ],
    },
  ])
  expect(
    (await books({ venues: ['sim'], types: ['gap', 'snapshot'], order: 'desc' })).data.map(({ sequence }) => sequence),
  ).toEqual(['4', '3', '1'])
})

test('each page lists the first 100 gaps that lie ahead of it, in either order, and says when there are more', async () => {
  const times = Array.from({ length: 205 }, (_value, index) => nanosecondsAgo(20 - index / 100))
  const gapEvents = times.map((time, index) =>
    someL2Event(`g${index}`, time, { type: 'gap', gap: { reason: 'update_ids_missing', fromTs: time } }),
  )
  await storeAtOnce(pool, [{ instrumentId: 2, trades: [], l2Events: gapEvents }])
  for (const order of ['asc', 'desc']) {
    const expected = order === 'asc' ? times : times.toReversed()
    let body: object = { symbols: ['ETH-USDT'], venues: ['sim'], order, time_format: 'unix_ns', limit: 90 }
    for (const [page, isTruncated] of [true, true, false].entries()) {
      const { coverage, warnings, next_cursor } = await books(body)
      const gaps = coverage.filter(({ state }) => state === 'gap').map(({ to }) => to)
      const first = Math.max(0, page * 90 - 1)
      expect(gaps, `${order}, page ${page}`).toEqual(expected.slice(first, first + 100))
      expect(warnings.map(({ code }) => code)).toEqual(isTruncated ? ['coverage.truncated'] : [])
      body = { cursor: next_cursor }
    }
  }
})
