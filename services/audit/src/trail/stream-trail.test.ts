import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import type { Tables } from '../tables.ts'
import { signatureHeaders } from '../webhooks/deliveries/sign-message.ts'
import { newWebhookSecret } from '../webhooks/endpoints/webhook-secret.ts'
import { recordInTrail } from './record-in-trail.ts'
import { streamTrail } from './stream-trail.ts'

const { db, databaseUrl, deps, ago, close } = await openTestApp('2026-03-10T12:34:56.789Z')
const secret = newWebhookSecret()
const STREAM_WAITS_MS = 4_800
type Received = { id: string; ids: string[] }
const received: Received[] = []
let status = 204
/** Accepted by the receiver, but its answer is lost. */
let losesAnswer = false
let answersAfterMs = 0
const server = createServer((request, response) => {
  void (async () => {
    const body = await text(request)
    expect(request.headers).toMatchObject(expectedHeaders(request, body))
    if (status === 204) {
      const ids = body
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id)
      received.push({ id: String(request.headers['webhook-id']), ids })
    }
    await sleep(answersAfterMs)
    if (losesAnswer) request.socket.destroy()
    else response.writeHead(status).end()
  })()
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/trail`
})
beforeEach(() => {
  received.length = 0
})
afterAll(async () => {
  server.close()
  await close()
})

function expectedHeaders({ headers }: IncomingMessage, body: string) {
  const timestampS = Number(headers['webhook-timestamp'])
  return signatureHeaders({ id: String(headers['webhook-id']), timestampS, body }, [secret])
}

const stream = () => streamTrail({ db, now: deps.now, trailReceiver: { url, secret } })

function event(id: string) {
  const actor = someUser()
  const data = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name: 'ci', version: 1 }
  return newEvent(apiKeyCreated, {
    id,
    time: ago(1),
    subject: 'key-1',
    account: actor.userId,
    actor,
    network: null,
    data,
  })
}

async function record(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => deps.newId())
  for (const id of ids) await db.transaction().execute((trx) => recordInTrail(trx, [event(id)]))
  return ids
}

test('after an outage the stream continues without a gap', async () => {
  const first = await record(3)
  expect(await stream()).toBe(3)
  expect(await stream()).toBe(0)
  status = 503
  const second = await record(2)
  await expect(stream()).rejects.toThrow('503')
  const third = await record(1)
  status = 204
  expect(await stream()).toBe(3)
  expect(received.flatMap(({ ids }) => ids)).toEqual([...first, ...second, ...third])
})

test('a batch whose answer was lost has the same id and entries when it is repeated, also after newer entries', async () => {
  const first = await record(2)
  losesAnswer = true
  await expect(stream()).rejects.toThrow()
  losesAnswer = false
  const second = await record(1)
  expect(await stream()).toBe(3)
  expect(received.map(({ ids }) => ids)).toEqual([first, first, second])
  expect(received[1]?.id).toBe(received[0]?.id)
  expect(received[2]?.id).not.toBe(received[0]?.id)
})

test('a batch that the receiver accepts after more than five seconds is not repeated', async () => {
  const ids = await record(1)
  answersAfterMs = 6_000
  expect(await stream()).toBe(1)
  answersAfterMs = 0
  expect(await stream()).toBe(0)
  expect(received.map((batch) => batch.ids)).toEqual([ids])
})

test('an entry whose transaction ends after that of a later one is not skipped', async () => {
  const early = deps.newId()
  let late: string[] = []
  let sending: Promise<number> | undefined
  await db.transaction().execute(async (trx) => {
    await recordInTrail(trx, [event(early)])
    late = await record(1)
    sending = stream()
    // The stream waits for this transaction.
    await new Promise((resolve) => setImmediate(resolve))
  })
  expect(await sending).toBe(2)
  expect(received.flatMap(({ ids }) => ids)).toEqual([early, ...late])
})

test('the stream waits for a transaction that takes longer than a statement may', async () => {
  const pool = createPool({
    url: databaseUrl,
    connectionsMax: 2,
    applicationName: 'tapeline-test',
    connectTimeoutMs: 30_000,
  })
  const run = async () => {
    const early = deps.newId()
    let late: string[] = []
    let sending: Promise<PromiseSettledResult<number>[]> | undefined
    let startedMs = 0
    await db.transaction().execute(async (trx) => {
      await recordInTrail(trx, [event(early)])
      late = await record(1)
      startedMs = performance.now()
      const trailReceiver = { url, secret }
      sending = Promise.allSettled([streamTrail({ db: connectDatabase<Tables>(pool), now: deps.now, trailReceiver })])
      await sql`select pg_sleep(3)`.execute(trx)
    })
    const tookMs = performance.now() - startedMs
    return { ids: [early, ...late], result: await sending, tookMs }
  }
  const { ids, result } = await waitUntil('the transaction ends while the stream waits', async () => {
    received.length = 0
    const one = await run()
    if (one.tookMs < STREAM_WAITS_MS) return one
    await stream()
    return undefined
  })
  await pool.end()
  expect(result).toEqual([{ status: 'fulfilled', value: 2 }])
  expect(received.flatMap((batch) => batch.ids)).toEqual(ids)
})
