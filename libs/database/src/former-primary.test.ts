import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultProxy, startFaultProxy } from '@tapeline/testing/fault-proxy'
import { type PostgresPair, startPostgresPair } from '@tapeline/testing/programs/postgres-pair'
import { waitUntil } from '@tapeline/testing/wait-until'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPool, LONG_TIMEOUTS } from './connect.ts'
import { findPrimary } from './find-primary.ts'
import { primaryClient } from './primary-client.ts'

/**
 * A search gives each server 0.8 s and fails or, without knowledge of the timelines, accepts the former primary when a
 * busy machine needs longer: these tests repeat it until it succeeds.
 *
 * A search reads four responses: together longer than a search waits for the others once it has found a primary. */
const SLOW_RESPONSE_MS = 90

const dir = mkdtempSync(join(tmpdir(), 'former-primary-'))
/** Both accept writes: the standby was promoted while its primary continued. */
let pair: PostgresPair
/** In front of the new primary, with a port per test: the process has not seen the timelines of these addresses. */
let proxy: FaultProxy
let newUrl: string
let formerUrl: string

beforeAll(async () => {
  pair = await startPostgresPair(dir)
  await pair.untilReplayed()
  await pair.promote()
})

afterAll(async () => {
  await pair.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

beforeEach(openProxy)

afterEach(async () => proxy.stop())

async function openProxy(): Promise<void> {
  proxy = await startFaultProxy(pair.standby.url)
  formerUrl = `${pair.primary.url}/postgres`
  newUrl = formerUrl.replace(`:${pair.primary.port}/`, `:${proxy.port}/`)
}

test('the first search of a process waits for a new primary that is slower than the former one', async () => {
  await waitUntil('the first search finds the new primary', async () => {
    await proxy.stop()
    await openProxy()
    proxy.setFault('slow', SLOW_RESPONSE_MS)
    return (await findPrimary([formerUrl, newUrl])) === newUrl
  })
})

test('a former primary is refused once its successor was found, when that is slow and when it is down', async () => {
  await untilFound()
  proxy.setFault('slow', SLOW_RESPONSE_MS)
  expect(await waitUntil('a search succeeds', () => findPrimary([newUrl, formerUrl]))).toBe(newUrl)
  proxy.setFault('refuse')
  const outcomes: unknown[] = []
  await waitUntil('the former primary is refused', async () => {
    outcomes.push(await findPrimary([newUrl, formerUrl]).catch((error: unknown) => error))
    return String(outcomes.at(-1)).includes('a former primary, timeline 00000001 instead of 00000002')
  })
  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: '08001' })
})

test('a connection does not use the address of a former primary after another search found its successor', async () => {
  const Client = primaryClient([formerUrl, newUrl])
  proxy.setFault('refuse')
  expect(await newConnection(Client)).toMatchObject({ port: pair.primary.port })
  proxy.setFault('pass')
  await untilFound()
  expect(await newConnection(Client)).toMatchObject({ port: pair.standby.port })
})

test('connections leave a former primary when its successor answers after the search', async () => {
  const pool = createPool({ url: bothServers(), connectionsMax: 1, applicationName: 'former', ...LONG_TIMEOUTS })
  try {
    proxy.setFault('refuse')
    expect(await serverOf(pool)).toMatchObject({ port: pair.primary.port })
    proxy.setFault('slow', SLOW_RESPONSE_MS)
    // Long enough for several searches.
    await expect(pool.query('select pg_sleep(25)')).rejects.toMatchObject({ code: '08006' })
    expect(await serverOf(pool)).toMatchObject({ port: pair.standby.port })
  } finally {
    await pool.end()
  }
})

test('a long statement on a slow new primary is not interrupted for the former one', async () => {
  const pool = createPool({ url: bothServers(), connectionsMax: 1, applicationName: 'former', ...LONG_TIMEOUTS })
  try {
    await untilFound()
    const before = await serverOf(pool)
    expect(before).toMatchObject({ port: pair.standby.port })
    proxy.setFault('slow', SLOW_RESPONSE_MS)
    // Longer than the silence after which the primary is searched for.
    await pool.query('select pg_sleep(5)')
    expect(await serverOf(pool)).toEqual(before)
  } finally {
    await pool.end()
  }
})

function bothServers(): string {
  return formerUrl.replace(`:${pair.primary.port}/`, `:${proxy.port},127.0.0.1:${pair.primary.port}/`)
}

type ServerConnection = { port: number; pid: number }

/** From now on the process knows that the new primary is the newest. */
async function untilFound(): Promise<void> {
  await waitUntil('a search finds it', async () => (await findPrimary([formerUrl, newUrl])) === newUrl)
}

async function serverOf(client: Pick<pg.Client, 'query'>): Promise<ServerConnection | undefined> {
  return waitUntil('a search succeeds', async () => {
    const { rows } = await client.query<ServerConnection>('select inet_server_port() as port, pg_backend_pid() as pid')
    return rows[0]
  })
}

async function newConnection(Client: ReturnType<typeof primaryClient>): Promise<ServerConnection | undefined> {
  return waitUntil('a search succeeds', async () => {
    const client = new Client({ connectionString: formerUrl })
    await client.connect()
    try {
      return await serverOf(client)
    } finally {
      await client.end()
    }
  })
}
