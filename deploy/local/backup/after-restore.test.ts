import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetVersions, isRestored, noteRestore } from './after-restore.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-after-restore-'))
let server: RedisServer
beforeAll(async () => {
  server = await RedisServer.start(join(dir, 'redis'), {})
})
afterAll(async () => {
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('the first start after a restore removes the versions, and nothing else, from Redis', async () => {
  const counters = { g: '1000', 'c:key': '1000', 'w:key': '1000' }
  const accounts = Array.from({ length: 1_200 }, () => `acct:{${crypto.randomUUID()}}`)
  await Promise.all(
    accounts.map((key) => server.redis.hset(key, { ...counters, u: '7', s: '7', 'k:a': '7', 'k:b': '7' })),
  )
  await server.redis.hset('acct:{without}', counters)
  await server.redis.set('windows:{a}', 'u')
  expect(isRestored(dir)).toBe(false)
  noteRestore(dir)
  await expect(forgetVersions(dir, 'redis://127.0.0.1:1')).rejects.toThrow('versions in Redis failed')
  expect(isRestored(dir)).toBe(true)
  expect(await forgetVersions(dir, server.url)).toBe('versions of 1200 accounts removed')
  expect(isRestored(dir)).toBe(false)
  for (const key of [...accounts, 'acct:{without}']) expect(await server.redis.hgetall(key)).toEqual(counters)
  expect(await server.redis.get('windows:{a}')).toBe('u')
})
