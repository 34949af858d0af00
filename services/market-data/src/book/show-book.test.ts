import type { BookAnswer, Book } from '@tapeline/contracts/market-data/book'
import { BookAnswer as BookAnswerSchema } from '@tapeline/contracts/market-data/book'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someL2Event } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { L2Record, Level } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const NOW = new Date('2026-03-20T12:00:30Z')
const BTC = 1
const ETH = 2
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => NOW, 'a secret of at least 32 characters')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

/** The given number of seconds after 11:00, in nanoseconds. */
function at(seconds: number): string {
  return String((BigInt(Date.parse('2026-03-20T11:00:00Z')) + BigInt(Math.round(seconds * 1000))) * 1_000_000n)
}

function event(seconds: number, fields: Partial<L2Record>): L2Record {
  return someL2Event(`e${seconds}`, at(seconds), { bids: [], asks: [], ...fields })
}

const bid = (price: string, size: string) => ({ bids: [[price, size] satisfies Level] })

beforeAll(async () => {
  const l2Events = [
    event(1, { ...bid('1', '1') }),
    event(2, { type: 'snapshot', bids: [['10', '1']], asks: [['11', '2']] }),
    // Stamped before the receipt of the snapshot that it follows.
    event(1.9, { ...bid('9', '4') }),
    event(3, { bids: [['10', '0']], asks: [['12', '5']] }),
    event(6, { type: 'gap', gap: { reason: 'update_ids_missing', fromTs: at(4) } }),
    event(6.5, { ...bid('8', '1') }),
    event(8, { type: 'snapshot', bids: [['20', '1']], asks: [] }),
    event(9, { type: 'clear' }),
  ]
  await storeAtOnce(pool, [{ instrumentId: BTC, trades: [], l2Events }])
})

async function post(body: object, actor = pro) {
  return callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/l2events/book', body })
}

async function book(body: object): Promise<Book> {
  const response = await post({ venue: 'sim', symbol: 'BTC-USDT', ...body })
  expect(response.statusCode, response.body).toBe(200)
  const answer = response.json<BookAnswer>()
  expect([...Value.Errors(BookAnswerSchema, answer)]).toEqual([])
  return answer.data
}

test('the largest time is answered with the latest book', async () => {
  expect(await book({ at: String(NANOSECONDS_MAX) })).toMatchObject({ sequence: '8', ts_event: expect.any(String) })
})

test('a book has the fields of the contract', async () => {
  expect(await book({ at: at(3.5) })).toEqual({
    venue: 'sim',
    symbol: 'BTC-USDT',
    venue_symbol: 'BTC-USDT',
    instrument_id: 1,
    at: '2026-03-20T11:00:03.500000000Z',
    state: 'known',
    sequence: '4',
    book_epoch: 1,
    ts_event: '2026-03-20T11:00:03.000000000Z',
    ts_recv: '2026-03-20T11:00:03.000000000Z',
    depth_limit: null,
    bids: [['9', '4']],
    asks: [
      ['11', '2'],
      ['12', '5'],
    ],
    levels: 3,
    gap: null,
    complete_through: null,
  })
})

test.each([
  [1.95, 'unknown', 'no_snapshot', []],
  [
    2,
    'known',
    undefined,
    [
      ['10', '1'],
      ['9', '4'],
    ],
  ],
  [4, 'known', undefined, [['9', '4']]],
  [5, 'unknown', 'update_ids_missing', []],
  [6, 'unknown', 'update_ids_missing', []],
  [7, 'unknown', 'update_ids_missing', []],
  [8, 'known', undefined, [['20', '1']]],
  [9, 'known', undefined, []],
])('%d seconds in, the book is %s', async (seconds, state, reason, bids) => {
  const found = await book({ at: at(seconds) })
  expect(found).toMatchObject({ state, bids })
  expect(found.gap?.reason).toBe(reason)
})

test('depth limits each side, times may be nanoseconds, and the present is the default', async () => {
  expect(await book({ at: at(2), depth: 1, time_format: 'unix_ns' })).toMatchObject({ bids: [['10', '1']], at: at(2) })
  expect(await book({})).toMatchObject({ at: '2026-03-20T12:00:30.000000000Z', book_epoch: 4, bids: [], asks: [] })
})

test.each([
  [{ venue: 'sim' }, 400, '/symbol'],
  [{ venue: 'sim', symbol: 'BTC-USDT', at: 'noon' }, 400, '/at'],
  [{ venue: 'sim', symbol: 'BTC-USDT', depth: 5001 }, 400, '/depth'],
  [{ venue: 'sim', symbol: 'XYZ-USDT' }, 404, '/symbols'],
])('%j is rejected with %i and a pointer to %s', async (body, status, field) => {
  const response = await post(body)
  expect(response.statusCode, response.body).toBe(status)
  expect(response.json()).toMatchObject({ errors: [{ field }] })
})

