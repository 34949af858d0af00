import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findTool } from '../../deploy/tools/find-tool.ts'
import type { LoadSummary } from '../lib/summary.ts'

const K6 = findTool('k6')
const why = K6 === undefined ? ' (skipped: there is no k6; npm run setup:tools -- k6)' : ''
const RUN_TIMEOUT_MS = 300_000
const HOUR_MS = 3_600_000
const dir = mkdtempSync(join(tmpdir(), 'running-scripts-'))

/** Answers as a gateway does, as far as the journeys read the answers, and records the calls. */
const calls: { path: string; token: string; body: string }[] = []
const server = createServer((request, response) => {
  void answer(request).then((body) => response.end(JSON.stringify(body)))
})
let url = ''
let first = ''
let last = ''

async function answer(request: IncomingMessage): Promise<object> {
  const path = request.url ?? ''
  const body = await text(request)
  calls.push({ path, token: String(request.headers.authorization).replace('Bearer ', ''), body })
  if (path.endsWith('/login')) return { data: { jwtToken: tokenOf('new', 15) } }
  if (!path.endsWith('/instruments')) return { data: [], has_more: false }
  return { data: [{ venue: 'sim', symbol: 'BTC-USDT', first_ts_event: first, last_ts_event: last }] }
}

function tokenOf(session: string, minutes: number): string {
  const claims = { sid: session, exp: Math.floor(Date.now() / 1_000) + minutes * 60 }
  return `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
}

const sessionOf = (token: string): string =>
  String(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid)

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  calls.length = 0
})
afterAll(() => {
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Runs a journey for three seconds against the recorded gateway, whose answers need not pass its checks. */
async function run(journey: string, groups: object, perSecond: number): Promise<LoadSummary> {
  const files = { accounts: join(dir, 'accounts.json'), summary: join(dir, 'summary.json') }
  writeFileSync(files.accounts, JSON.stringify({ gateways: [url], groups }))
  const words = ['run', '--no-usage-report', '--quiet', '--address=', join(import.meta.dirname, `${journey}.ts`)]
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    ACCOUNTS_FILE: files.accounts,
    SUMMARY_FILE: files.summary,
    PROFILE: 'smoke',
    RATE: String(perSecond),
    SECONDS: '3',
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  execFile(K6 ?? 'k6', words, { env }, () => resolve())
  await promise
  return JSON.parse(readFileSync(files.summary, 'utf8'))
}

const account = { email: 'a@example.com', password: 'p', apiKey: 'k', tier: 'pro' }

describe.skipIf(K6 === undefined)(`k6 runs the scripts${why}`, { timeout: RUN_TIMEOUT_MS }, () => {
  test('a dashboard is read with the prepared token until it is about to expire, then with that of a new session', async () => {
    const owners = [
      { ...account, id: 'a', token: tokenOf('expired', -1) },
      { ...account, id: 'b', token: tokenOf('prepared', 14) },
    ]
    await run('dashboard-during-load', { owners }, 400)
    const read = calls.filter(({ path }) => path.startsWith('/api/v1/internal/') && !path.endsWith('/login'))
    expect([...new Set(read.map(({ token }) => sessionOf(token)))].toSorted()).toEqual(['new', 'prepared'])
  })

  test('pages begin at times that have records, and the result states of how many hours they are', async () => {
    first = new Date(Date.now() - 48 * HOUR_MS).toISOString().replace('Z', '123456Z')
    last = new Date().toISOString()
    const readers = [{ ...account, id: 'a', token: '' }]
    const { historyHours } = await run('page-30-days', { readers }, 50)
    const starts = calls
      .filter(({ path }) => path === '/api/v1/trades/list')
      .map(({ body }): string => JSON.parse(body).start)
    expect(starts.length).toBeGreaterThan(3)
    expect(starts.filter((start) => Date.parse(start) < Date.parse(first) || start > last)).toEqual([])
    expect(historyHours).toBeCloseTo(48, 1)
  })
})
