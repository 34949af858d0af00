import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createKey } from '../keys/create-key.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { testDeps } from '../../test/deps.fixture.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { seedDemoKey } from './seed-demo-key.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const dir = mkdtempSync(join(tmpdir(), 'demo-accounts-'))
afterAll(async () => {
  rmSync(dir, { recursive: true })
  redis.disconnect()
  await drop()
})
const deps = testDeps(db, redis)

type Demo = { accounts: { id: string; email: string; password: string }[]; api_key: string | null }

function demoFile(email = 'pro@tapeline.local') {
  const file = join(dir, `${crypto.randomUUID()}.json`)
  const owner = someUser({ tier: 'pro' })
  const person = { first_name: 'Paula', last_name: 'Pro', mobile: '', password: 'is kept as it is' }
  const account = { id: owner.userId, email, ...person, role: 'user', tier: 'pro' }
  writeFileSync(file, JSON.stringify({ accounts: [account], api_key: null }))
  const read = (): Demo => JSON.parse(readFileSync(file, 'utf8'))
  return { file, owner, account, read }
}

test('the demo key works, belongs to the pro account, and its file is readable by the owner only', async () => {
  const { file, owner, account, read } = demoFile()
  expect(await seedDemoKey(deps, file)).toBe('made')
  const { accounts, api_key } = read()
  expect(accounts).toEqual([account])
  expect(await readKeyRecord(deps, api_key?.split('_')[2] ?? '')).toMatchObject({
    account_id: owner.userId,
    state: 'active',
  })
  expect((await listKeys(deps, owner)).apiKeys).toMatchObject([{ name: 'demo' }])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('seeding again keeps the key unless it no longer works', async () => {
  const { file, owner, read } = demoFile()
  await seedDemoKey(deps, file)
  const first = read().api_key
  expect(await seedDemoKey(deps, file)).toBe('kept')
  expect(read().api_key).toBe(first)
  const [key] = (await listKeys(deps, owner)).apiKeys
  await deleteKey(deps, owner, key?.id ?? '')
  expect(await seedDemoKey(deps, file)).toBe('made')
  expect(read().api_key).not.toBe(first)
  expect((await listKeys(deps, owner)).apiKeys).toHaveLength(1)
})

test('without a persistent file there is one demo key, replaced each time', async () => {
  const { file, owner, account, read } = demoFile()
  await seedDemoKey(deps, file)
  const first = read().api_key
  writeFileSync(file, JSON.stringify({ accounts: [account], api_key: null }))
  expect(await seedDemoKey(deps, file)).toBe('made')
  expect((await listKeys(deps, owner)).apiKeys).toHaveLength(1)
  expect((await readKeyRecord(deps, first?.split('_')[2] ?? ''))?.state).not.toBe('active')
})

test('a key of that name which its owner created or uses is never removed', async () => {
  const { file, owner, account, read } = demoFile()
  await seedDemoKey(deps, file)
  const [first] = (await listKeys(deps, owner)).apiKeys
  await deleteKey(deps, owner, first?.id ?? '')
  const { key, apiKey } = await createKey(deps, owner, { name: 'demo' })
  expect(await seedDemoKey(deps, file)).toBe('made')
  const ids = async () => (await listKeys(deps, owner)).apiKeys.map(({ id }) => id)
  expect(await ids()).toContain(key.id)
  expect(read().api_key).not.toBeNull()
  const use = { kid: apiKey.split('_')[2] ?? '', key_id: key.id, last_used_at: new Date() }
  await db.insertInto('api_key_use').values(use).execute()
  writeFileSync(file, JSON.stringify({ accounts: [account], api_key: null }))
  expect(await seedDemoKey(deps, file)).toBe('made')
  expect(await ids()).toContain(key.id)
  expect(await ids()).toHaveLength(2)
})

test('without the pro account or a file no key is created', async () => {
  expect(await seedDemoKey(deps, '')).toBe('no demo account')
  const { file, read } = demoFile('demo-owner@example.com')
  expect(await seedDemoKey(deps, file)).toBe('no demo account')
  expect(read().api_key).toBeNull()
})
