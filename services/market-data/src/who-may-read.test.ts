import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, describe, expect, test } from 'vitest'
import { HOUR_MS, nanosecondsAgo, NOW, openServiceWithTrades, SECRET } from '../test/service-with-trades.fixture.ts'
import { createDeps } from './deps.ts'
import { listRecords } from './records/list-records.ts'

const free = someUser()
const { pool, app, post, trades, close } = await openServiceWithTrades()
afterAll(close)

describe('cursors', () => {
  test('an altered cursor, or one of another installation, is rejected', async () => {
    const { next_cursor: cursor } = await trades({ symbols: ['BTC-USDT'], limit: 1 })
    if (cursor === null) throw new Error('no cursor')
    const flipped = cursor.slice(0, 40) + (cursor[40] === 'A' ? 'B' : 'A') + cursor.slice(41)
    for (const bad of [flipped, `${cursor}=`, cursor.slice(0, -4), `!${cursor}`]) {
      expect((await post('trades', { cursor: bad })).json()).toMatchObject({ code: 'cursor.invalid' })
    }
    expect((await post('l2events', { cursor })).json()).toMatchObject({ code: 'cursor.invalid' })
  })

  test('a cursor is accepted together with its own filter and rejected with another one', async () => {
    const filter = { symbols: ['BTC-USDT'], price: { gte: '1' }, limit: 1 }
    const { next_cursor: cursor } = await trades(filter)
    expect((await trades({ ...filter, price: { gte: '1.0' }, cursor })).data).toMatchObject([{ sequence: '2' }])
    const response = await post('trades', { ...filter, side: 'buy', cursor })
    expect(response.json()).toMatchObject({ status: 400, code: 'cursor.filter_mismatch', errors: [{ field: '/side' }] })
  })

  test('a cursor whose position was dropped by retention has expired', async () => {
    const { next_cursor: cursor } = await trades({ symbols: ['SOL-USDT', 'BTC-USDT'], venues: ['sim'], limit: 1 })
    await pool.query(`update channel set retained_from = $1 where instrument_id = 3`, [nanosecondsAgo(25)])
    const response = await waitUntil('the instruments are read again', async () => {
      const answer = await post('trades', { cursor })
      return answer.statusCode === 200 ? undefined : answer
    })
    expect(response.json()).toMatchObject({ status: 410, code: 'cursor.expired' })
  })

  test('paging reads data older than the retention of another instrument, until retention drops more', async () => {
    const setRetainedFrom = (hours: number) =>
      pool.query(`update channel set retained_from = $1 where instrument_id = 3`, [nanosecondsAgo(hours)])
    await setRetainedFrom(25)
    const filter = { symbols: ['SOL-USDT', 'BTC-USDT'], venues: ['sim'], limit: 1 }
    const reply = await waitUntil('the instruments are read again', async () => {
      const first = await trades(filter)
      const { statusCode } = await post('trades', { cursor: first.next_cursor })
      return statusCode === 200 ? first : undefined
    })
    expect(reply.data).toMatchObject([{ trade_id: 't30' }])
    expect((await trades({ cursor: reply.next_cursor })).data).toMatchObject([{ trade_id: 't20' }])
    await setRetainedFrom(24)
    const response = await waitUntil('the instruments are read again', async () => {
      const answer = await post('trades', { cursor: reply.next_cursor })
      return answer.statusCode === 200 ? undefined : answer
    })
    expect(response.json()).toMatchObject({ status: 410, code: 'cursor.expired' })
  })
})

test('without historicalData, polling an inactive instrument is never rejected for a start that the client did not send', async () => {
  const at = (hours: number) => {
    const later = new Date(NOW.getTime() + hours * HOUR_MS)
    return createDeps(pool, () => later, SECRET)
  }
  const silent = { symbols: ['ETH-USDT'], venues: ['sim'] }
  let cursor = (await listRecords(at(0), free, 'trade', silent)).nextCursor
  for (const hours of [0.01, 0.5, 3, 40]) {
    const page = await listRecords(at(hours), free, 'trade', { ...silent, cursor: cursor ?? 'none' })
    expect(page.rows).toEqual([])
    cursor = page.nextCursor
  }
  const named = { ...silent, start: '2026-03-19T12:00:00Z' }
  const own = await listRecords(at(0), free, 'trade', named)
  const readNext = (hours: number) => listRecords(at(hours), free, 'trade', { cursor: own.nextCursor })
  expect((await readNext(0.9)).rows).toEqual([])
  await expect(readNext(1.1)).rejects.toMatchObject({ status: 403, errors: [{ field: '/cursor' }] })
})

