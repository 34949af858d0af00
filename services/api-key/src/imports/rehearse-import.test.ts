import { importedKeyHash } from '@tapeline/service/keys/imported-key'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps } from '../../test/deps.fixture.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { runAdminCommand } from '../run-admin-command.ts'
import type { Tables } from '../tables.ts'
import { importKeys } from './import-keys.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})
const deps = testDeps(db, redis)
const newKey = (fields: { external_id?: string } = {}) => ({
  name: 'reader',
  sha256: importedKeyHash(`acme_${crypto.randomUUID()}`).toString('hex'),
  ...fields,
})
const run = (command: string, userId: string, keys: object[]) =>
  runAdminCommand(deps, [command, userId, 'free', JSON.stringify({ keys })])
const countEvents = async () => (await db.selectFrom('outbox').selectAll().execute()).length

test('a dry run has the outcomes of the import, including the maximum of the tier, and writes nothing', async () => {
  const [owner, other, taken] = [someUser(), someUser(), newKey()]
  await importKeys(deps, other, { keys: [taken] })
  const keys = [newKey({ external_id: 'a' }), taken, newKey({ external_id: 'a' }), newKey(), newKey(), newKey()]
  const before = await countEvents()
  const rehearsed = await run('rehearse-import', owner.userId, keys)
  expect(rehearsed).toMatchObject({
    imported: 3,
    keys: [
      { outcome: 'imported' },
      { code: 'api_key.hash_in_use' },
      { code: 'api_key.hash_in_use' },
      { outcome: 'imported' },
      { outcome: 'imported' },
      { code: 'api_key.limit_reached' },
    ],
  })
  expect([(await listKeys(deps, owner)).apiKeys, await countEvents()]).toEqual([[], before])
  const outcomes = (answer: object) =>
    JSON.stringify(answer, (name, value: unknown) => (name === 'key' ? undefined : value))
  expect(outcomes(await run('import', owner.userId, keys))).toBe(outcomes(rehearsed))
  expect(await run('import', owner.userId, keys)).toMatchObject({ imported: 0 })
})

test('an import by an operator names the operator in the trail, and an inactive key is never active', async () => {
  const { userId } = someUser()
  await run('import', userId, [{ ...newKey(), is_active: false }])
  const rows = await db.selectFrom('outbox').select('envelope').execute()
  const own = rows.map(({ envelope }) => envelope).filter((envelope) => JSON.stringify(envelope).includes(userId))
  expect(own).toEqual([expect.objectContaining({ type: 'api-key.created.v1', actorid: 'operator' })])
  expect((await listKeys(deps, someUser({ userId }))).apiKeys).toMatchObject([{ status: 'inactive' }])
})

test.each([
  ['import', []],
  ['import', ['0199c4a0-0000-7000-8000-000000000000', 'gold', '{}']],
  ['import', ['0199c4a0-0000-7000-8000-000000000000', 'free', '{"keys":[]}']],
  ['remove', ['0199c4a0-0000-7000-8000-000000000000', 'free', JSON.stringify({ keys: [newKey()] })]],
])('%s with the words %j is rejected', async (command, words) => {
  await expect(runAdminCommand(deps, [command, ...words])).rejects.toMatchObject({ code: 'request.invalid' })
})