test('a tier without history reads books of the last 24 hours', async () => {
  const body = { venue: 'sim', symbol: 'BTC-USDT' }
  expect((await post({ ...body, at: '2026-03-19T12:00:29Z' }, someUser())).json()).toMatchObject({
    code: 'tier.history_not_included',
    errors: [{ field: '/at' }],
  })
  expect((await post({ ...body, at: '2026-03-19T12:00:31Z' }, someUser())).statusCode).toBe(200)
})

test('late events change the books behind a checkpoint', async () => {
  const levels = Array.from({ length: 400 }, (_value, index): Level => [String(1_000 - index), '1'])
  const updates = Array.from({ length: 40 }, (_value, index) =>
    event(100 + index, { bids: levels.map(([price]): Level => [price, String(index + 1)]) }),
  )
  const opening = event(99, { type: 'snapshot', bids: levels, asks: [['2000', '1']] })
  await storeAtOnce(pool, [{ instrumentId: ETH, trades: [], l2Events: [opening, ...updates] }])
  const write = createCheckpointWriter(createDeps(pool, () => NOW, 'a secret of at least 32 characters'))
  expect(await write()).toBeGreaterThan(2)
  const eth = (seconds: number) => book({ symbol: 'ETH-USDT', at: at(seconds), depth: 1 })
  expect(await eth(130)).toMatchObject({ bids: [['1000', '31']], sequence: '32' })
  await storeAtOnce(pool, [
    { instrumentId: ETH, trades: [], l2Events: [event(120.5, { type: 'snapshot', bids: [['1', '1']], asks: [] })] },
  ])
  expect(await eth(120)).toMatchObject({ bids: [['1000', '21']], sequence: '22' })
  expect(await eth(120.7)).toMatchObject({ bids: [['1', '1']], sequence: '42' })
  expect(await eth(130)).toMatchObject({ bids: [['1000', '31']], sequence: '32' })
})

test('a checkpoint between an update and a later one with an earlier time loses neither', async () => {
  const levels = Array.from({ length: 1_000 }, (_value, index): Level => [String(1_000 - index), '1'])
  const opening = event(200, { type: 'snapshot', bids: levels, asks: [['2000', '1']] })
  const updates = Array.from({ length: 30 }, (_value, index) => {
    // Every second update is stamped a second and a half before the one that it follows.
    const seconds = 201 + index - (index % 2) * 2.5
    return event(seconds, { bids: levels.map(([price]): Level => [price, String(index + 1)]) })
  })
  await storeAtOnce(pool, [{ instrumentId: 3, trades: [], l2Events: [opening, ...updates] }])
  await createCheckpointWriter(createDeps(pool, () => NOW, 'a secret of at least 32 characters'))()
  const { rowCount } = await pool.query('select from book_checkpoint where instrument_id = 3')
  expect(rowCount).toBe(7)
  for (let index = 0; index < updates.length; index += 2) {
    const found = await book({ symbol: 'SOL-USDT', at: at(201 + index), depth: 1 })
    expect(found).toMatchObject({ bids: [['1000', String(index + 2)]], sequence: String(index + 3) })
  }
})

test('an import inside of a gap makes the book known from its snapshot to its last event', async () => {
  const spy = async (seconds: number) => {
    const { state, bids, gap } = await book({ symbol: 'SPY-USD', at: at(seconds) })
    return [state, bids[0]?.[1], gap?.reason]
  }
  const gap = { reason: 'connection_lost', fromTs: at(310) }
  const store = (l2Events: L2Record[]) => storeAtOnce(pool, [{ instrumentId: 4, trades: [], l2Events }])
  await store([event(300, { type: 'snapshot', ...bid('10', '1') }), event(310, bid('10', '2'))])
  await store([event(400, { type: 'gap', gap }), event(401, { type: 'snapshot', ...bid('10', '3') })])
  expect(await spy(345)).toEqual(['unknown', undefined, 'connection_lost'])
  const levels = Array.from({ length: 3_000 }, (_value, index): Level => [String(9_000 - index), '1'])
  const imported = [340, 341, 342, 350].map((seconds) =>
    event(seconds, { bids: [['9999', String(seconds)], ...levels] }),
  )
  await store([event(330, { type: 'snapshot', ...bid('9999', '330') }), ...imported])
  const expectBooks = async () => {
    expect(await spy(320)).toEqual(['unknown', undefined, 'connection_lost'])
    expect(await spy(335)).toEqual(['known', '330', undefined])
    expect(await spy(345)).toEqual(['known', '342', undefined])
    expect(await spy(360)).toEqual(['unknown', undefined, 'connection_lost'])
    expect(await spy(401)).toEqual(['known', '3', undefined])
  }
  await expectBooks()
  expect(
    await createCheckpointWriter(createDeps(pool, () => NOW, 'a secret of at least 32 characters'))(),
  ).toBeGreaterThan(0)
  await expectBooks()
})
