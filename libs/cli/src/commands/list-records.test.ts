import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, problem, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli, startCli } from '../../test/run-cli.fixture.ts'

const TRADES = '/api/v1/trades/list'
const key = 'tl_test_abcdefgh'
const trade = (n: number) => ({
  id: `t${n}`,
  venue: 'sim',
  symbol: 'BTC-USDT',
  ts_event: `2026-01-02T03:04:0${n}.000000000Z`,
  sequence: String(n),
  price: `${n}0000.5`,
  size: '0.10',
  side: 'buy',
  flags: ['a', 'b'],
  trade_id: null,
})
const page = (data: object[], next: string | null = null) =>
  json({ data, next_cursor: next, has_more: next !== null, complete_through: null, coverage: [], warnings: [] })

async function startTrades(answer = page([trade(1), trade(2), trade(3)], 'c1')) {
  const server = await startApiServer({ [TRADES]: answer })
  return { ...server, env: { TAPELINE_URL: server.url, TAPELINE_KEY: key } }
}

test('a pipe gets NDJSON: filters are sent, pages are read until the limit', async () => {
  const { env, requests } = await startTrades()
  const args = 'trades BTC-USDT,ETH-USDT --venue sim --side buy --since 2026-01-02 --limit 5'.split(' ')
  const { out, err, code } = await runCli(args, { env })
  expect({ err, code }).toEqual({ err: '', code: 0 })
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id),
  ).toEqual('t1 t2 t3 t1 t2'.split(' '))
  expect(requests.map(({ body }) => body)).toEqual([
    {
      symbols: ['BTC-USDT', 'ETH-USDT'],
      venues: ['sim'],
      side: 'buy',
      start: '2026-01-02T00:00:00Z',
      order: 'asc',
      limit: 5,
    },
    { cursor: 'c1' },
  ])
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
})