describe('access to records', () => {
  test('without historicalData, reading begins 24 hours ago and older ranges are rejected', async () => {
    expect((await trades({ venues: ['sim'] }, free)).data.map(({ trade_id }) => trade_id)).toEqual(['t20', 't1'])
    expect((await trades({ venues: ['sim'], order: 'desc' }, free)).data).toHaveLength(2)
    for (const body of [
      { start: '2026-03-19T11:59:59Z' },
      { end: '2026-03-19T12:00:00Z' },
      { start: '2013-10-07', end: '2013-10-08' },
    ]) {
      const response = await post('trades', body, free)
      expect(response.json()).toMatchObject({
        status: 403,
        code: 'tier.history_not_included',
        detail: expect.stringContaining('Data older than 24 hours is not part of your plan'),
      })
    }
    const { next_cursor: cursor } = await trades({ venues: ['sim'], limit: 1 })
    expect((await post('trades', { cursor }, free)).json()).toMatchObject({ code: 'tier.history_not_included' })
    const own = await trades({ venues: ['sim'], limit: 1 }, free)
    expect((await trades({ cursor: own.next_cursor }, free)).data).toMatchObject([{ trade_id: 't1' }])
  })

  test('a test key reads the simulated venue only', async () => {
    const key = { ...someUser({ tier: 'pro', keyId: 'k1' }), environment: 'test' as const }
    expect(new Set((await trades({ symbols: ['BTC-USDT'] }, key)).data.map(({ venue }) => venue))).toEqual(
      new Set(['sim']),
    )
    expect((await post('trades', { venues: ['sim', 'binance'] }, key)).json()).toMatchObject({
      status: 403,
      code: 'tier.environment_not_included',
      errors: [{ field: '/venues/0' }],
    })
    const { coverage } = await trades({ symbols: ['BTC-USDT'] }, key)
    expect(coverage.map(({ venue }) => venue)).toEqual(['sim'])
    const named = await trades({ symbols: ['BTC-USDT'], venues: ['binance'], limit: 1 })
    expect((await post('trades', { cursor: named.next_cursor }, key)).json()).toMatchObject({ status: 403 })
    const open = await trades({ symbols: ['BTC-USDT'], order: 'desc', limit: 1 })
    expect((await trades({ cursor: open.next_cursor }, key)).data.map(({ venue }) => venue)).not.toContain('binance')
    const list = await callAs(app, 'market-data', key, { method: 'GET', url: '/api/v1/instruments' })
    expect(list.json().data.map(({ venue }: { venue: string }) => venue)).toEqual(['sim', 'sim', 'sim', 'sim'])
  })

  test('a key needs the scope of the channel, and anonymous callers are rejected', async () => {
    const key = someUser({ tier: 'pro', keyId: 'k1', scopes: ['trades:read'] })
    expect((await post('trades', {}, key)).statusCode).toBe(200)
    expect((await post('l2events', {}, key)).json()).toMatchObject({ status: 403, code: 'api_key.scope_missing' })
    expect((await post('trades', {}, { kind: 'anonymous' })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url: '/api/v1/trades/list', payload: {} })).statusCode).toBe(401)
  })
})

test('a key reads only in a tier with API access; a session does not need it', async () => {
  const features = ['realTimeData', 'historicalData']
  const refused = await post('trades', {}, someUser({ tier: 'pro', keyId: 'k1', features }))
  expect(refused.json()).toMatchObject({
    status: 403,
    code: 'tier.feature_not_included',
    detail: expect.stringMatching(/^Calls with an API key are not part of your plan\. \S/),
  })
  expect((await post('trades', {}, someUser({ tier: 'pro', features }))).statusCode).toBe(200)
})
