import { EventEnvelope } from '@tapeline/contracts/event'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { testDeps, someSignUp } from '../test/deps.fixture.ts'
import { migrations } from './migrations/all.ts'
import { parseAdminCommand } from './parse-admin-command.ts'
import { verifyResetToken } from './passwords/verify-reset-token.ts'
import type { Tables } from './tables.ts'
import { signUp } from './users/sign-up.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const env = { ...process.env, DATABASE_URL: url }
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [`${import.meta.dirname}/admin.ts`, ...args], { env })

test('an operator can show and change an account by its e-mail, with one command or many in a row', async () => {
  const { user } = await signUp(deps, { kind: 'anonymous' }, someSignUp())
  const guess = () => deps.tries.take({ email: user.email, network: undefined, deviceId: undefined })
  for (let n = 0; n < 10; n += 1) await guess().catch(() => undefined)
  await expect(guess()).rejects.toMatchObject({ code: 'throttle.exceeded' })
  const { stdout } = await run('show', user.email.toUpperCase())
  expect(JSON.parse(stdout)).toMatchObject({ account_id: user.id, role: 'user', status: 'active', living_sessions: 1 })
  const child = run()
  const commands = [
    ['set-role', user.id, 'tester'],
    ['set-status', user.email, 'inactive'],
    ['end-sessions', user.id],
    ['set-role', 'unknown@example.com', 'tester'],
    ['show', user.id],
    ['unlock', user.email],
    ['reset-link', user.id],
  ]
  child.child.stdin?.end(commands.map((words) => `${JSON.stringify(words)}\n`).join(''))
  const answers = (await child).stdout.trim().split('\n')
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { answer: { account_id: user.id, role: 'tester', version: 2 } },
    { answer: { status: 'inactive', version: 3 } },
    { answer: { ended: 1, version: 4 } },
    { error: 'There is no account unknown@example.com.' },
    { answer: { role: 'tester', status: 'inactive', living_sessions: 0, version: 4 } },
    { answer: { unlocked: true } },
    { answer: { url: expect.stringMatching(/^http:.*\/auth\/reset-password\?token=[\w-]{43}$/) } },
  ])
  await expect(guess()).resolves.toBeUndefined()
  const link: { answer: { url: string } } = JSON.parse(answers.at(-1) ?? '')
  const token = new URL(link.answer.url).searchParams.get('token') ?? ''
  expect(await verifyResetToken(deps, { token })).toEqual({ valid: true, email: user.email })
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', user.id)
    .orderBy('position')
    .execute()
  const events = rows.map(({ envelope }) => Value.Parse(EventEnvelope, envelope))
  expect(events.filter(({ actorid }) => actorid === 'operator').map(({ type }) => type)).toEqual([
    'identity.role-changed.v1',
    'identity.status-changed.v1',
    'identity.sessions-ended.v1',
    'identity.account-unlocked.v1',
    'identity.reset-link-made.v1',
  ])
  expect(JSON.stringify(events)).not.toContain(token)
})

test('an error is one line and a failure exit code', async () => {
  await expect(run('set-role', 'unknown@example.com', 'owner')).rejects.toMatchObject({
    code: 1,
    stderr: 'The role is one of user, tester, admin.\n',
  })
})

test.each([
  [[], 'Usage'],
  [['show'], 'Usage'],
  [['show', 'a@example.com', 'more'], 'Usage'],
  [['set-role', 'a@example.com'], 'Usage'],
  [['set-status', 'a@example.com', 'active', 'more'], 'Usage'],
  [['drop', 'a@example.com', 'x'], 'Usage'],
  [['set-status', 'a@example.com', 'deleted'], 'active, inactive'],
  [['end-sessions', 'a@example.com', 'mine'], 'UUID'],
])('%j is rejected', (words, message) => {
  expect(() => parseAdminCommand(words)).toThrow(message)
})