test('table, JSON and CSV', async () => {
  const { env } = await startTrades(page([trade(1), { ...trade(2), price: '7', symbol: 'a,"b"\u001B[2J' }]))
  const table = (await runCli(['trades', '--format', 'table'], { env })).out.trimEnd().split('\n')
  expect(table).toHaveLength(3)
  expect(table[0]).toMatch(/^TS_EVENT +VENUE +SYMBOL +SIDE +PRICE +SIZE +SEQUENCE$/)
  expect(table[2]).toMatch(/ a,"b"\?\[2J +buy +7 +0\.10 +2$/)
  expect(JSON.parse((await runCli(['trades', '--format', 'json'], { env })).out)).toHaveLength(2)
  const csv = (await runCli(['trades', '--format=csv'], { env })).out.split('\r\n')
  expect(csv[0]).toMatch(/^ts_event,venue,symbol,side,price,size,sequence,ts_recv,/)
  expect(csv[2]).toContain('"a,""b""\u001B[2J",buy,7,0.10,2,')
  expect(csv[2]).toContain('"[""a"",""b""]"')
})

test('without records the output is an empty array, a header, or nothing', async () => {
  const { env } = await startTrades(page([]))
  expect((await runCli(['trades', '--format', 'json'], { env })).out).toBe('[]\n')
  expect((await runCli(['trades', '--format', 'csv'], { env })).out).toMatch(/^ts_event,[^\n]*\r\n$/)
  expect((await runCli(['trades'], { env })).out).toBe('')
})

test('unknown names and missing data are reported once', async () => {
  const warnings = [
    { code: 'symbol.unknown', message: 'There is no symbol TYPO\u001B[2J here.' },
    { code: 'page.short', message: 'This page is short.' },
  ]
  const part = { venue: 'sim', symbol: 'BTC-USDT', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const none = { ...part, from: null, to: null, state: 'none', reason: 'nothing_stored' }
  const coverage = [{ ...part, state: 'stored', reason: 'retention' }, none]
  const gaps = Array.from({ length: 6 }, () => ({ ...part, state: 'gap', reason: 'connection_lost' }))
  const body = { data: [trade(1)], next_cursor: 'c1', has_more: true, coverage: [...coverage, ...gaps], warnings }
  const { env } = await startTrades(json(body))
  const known = 'There is no symbol TYPO?[2J here.\n'
  expect(await runCli('trades --limit 3'.split(' '), { env })).toMatchObject({ code: 0, err: known })
  const gap = 'sim BTC-USDT: no data from 2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z (connection_lost).\n'
  const cut = 'sim BTC-USDT: no data before 2026-01-01T00:00:00Z (retention).\n'
  expect((await runCli('trades --since 2025-01-01 --limit 3'.split(' '), { env })).err).toBe(
    `${known}${cut}${gap}2 more parts of the range have no data.\n`,
  )
  const empty = await startTrades(json({ ...body, data: [], next_cursor: null, has_more: false, warnings: [] }))
  const nothing = await runCli(['trades'], { env: empty.env })
  expect(nothing).toMatchObject({ code: 0, out: '', err: 'sim BTC-USDT: no data in this range (nothing_stored).\n' })
})

test.skipIf(!existsSync('/dev/full'))('a full disk ends with 1 and its message', () => {
  const command = 'exec "$0" "$@" > /dev/full'
  const main = join(import.meta.dirname, '../main.ts')
  const args = ['-c', command, process.execPath, '--conditions=tapeline-source', main, 'completion', 'bash']
  const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^ENOSPC: no space left on device[^\n]*\n$/)
})

test('the version is that of the package', async () => {
  expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('wrong usage ends with 2 before anything is sent', async () => {
  const { env, requests } = await startTrades()
  const wrong = [
    '',
    'nope',
    'trades --limit 0',
    'trades --side up',
    'trades --nope',
    'trades --since yesterday',
    'trades --follow --until 2026-01-01',
    'stream --format json',
    'book BTC-USDT',
    'files download',
    'limits now',
    'logout staging',
    'usage 30d',
  ]
  for (const line of wrong) {
    const { code, out, err } = await runCli(line.split(' ').filter(Boolean), { env })
    expect({ line, code, out }).toEqual({ line, code: 2, out: '' })
    expect(err, line).not.toMatch(/ {4}at |^$/)
  }
  expect(requests).toEqual([])
  expect(await runCli(['trades'])).toMatchObject({ code: 2, err: expect.stringContaining('TAPELINE_KEY') })
})

test('rejected calls exit with 3 and name field and request, an unavailable platform with 4', async () => {
  const refused = await startTrades(
    problem(400, 'request.invalid', [{ field: 'symbols', message: 'unknown\u001B[2J symbol' }]),
  )
  const { code, err } = await runCli(['trades'], { env: refused.env })
  expect({ code, err }).toEqual({
    code: 3,
    err: 'request.invalid: It is request.invalid. (request r1)\n  symbols: unknown?[2J symbol\n',
  })
  const unavailable = await startTrades(problem(503, 'data.unavailable'))
  expect(await runCli(['trades'], { env: unavailable.env })).toMatchObject({ code: 4, out: '' })
  const env = { TAPELINE_URL: 'http://127.0.0.1:1', TAPELINE_KEY: key }
  expect(await runCli(['trades'], { env })).toMatchObject({ code: 4, err: expect.stringContaining('No response from') })
})

test('--follow continues after an interruption longer than other calls wait for', async () => {
  let calls = 0
  const { env } = await startTrades((reply, request) => {
    calls += 1
    const answer = calls === 1 || calls > 6 ? page([trade(Math.min(calls, 2))], 'c1') : problem(503, 'data.unavailable')
    reply.setHeader('retry-after', '0')
    answer(reply, request)
  })
  const { out, code } = await runCli(['trades', '--follow', '--limit', '2'], { env })
  expect(code).toBe(0)
  expect(out.trimEnd().split('\n')).toHaveLength(2)
})

test('--follow ends without an error by Ctrl-C and when the reader of its pipe ends', async () => {
  const { env } = await startTrades(page([trade(1)], 'c1'))
  const interrupted = startCli(['trades', '--follow'], { env })
  let errors = ''
  interrupted.stderr.on('data', (chunk) => (errors += String(chunk)))
  await once(interrupted.stdout, 'data')
  interrupted.kill('SIGINT')
  expect(await once(interrupted, 'exit')).toEqual([130, null])

  const piped = startCli(['trades', '--follow'], { env })
  piped.stderr.on('data', (chunk) => (errors += String(chunk)))
  await once(piped.stdout, 'data')
  piped.stdout.destroy()
  expect(await once(piped, 'exit')).toEqual([0, null])
  expect(errors).toBe('')
})
