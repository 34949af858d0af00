import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { startPostgresPair } from '@tapeline/testing/programs/postgres-pair'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { createPool, LONG_TIMEOUTS } from './connect.ts'
import { splitHosts } from './database-hosts.ts'
import { findPrimary } from './find-primary.ts'
import { listenForWork } from './work-signals.ts'

const dirs: string[] = []
const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-pair-'))
  dirs.push(dir)
  return dir
}

test.each([
  ['postgres://a:b@h/db', ['postgres://a:b@h/db']],
  [
    'postgres://a:b%2C@h1:1,h2/db?sslmode=verify-full&target_session_attrs=read-write',
    ['postgres://a:b%2C@h1:1/db?sslmode=verify-full', 'postgres://a:b%2C@h2/db?sslmode=verify-full'],
  ],
  ['postgres://[::1]:5,h2', ['postgres://[::1]:5', 'postgres://h2']],
])('%s names these servers', (url, servers) => {
  expect(splitHosts(url)).toEqual(servers)
})

test('an address that requires a standby is rejected', () => {
  expect(() => splitHosts('postgres://h1,h2/db?target_session_attrs=standby')).toThrow('read-write or primary')
})

test('a pool of several servers and announcements of work follow the primary to the promoted standby', async () => {
  const pair = await startPostgresPair(newDir())
  const pool = createPool({ url: pair.url, connectionsMax: 2, applicationName: 'pair', ...LONG_TIMEOUTS })
  const signals = listenForWork({ connectionString: pair.url })
  let announced = 0
  signals.on('mail', () => (announced += 1))
  try {
    await createTable(pool)
    await pair.untilReplayed()
    await waitUntil('it listens', () => signals.isListening())
    await pair.primary.child.kill()
    await waitUntil('the loss is detected', () => !signals.isListening())
    await expect(pool.query('insert into kept values (1)')).rejects.toThrow()
    // No server is a primary: like a lost connection, so that services return 503 and consumers try again.
    await expect(pool.query('insert into kept values (1)')).rejects.toMatchObject({ code: '08001' })
    await pair.promote()
    await waitUntil('the pool writes again', async () => (await pool.query('insert into kept values (2)')).rowCount)
    const { rows } = await pool.query('select inet_server_port() as port')
    expect(rows[0].port).toBe(pair.standby.port)
    await waitUntil('it listens to the new primary', () => signals.isListening())
    announced = 0
    await pool.query(`select pg_notify('tapeline_work', 'mail')`)
    await waitUntil('the work is announced', () => announced > 0)
  } finally {
    await signals.stop()
    await pool.end()
    await pair.stop()
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}, 120_000)

test.each([
  ['at once', 0],
  ['after several checks', 7_000],
])(
  'a hanging primary is no longer used once another one was promoted %s, even when it responds again',
  async (_when, promotedAfterMs) => {
    const pair = await startPostgresPair(newDir())
    const pool = createPool({ url: pair.url, connectionsMax: 1, applicationName: 'pair' })
    const stopped: number[] = []
    try {
      await createTable(pool)
      await pair.untilReplayed()
      stopped.push(pair.primary.pid, ...backendsOf(pair.primary.pid))
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      const hanging = pool.query('insert into kept values (1)')
      const failure = hanging.then(
        () => undefined,
        (error: unknown) => error,
      )
      await delay(promotedAfterMs)
      await pair.promote()
      expect(await failure).toBeInstanceOf(Error)
      await waitUntil('the pool writes again', async () => (await pool.query('insert into kept values (2)')).rowCount)
      resume(stopped)
      const found = await waitUntil('a search succeeds', () => findPrimary(splitHosts(pair.url)))
      expect(found).toContain(`:${pair.standby.port}/`)
    } finally {
      // Stopped processes do not notice that their postmaster was killed.
      resume(stopped)
      await pool.end()
      await pair.stop()
      for (const dir of dirs) rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    }
  },
  120_000,
)

test('a connection after a failed search for the primary starts a new search', async () => {
  const { databaseUrl } = testServers()
  const proxy = await startFaultProxy(databaseUrl)
  // Nothing listens on the first server.
  const servers = `127.0.0.1:1,127.0.0.1:${proxy.port}`
  const url = databaseUrl.replace(new URL(databaseUrl).host, servers)
  const pool = createPool({ url, connectionsMax: 2, applicationName: 'pair', ...LONG_TIMEOUTS })
  const first = await waitUntil('a search succeeds', () => pool.connect())
  try {
    const searches = proxy.occurrences('find-primary')
    proxy.setFault('hang')
    const hanging = first.query('select 1')
    await waitUntil('the primary is searched for', () => proxy.occurrences('find-primary') > searches)
    // The search fails 0.8 s after its start; the next one starts three seconds later.
    await delay(1_500)
    proxy.setFault('pass')
    expect((await hanging).rowCount).toBe(1)
    const searchesBefore = proxy.occurrences('find-primary')
    // On a busy machine this search fails, too.
    await pool.query('select 1').catch(() => undefined)
    expect(proxy.occurrences('find-primary')).toBeGreaterThan(searchesBefore)
    await waitUntil('a search succeeds', async () => (await pool.query('select 1')).rowCount === 1)
  } finally {
    first.release()
    await pool.end()
    await proxy.stop()
  }
})

test('only the first search for the primary waits until a server that does not answer times out', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { databaseUrl } = testServers()
  const silentUrl = databaseUrl.replace(new URL(databaseUrl).host, `127.0.0.1:${port}`)
  const found = await waitUntil('a search succeeds', () => findPrimary([silentUrl, databaseUrl]))
  expect(found).toBe(databaseUrl)
  // More than once, because a busy machine can delay the primary itself.
  await waitUntil('a search takes less than the timeout of 0.8 s', async () => {
    const startedAt = performance.now()
    expect(await findPrimary([silentUrl, databaseUrl])).toBe(databaseUrl)
    return performance.now() - startedAt < 700
  })
  silent.close()
})

/** The first search of a busy machine may fail: each server has 0.8 s. */
async function createTable(pool: pg.Pool): Promise<void> {
  await waitUntil('a search succeeds', () => pool.query('create table if not exists kept (n int)'))
}

function backendsOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function resume(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // The process has ended.
    }
  }
}
