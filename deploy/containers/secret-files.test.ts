import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis, type RedisClient } from '@tapeline/service/redis'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSecrets } from '../local/secrets.ts'
import { readPasswords } from './passwords.ts'
import { secretFiles } from './secret-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'secret-files-'))
const passwords = readPasswords(dir)
let server: RedisServer
let scaler: RedisClient

beforeAll(async () => {
  const aclfile = join(dir, 'redis-jobs.acl')
  writeFileSync(aclfile, 'user default on nopass ~* &* +@all\n')
  server = await RedisServer.start(join(dir, 'redis'), { aclfile })
  await server.runCommand('RPUSH', '{jobs}:audit-webhooks:wait', '1')
  await server.runCommand('HSET', '{jobs}:audit-webhooks:1', 'data', '{}')
  writeFileSync(aclfile, secretFiles(readSecrets(dir), passwords)['redis-jobs.acl'] ?? '')
  await server.runCommand('ACL', 'LOAD')
  const url = `redis://scaler:${passwords.redisJobs['scaler']}@127.0.0.1:${server.port}`
  scaler = connectRedis({ url, logger: silentLogger, commandTimeoutMs: 10_000 })
  await waitUntil('Redis accepts the user', async () => (await scaler.ping()) === 'PONG')
})
afterAll(async () => {
  scaler?.disconnect()
  await server?.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

/** KEDA evaluates a script that reads the type of a key, then its length. */
test('the autoscaler reads the length of queues', async () => {
  const script = "redis.call('type', KEYS[1]) return redis.call('llen', KEYS[1])"
  expect(await scaler.eval(script, 1, '{jobs}:audit-webhooks:wait')).toBe(1)
})

test.each([
  ['HGETALL', '{jobs}:audit-webhooks:1'],
  ['RPOP', '{jobs}:audit-webhooks:wait'],
  ['EVAL', "return redis.call('del', KEYS[1])", '1', '{jobs}:audit-webhooks:wait'],
  ['KEYS', '*'],
  ['SCRIPT', 'FLUSH'],
  ['FLUSHALL'],
])('the autoscaler may not: %s %s', async (command, ...rest) => {
  await expect(scaler.call(command, ...rest)).rejects.toThrow(/NOPERM|ACL|can't run this command/)
})
