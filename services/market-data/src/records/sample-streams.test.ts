import type { AddressInfo } from 'node:net'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'

const START_NS = BigInt(Date.now() - 60_000) * 1_000_000n
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
let noted = 0
const readers = { note: () => void (noted += 1) }
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, readers })
const anonymous = { kind: 'anonymous' } as const
let url: string
let stored = 0

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/api/v1/sample/stream/BTC-USDT`
  await store(200)
})
afterAll(async () => {
  await app.close()
  await drop()
})

async function store(count: number): Promise<void> {
  const trades = Array.from({ length: count }, (_value, n) =>
    someTrade(`t${stored + n}`, START_NS + BigInt(stored + n) * 1_000_000n),
  )
  stored += count
  await storeAtOnce(pool, [{ instrumentId: 1, trades, l2Events: [] }])
}

/** Server-sent events as a browser reads them. */
async function open(address: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const input = { caller: 'gateway', audience: 'market-data', actor: anonymous, nowMs: Date.now() }
  const token = signActorToken(testInternalKeys, input)
  const response = await fetch(address, { headers: { [ACTOR_HEADER]: token, ...headers }, signal: controller.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => undefined)
  const sequences = () =>
    [...text.matchAll(/^data: (\{"type":"trades".*)$/gm)].flatMap(([, json = '']) =>
      (JSON.parse(json) as { data: { sequence: string }[] }).data.map(({ sequence }) => Number(sequence)).toReversed(),
    )
  return {
    response,
    sequences,
    lastEventId: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '',
    async close() {
      controller.abort()
      await reading
    },
  }
}

const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_value, n) => first + n)

test('a stream begins with the newest trades and continues with each new one, once and in order', async () => {
  const stream = await open(url)
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  await waitUntil('the newest', () => stream.sequences().length === 160)
  for (let round = 0; round < 3; round += 1) {
    await store(5)
    await waitUntil('the new ones', () => stream.sequences().at(-1) === stored)
  }
  expect(stream.sequences()).toEqual(between(41, stored))
  await stream.close()
})

test('an open stream announces a reader until it ends, not only when it is opened', async () => {
  const stream = await open(url)
  const before = noted
  await waitUntil('the stream announces a reader', () => noted >= before + 3)
  await stream.close()
  await waitUntil('the stream is gone', async () => {
    const notedBefore = noted
    await new Promise((resolve) => setTimeout(resolve, 600))
    return noted === notedBefore
  })
})

test('Last-Event-ID and after continue behind a trade; a sequence of another installation starts from the beginning', async () => {
  const stream = await open(`${url}?after=${stored - 3}`)
  await waitUntil('three', () => stream.sequences().length === 3)
  await stream.close()
  await store(4)
  const again = await open(`${url}?after=1`, { 'last-event-id': stream.lastEventId() })
  await waitUntil('what was stored meanwhile', () => again.sequences().length === 4)
  expect([...stream.sequences(), ...again.sequences()]).toEqual(between(stored - 6, stored))
  await again.close()
  const foreign = await open(`${url}?after=${stored + 1_000}`)
  await waitUntil('the newest', () => foreign.sequences().length === 160)
  await foreign.close()
})

test('a symbol without a sample, and an invalid sequence, are answered with a problem', async () => {
  const read = (path: string) =>
    callAs(app, 'market-data', anonymous, { method: 'GET', url: `/api/v1/sample/stream/${path}` })
  const unknown = await read('NONE-USDT')
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'symbol.unknown'])
  expect((await read('BTC-USDT?after=x')).statusCode).toBe(400)
})
