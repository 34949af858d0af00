import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAddresses, findWebOrigin } from './find-addresses.ts'
import { writePidFile } from './processes/pid-file.ts'
import { identityOf } from './processes/process-identity.ts'
import { readSecrets } from './secrets.ts'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tapeline-find-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

test('databases and Redis of a running platform are found by its folder', () => {
  const env = { TAPELINE_DIR: dir }
  expect(() => findAddresses('identity', env)).toThrow('No platform runs from')
  mkdirSync(join(dir, 'postgres'))
  writeFileSync(join(dir, 'postgres', 'postmaster.pid'), '123\n/data\n1795255200\n25432\n\n127.0.0.1\n')
  expect(() => findAddresses('identity', env)).toThrow('secrets.json is missing')
  const { databasePasswords } = readSecrets(dir)
  expect(() => findAddresses('identity', env)).toThrow('No platform runs from')
  writePidFile(dir, 'redis', { ...identityOf(process.pid), startedAt: 'long ago' }, ':26379')
  expect(() => findAddresses('identity', env)).toThrow('No platform runs from')
  writePidFile(dir, 'redis', identityOf(process.pid), ':26379')
  expect(findAddresses('api-key', env)).toEqual({
    databaseUrl: `postgres://tapeline_api_key:${databasePasswords['api-key']}@127.0.0.1:25432/tapeline_api_key`,
    redisUrl: 'redis://127.0.0.1:26379',
  })
})

test('configured servers take precedence, and a configured database over a configured server', () => {
  const { databasePasswords } = readSecrets(dir)
  const env = { TAPELINE_DIR: dir, DATABASE_URL: 'postgres://root:x@db:5432', REDIS_URL: 'redis://cache:1' }
  expect(findAddresses('config', { ...env, DATABASE_PREFIX: 'my_' })).toEqual({
    databaseUrl: `postgres://my_config:${databasePasswords['config']}@db:5432/my_config`,
    redisUrl: 'redis://cache:1',
  })
  const own = 'postgres://me:x@other:5432/mine'
  expect(findAddresses('config', { ...env, CONFIG_DATABASE_URL: own }).databaseUrl).toBe(own)
  expect(() => findAddresses('config', { ...env, DATABASE_URL: 'mysql://db' })).toThrow('not a PostgreSQL address')
})

test('links lead to the pages of the running platform, also from a terminal without its settings', async () => {
  const child = spawn('sleep', ['60'], { env: { ...process.env, WEB_ORIGIN: 'http://localhost:10000' } })
  try {
    await once(child, 'spawn')
    writePidFile(dir, 'identity', identityOf(child.pid ?? 0), 'sleep')
    expect(findWebOrigin({ TAPELINE_DIR: dir })).toBe('http://localhost:10000')
    expect(findWebOrigin({ TAPELINE_DIR: dir, WEB_ORIGIN: 'https://example.com' })).toBe('https://example.com')
  } finally {
    child.kill()
    await once(child, 'exit')
  }
  expect(findWebOrigin({ TAPELINE_DIR: dir, TAPELINE_PORT_OFFSET: '50' })).toBe('http://localhost:3050')
})
