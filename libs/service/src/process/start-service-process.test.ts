import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '..', '..', 'test', 'service-process.fixture.ts')
const { db, pool, url, drop } = await openTestDatabase<NoteTables>(noteMigrations)
const prefix = `process-${crypto.randomUUID()}-`
const folder = mkdtempSync(join(tmpdir(), 'tapeline-process-'))
afterAll(async () => {
  await drop()
  rmSync(folder, { recursive: true })
  const redis = new Redis(testServers().redisUrl)
  const keys = await redis.keys(`{jobs}:${prefix}*`)
  if (keys.length > 0) await redis.del(keys)
  redis.disconnect()
})

async function start(ROLES: string, STATEMENT_SECONDS = '0') {
  const { redisUrl, kafkaBrokers } = testServers()
  const env = {
    ...process.env,
    ROLES,
    STATEMENT_SECONDS,
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: url,
    REDIS_URL: redisUrl,
    KAFKA_BROKERS: kafkaBrokers,
    KAFKA_TOPIC_PREFIX: `${prefix}${crypto.randomUUID()}-`,
    INTERNAL_KEYS: `gateway>config=${'a'.repeat(43)}`,
    SNAPSHOT_DIR: folder,
    DRAIN_TIMEOUT_MS: '200',
  }
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(...chunk.trim().split('\n')))
  const portLine = () => lines.find((line) => line.startsWith('port '))
  await waitUntil('the service listens', () => portLine() !== undefined || child.exitCode !== null)
  const origin = `http://127.0.0.1:${portLine()?.slice('port '.length)}`
  return { origin, lines, stop: () => child.kill('SIGTERM'), ended }
}

test('a request that does not end is cut after DRAIN_TIMEOUT_MS; the other parts stop, and the exit code is 0', async () => {
  const { origin, lines, stop, ended } = await start('http,consumer')
  const reader = (await fetch(`${origin}/endless`)).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first part')
  stop()
  await expect(reader?.read()).rejects.toThrow()
  expect(await ended).toEqual([0, null])
  expect(lines).toContain('consumers stopped')
})

test('processes that run consumers report the dead letters of the service, the last number while they cannot be read', async () => {
  const letter = { topic: 'unknown', partition: 2, reason: 'not JSON', payload: '', created_at: new Date() }
  await db
    .insertInto('dead_letter')
    .values(['41', '42'].map((message_offset) => ({ ...letter, message_offset })))
    .execute()
  const [consumer, http] = await Promise.all([start('http,consumer'), start('http')])
  const metricsOf = async (origin: string) => (await fetch(`${origin}/metrics`)).text()
  expect(await metricsOf(consumer.origin)).toContain('\ndead_letters 2\n')
  expect(await metricsOf(http.origin)).not.toContain('dead_letters')
  await db.schema.alterTable('dead_letter').renameTo('moved').execute()
  expect(await metricsOf(consumer.origin)).toContain('\ndead_letters 2\n')
  for (const { stop } of [consumer, http]) stop()
  expect(await Promise.all([consumer.ended, http.ended])).toEqual([
    [0, null],
    [0, null],
  ])
})

const countOfJobs = async () => {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'config-jobs' and state = 'active'`,
  )
  return rows[0]?.n
}

test('a job may run a statement that is longer than two seconds; the same statement of a request is cancelled', async () => {
  const { origin, lines, stop, ended } = await start('http,jobs', '2.5')
  expect(await (await fetch(`${origin}/sleep`)).json()).toEqual({ code: '57014' })
  const outcome = await waitUntil('the job ended', () => lines.find((line) => line.startsWith('job: ')))
  expect(outcome).toBe('job: null')
  stop()
  expect(await ended).toEqual([0, null])
})

test('the statement of a job that runs when its process stops is cancelled in PostgreSQL, and the exit code is 0', async () => {
  const { lines, stop, ended } = await start('http,jobs', '100')
  await waitUntil('the job runs', async () => (await countOfJobs()) === 1)
  stop()
  expect(await ended).toEqual([0, null])
  expect(lines).toContain('job: 57014')
  await waitUntil('its statement has ended', async () => (await countOfJobs()) === 0)
})
