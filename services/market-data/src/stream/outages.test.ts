import { setTimeout as delay } from 'node:timers/promises'
import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { someUser } from '@tapeline/testing/actors'
import { type FaultProxy, startFaultProxy } from '@tapeline/testing/fault-proxy'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake } from '../../test/lake/lake.fixture.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { headersOf, openStream } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'
import { createDeps } from '../deps.ts'
import { createLake } from '../lake/lake.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import { type ObjectStore, StoreError } from '@tapeline/objects/object-store'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'

// The rows of docs/degraded-modes.md about the service of live streams. Each process has separate servers, which the
// tests stop.
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const PLACE = { venues: ['sim'], symbols: ['BTC-USDT'], start: String(START_NS) }
const HALF = 30
/** Longer than an interval in which a process compares its feeds with the store. */
const AWAY_MS = 2_500
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
const proxies: FaultProxy[] = []

beforeAll(async () => {
  platform = await openStreamPlatform()
  await platform.ingest(someTrades('BTC-USDT', START_NS, 0, HALF))
})
afterAll(async () => {
  await platform.stop()
  for (const proxy of proxies) await proxy.stop()
})

async function proxyOf(url: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy(url, { isRecording: false })
  proxies.push(proxy)
  return proxy
}

type Client = Awaited<ReturnType<typeof openStream>>

function subscribe(client: Client, place: object, id = 'a'): void {
  client.send({ op: 'subscribe', id, channel: 'trades', ...place })
}

const sequences = (client: Client, id = 'a') => client.records(id).map(({ sequence }) => Number(sequence))
const upTo = (last: number) => Array.from({ length: last }, (_value, index) => index + 1)

async function expectRecords(client: Client, last: number, id = 'a'): Promise<void> {
  await waitUntil(`${last} records`, () => sequences(client, id).length >= last)
  expect(sequences(client, id)).toEqual(upTo(last))
}

test('streams-without-kafka: stored records arrive by the comparison with the store, also in new streams', async () => {
  const kafka = await proxyOf(`kafka://${testServers().kafkaBrokers}`)
  kafka.setFault('refuse')
  const process = await platform.startProcess({ kafkaBrokers: `127.0.0.1:${kafka.port}` })
  const client = await openStream(process.port, actor)
  subscribe(client, PLACE)
  await expectRecords(client, HALF)
  await platform.ingest(someTrades('BTC-USDT', START_NS, HALF, 2 * HALF))
  await expectRecords(client, 2 * HALF)
  const another = await openStream(process.port, actor)
  subscribe(another, { cursor: client.lastCursor() })
  await another.next('subscribed')
  expect(another.received.some(({ type }) => type === 'error')).toBe(false)
  kafka.setFault('pass')
  await platform.ingest(someTrades('BTC-USDT', START_NS, 2 * HALF, 3 * HALF))
  await expectRecords(client, 3 * HALF)
  await waitUntil('the other has what followed', () => sequences(another).length === HALF)
  for (const one of [client, another]) one.close()
  await process.stop()
})

async function expectUnavailable(port: number, query: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/stream${query}`, { headers: headersOf(actor) })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ code: 'service.unavailable' })
}

test('streams-without-postgresql: open streams continue, new ones are answered with a problem until it is back', async () => {
  const proxy = await proxyOf(platform.url)
  const url = new URL(platform.url)
  url.port = String(proxy.port)
  const pool = createPool({ url: url.href, connectionsMax: 4, applicationName: 'outage', ...LONG_TIMEOUTS })
  const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
  const process = await platform.startProcess({ deps })
  const client = await openStream(process.port, actor)
  subscribe(client, PLACE)
  const before = 3 * HALF
  await expectRecords(client, before)
  proxy.setFault('refuse')
  await platform.ingest(someTrades('BTC-USDT', START_NS, before, before + HALF))
  await expectRecords(client, before + HALF)
  subscribe(client, PLACE, 'b')
  const rejected = await client.next('error')
  expect(rejected).toMatchObject({ id: 'b', problem: { status: 503, code: 'service.unavailable' } })
  // At once, while the instruments are still known, it fails where it reads its place; later already before that.
  const ofEvents = '?channel=trades&venues=sim&symbols=BTC-USDT'
  await expectUnavailable(process.port, `${ofEvents}&start=${START_NS}`)
  await delay(AWAY_MS)
  await expectUnavailable(process.port, `${ofEvents}&start=${START_NS}`)
  await expectUnavailable(process.port, ofEvents)
  expect(client.closed()).toBeUndefined()
  proxy.setFault('pass')
  await waitUntil('a new subscription begins', async () => {
    const another = await openStream(process.port, actor)
    subscribe(another, PLACE)
    const first = await waitUntil('an answer', () =>
      another.received.find(({ type }) => type === 'subscribed' || type === 'error'),
    )
    if (first.type === 'subscribed') await expectRecords(another, before + HALF)
    another.close()
    return first.type === 'subscribed'
  })
  client.close()
  await process.stop()
  await pool.end()
})

const SEALED_DAY = 19_943
/** The clock of the lake: 2024-09-01. */
const TODAY = 19_967
const LAKE_MEMORY_BYTES = 1_000_000

/** The store of sealed days, which can be switched to fail like an unreachable one. */
function withSwitch(store: ObjectStore): { store: ObjectStore; setUnavailable: (isUnavailable: boolean) => void } {
  let isUnavailable = false
  const failing = new Proxy(store, {
    get(target, name, receiver) {
      if (isUnavailable) return () => Promise.reject(new StoreError('unavailable', 'the object store does not answer'))
      return Reflect.get(target, name, receiver)
    },
  })
  return { store: failing, setUnavailable: (isDown) => (isUnavailable = isDown) }
}

test('streams-without-lake: only subscriptions that read sealed days end, and continue when they can be read', async () => {
  const lake = await openTestLake()
  const { store, setUnavailable } = withSwitch(folderStore(lake.folder))
  const trades = upTo(HALF).map((n) => someTrade(`t${n}`, dayStart(SEALED_DAY) + BigInt(n)))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  await lake.seal({ instrumentId: 1, day: SEALED_DAY, isDropped: true })
  const hot = someTrade('hot', dayStart(SEALED_DAY + 1))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: [hot], l2Events: [] }])
  const deps = { ...lake.deps, lake: createLake(lake.database.pool, store, LAKE_MEMORY_BYTES) }
  const process = await platform.startProcess({ deps })
  const client = await openStream(process.port, actor)
  setUnavailable(true)
  const from = { venues: ['sim'], symbols: ['BTC-USDT'], start: String(dayStart(SEALED_DAY)) }
  subscribe(client, from)
  subscribe(client, { venues: ['sim'], symbols: ['BTC-USDT'] }, 'live')
  const ended = await client.next('error')
  expect(ended).toMatchObject({ id: 'a', problem: { status: 503, code: 'data.unavailable' } })
  await waitUntil('the live subscription begins', () =>
    client.received.some((message) => message.type === 'subscribed' && message.id === 'live'),
  )
  const next = someTrade('next', dayStart(TODAY))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: [next], l2Events: [] }])
  await waitUntil('it goes on', () => sequences(client, 'live').includes(HALF + 2))
  expect(client.received.filter(({ type }) => type === 'error')).toHaveLength(1)
  setUnavailable(false)
  subscribe(client, from, 'again')
  await expectRecords(client, HALF + 2, 'again')
  expect(client.closed()).toBeUndefined()
  client.close()
  await process.stop()
  await lake.close()
})
