import { toAppError } from '@tapeline/service/to-app-error'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someSignUp } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { changeUser } from './change-user.ts'
import { listUsers } from './list-users.ts'
import { signUp } from './sign-up.ts'

const { deps, clock, anonymous, close } = await testIdentity()
const operator = { kind: 'service', service: 'operator' } as const
afterAll(close)

/** Newest last; the third and the fourth in the same millisecond. */
const people = [
  ['Ada', 'Lovelace', 'ada@one.example'],
  ['Grace', 'Hopper', 'grace@one.example'],
  ['Percy', '100%', 'percy_x@two.example'],
  ['Perdita', 'X', 'percyyx@two.example'],
  ['Alan', 'Turing', 'alan@two.example'],
] as const
const ids: string[] = []
beforeAll(async () => {
  for (const [n, [first_name, last_name, email]] of people.entries()) {
    if (n !== 3) clock.nowMs += 1_000
    const { user } = await signUp(deps, anonymous, someSignUp({ first_name, last_name, email }))
    ids.push(user.id)
  }
  await changeUser(deps, operator, { userId: ids[1] ?? '', role: 'tester' })
  await changeUser(deps, operator, { userId: ids[2] ?? '', status: 'inactive' })
})

const emailsOf = async (query: Parameters<typeof listUsers>[1]) =>
  (await listUsers(deps, query)).users.map(({ email }) => email)

test('the pages contain every user once, newest first, also those created at the same time', async () => {
  const listed: string[] = []
  let cursor: string | null = null
  do {
    const page = await listUsers(deps, { limit: 2, ...(cursor === null ? {} : { cursor }) })
    expect(page.users.length).toBeLessThanOrEqual(2)
    listed.push(...page.users.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(listed).toHaveLength(5)
  expect(new Set(listed)).toEqual(new Set(ids))
  expect([listed[0], listed[3], listed[4]]).toEqual([ids[4], ids[1], ids[0]])
})

test('a search finds parts of e-mails and names, ignoring case, without wildcards', async () => {
  expect(await emailsOf({ search: 'LOVE' })).toEqual(['ada@one.example'])
  expect(await emailsOf({ search: 'ce hop' })).toEqual(['grace@one.example'])
  expect(await emailsOf({ search: '@ONE.' })).toEqual(['grace@one.example', 'ada@one.example'])
  expect(await emailsOf({ search: 'percy_' })).toEqual(['percy_x@two.example'])
  expect(await emailsOf({ search: '0%' })).toEqual(['percy_x@two.example'])
  expect(await emailsOf({ search: '\\' })).toEqual([])
})

test('a search finds an account by its whole id', async () => {
  expect(await emailsOf({ search: ` ${ids[1]?.toUpperCase()} ` })).toEqual(['grace@one.example'])
  expect(await emailsOf({ search: ids[1]?.slice(0, -1) ?? '' })).toEqual([])
})

test('role and status filter the list', async () => {
  expect(await emailsOf({ role: 'tester' })).toEqual(['grace@one.example'])
  expect(await emailsOf({ status: 'inactive' })).toEqual(['percy_x@two.example'])
  expect(await emailsOf({ status: 'inactive', role: 'tester' })).toEqual([])
})

test('an invalid cursor is rejected with its field', async () => {
  for (const cursor of ['x', Buffer.from('2026-01-01T00:00:00Z no-uuid').toString('base64url')]) {
    await expect(listUsers(deps, { cursor })).rejects.toMatchObject({
      code: 'cursor.invalid',
      errors: [{ field: '/cursor' }],
    })
  }
})

test('the response contains no password data', async () => {
  const { users } = await listUsers(deps, { limit: 1 })
  expect(Object.keys(users[0] ?? {}).toSorted()).toEqual([
    'created_at',
    'email',
    'email_verified',
    'first_name',
    'id',
    'last_login_at',
    'last_name',
    'role',
    'status',
  ])
})

test('a search that the database cannot store is a client error', async () => {
  const failure = listUsers(deps, { search: 'nul\u0000' }).catch(toAppError)
  expect(await failure).toMatchObject({ status: 400, code: 'request.invalid' })
})

test.each(['{"a":"\\u0000"}', '{"a":"\\ud800"}'])('%s is a client error where it becomes jsonb', async (json) => {
  const failure = sql`select ${json}::jsonb`.execute(deps.db).catch(toAppError)
  expect(await failure).toMatchObject({ status: 400, code: 'request.invalid' })
})

test('malformed JSON written by the service itself is a server error', async () => {
  const failure = sql`select ${'{"a":'}::jsonb`.execute(deps.db).catch(toAppError)
  expect(await failure).toMatchObject({ status: 500, code: 'service.failed' })
})
