import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Client } from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { REPOSITORY } from '../folders.ts'
import { takeFreePort } from '../ports/free-port.ts'
import { commandLineOf, parseIdentity } from '../processes/process-identity.ts'
import { answersPing } from './redis.ts'
import { runOnce } from '../processes/run-once.ts'
import { startServers, type Servers } from './servers.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-servers-'))
const START_TIMEOUT_MS = 120_000
/** Starts servers twice. */
const TEST_TIMEOUT_MS = 3 * START_TIMEOUT_MS
let servers: Servers | undefined
let launcher: ChildProcess | undefined

afterEach(async () => {
  launcher?.kill('SIGKILL')
  await servers?.stop()
  servers = undefined
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function start(folder = dir): Promise<Servers> {
  servers = await startServers({ dir: folder, env: {}, postgresSettings: { max_connections: '20' } })
  return servers
}

async function sql(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: `${url}/postgres` })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

test(
  'acknowledged writes survive kill -9 of the launcher, and no process is left running',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const addresses = join(dir, 'addresses')
    launcher = spawn(
      process.execPath,
      [join(import.meta.dirname, '..', 'servers-only.ts'), '--dir', dir, '--addresses', addresses],
      { stdio: 'ignore' },
    )
    await waitUntil('the servers run', () => existsSync(addresses), START_TIMEOUT_MS)
    const {
      DATABASE_URL = '',
      REDIS_URL = '',
      KAFKA_BROKERS = '',
    } = Object.fromEntries(
      readFileSync(addresses, 'utf8')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    await sql(DATABASE_URL, 'create table kept (n int); insert into kept select generate_series(1, 1000)')
    expect(await answersPing('127.0.0.1', Number(new URL(REDIS_URL).port))).toBe(true)
    expect(await makeTopics(KAFKA_BROKERS)).toMatch(/topics: \d+ created/)
    const pids = readdirSync(join(dir, 'run')).flatMap(
      (file) => parseIdentity(readFileSync(join(dir, 'run', file), 'utf8'))?.pid ?? [],
    )
    expect(pids).toHaveLength(3)
    launcher.kill('SIGKILL')

    const again = await start()
    expect(await sql(again.databaseUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    expect(await makeTopics(again.kafkaBrokers)).toContain('up to date')
    for (const pid of pids) expect(commandLineOf(pid)).not.toContain(dir)
  },
)

test(
  'a stale postmaster.pid with the pid of an unrelated process does not prevent PostgreSQL from starting',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    writeFileSync(join(dir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dir, 'postgres')}\n`)
    const { databaseUrl } = await start()
    expect(await sql(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  },
)

test('a killed server is restarted on its port with its data', { timeout: TEST_TIMEOUT_MS }, async () => {
  const running = await start()
  await running.started.redis?.child.kill()
  await running.restart('redis')
  expect(await answersPing('127.0.0.1', Number(new URL(running.redisUrl).port))).toBe(true)
})

test('no local server is started if an address is configured', { timeout: TEST_TIMEOUT_MS }, async () => {
  servers = await startServers({
    dir: join(dir, 'given'),
    env: { DATABASE_URL: 'postgres://a', REDIS_URL: 'redis://b', KAFKA_BROKERS: 'c:1' },
  })
  expect(servers).toMatchObject({
    databaseUrl: 'postgres://a',
    redisUrl: 'redis://b',
    kafkaBrokers: 'c:1',
    started: {},
  })
})

test(
  'values of a row that violates a constraint are not written to the log',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const folder = join(dir, 'terse')
    servers = await startServers({ dir: folder, env: { REDIS_URL: 'redis://b', KAFKA_BROKERS: 'c:1' } })
    const client = new Client({ connectionString: `${servers.databaseUrl}/postgres` })
    await client.connect()
    await client.query('create table account (email text constraint account_email_key unique)')
    const signUp = async () => client.query('insert into account values ($1)', ['ada@example.com'])
    await signUp()
    await expect(signUp()).rejects.toMatchObject({ code: '23505', detail: expect.stringContaining('ada@example.com') })
    await client.end()
    const logged = () => readFileSync(join(folder, 'logs', 'postgres.log'), 'utf8')
    await waitUntil('the error is logged', () => logged().includes('account_email_key'))
    expect(logged()).not.toContain('ada@example.com')
  },
)

test('a damaged data folder is rejected with instructions', { timeout: TEST_TIMEOUT_MS }, async () => {
  const damaged = mkdtempSync(join(tmpdir(), 'tapeline-damaged-'))
  try {
    await startServers({ dir: damaged, env: { REDIS_URL: 'redis://b', KAFKA_BROKERS: 'c:1' } }).then(async (each) =>
      each.stop(),
    )
    rmSync(join(damaged, 'postgres', 'global', 'pg_control'))
    await expect(
      startServers({ dir: damaged, env: { REDIS_URL: 'redis://b', KAFKA_BROKERS: 'c:1' } }),
    ).rejects.toMatchObject({
      line: expect.stringMatching(/PostgreSQL cannot use .*pg_control.* start with empty data: mv /),
    })
  } finally {
    rmSync(damaged, { recursive: true, force: true })
  }
})

test(
  'the error for an occupied port names the port and the process that uses it',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const taken = await takeFreePort()
    const occupant = createServer().listen(taken, '127.0.0.1')
    try {
      const ports = { postgres: taken, redis: taken, kafka: taken, 'kafka-controller': taken }
      await expect(
        startServers({ dir: join(dir, 'taken'), ports, env: { DATABASE_URL: 'postgres://a', KAFKA_BROKERS: 'c:1' } }),
      ).rejects.toMatchObject({
        line: expect.stringMatching(
          new RegExp(`Port ${taken} \\(redis\\) is in use by process ${process.pid} .*REDIS_PORT`),
        ),
      })
    } finally {
      occupant.close()
    }
  },
)

/** Output of the script about the topics of the contracts: created, or already present. */
async function makeTopics(brokers: string): Promise<string> {
  const script = join(REPOSITORY, 'libs', 'events', 'src', 'topics', 'make-topics.ts')
  const { output } = await runOnce(process.execPath, [script], {
    timeoutMs: START_TIMEOUT_MS,
    env: { KAFKA_BROKERS: brokers },
  })
  return output
}
