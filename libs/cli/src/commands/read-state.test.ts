import { expect, test } from 'vitest'
import { json, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli } from '../../test/run-cli.fixture.ts'

const book = {
  state: 'known',
  bids: [['99', '1']],
  asks: [
    ['101', '2'],
    ['102', '3'],
  ],
  gap: null,
}
const windows = [{ scope: 'account', policy: 'min', used: 3, limit: 60, remaining: 57, reset_ms: 1_000 }]
const instruments = ['BTC-USDT', 'ETH-USDT'].map((symbol) => ({ venue: 'sim', symbol }))
const trade = { id: 't1', venue: 'sim', symbol: 'BTC-USDT', price: '1' }

async function startAll() {
  const server = await startApiServer({
    '/api/v1/l2events/book': json({ data: book, request_id: 'r' }),
    '/api/v1/limits': json({ success: true, message: '', data: { tier: 'free', windows } }),
    '/api/v1/instruments': json({ data: instruments, request_id: 'r' }),
    '/api/v1/stream': (reply, { query }) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      const n = query.get('cursor') === 'c1' ? 2 : 1
      reply.end(`event: trades\ndata: ${JSON.stringify({ data: [{ ...trade, id: `t${n}` }], cursor: `c${n}` })}\n\n`)
    },
  })
  const env = { TAPELINE_URL: server.url, TAPELINE_KEY: 'tl_test_abcdefgh' }
  return { ...server, run: async (line: string) => runCli(line.split(' '), { env }) }
}

test('a book: levels from the highest price down, or the whole answer', async () => {
  const { run, requests } = await startAll()
  expect((await run('book BTC-USDT --venue sim --at 2026-01-02 --format csv')).out).toBe(
    'side,price,size\r\nask,102,3\r\nask,101,2\r\nbid,99,1\r\n',
  )
  expect(requests[0]?.body).toEqual({ venue: 'sim', symbol: 'BTC-USDT', depth: 10, at: '2026-01-02T00:00:00Z' })
  expect(JSON.parse((await run('book BTC-USDT --venue sim')).out)).toEqual(book)
})

test('limits and instruments', async () => {
  const { run } = await startAll()
  expect((await run('limits --format csv')).out).toBe(
    'scope,policy,used,limit,remaining,reset_ms\r\naccount,min,3,60,57,1000\r\n',
  )
  expect(JSON.parse((await run('limits --format json')).out)).toMatchObject({ tier: 'free', windows })
  expect(JSON.parse((await run('instruments ETH-USDT --venue sim')).out)).toMatchObject({ symbol: 'ETH-USDT' })
})

test('a stream that is cut continues at its cursor', async () => {
  const { run, requests } = await startAll()
  const { out, code } = await run('stream BTC-USDT --venue sim --limit 2 --format json')
  expect(code).toBe(0)
  expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toEqual(['t1', 't2'])
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    channel: 'trades',
    symbols: 'BTC-USDT',
    venues: 'sim',
  })
  expect(requests[1]?.query.get('cursor')).toBe('c1')
})
