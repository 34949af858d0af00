import { setTimeout as delay } from 'node:timers/promises'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { cancelWith, withoutCancellation } from './cancel.ts'
import { createPool, LONG_TIMEOUTS } from './connect.ts'

const name = `cancel-${crypto.randomUUID().slice(0, 8)}`
const url = testServers().databaseUrl
const patient = { url, ...LONG_TIMEOUTS }
const pool = createPool({ ...patient, connectionsMax: 2, applicationName: name, statementTimeoutMs: 60_000 })
const observer = createPool({ ...patient, connectionsMax: 1, applicationName: `${name}-observer` })
afterAll(async () => {
  await Promise.all([pool.end(), observer.end()])
})

const sleeping = async (): Promise<number> => {
  const { rows } = await observer.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where application_name = $1 and state = 'active'`,
    [name],
  )
  return rows[0]?.n ?? 0
}

test.each(['query', 'connect'] as const)(
  'a statement whose client has disconnected is cancelled in PostgreSQL: %s',
  async (form) => {
    const controller = new AbortController()
    const pending = cancelWith(controller.signal, async () => {
      if (form === 'query') return pool.query('select pg_sleep(50)')
      const client = await pool.connect()
      try {
        return await client.query('select pg_sleep(50)')
      } finally {
        client.release()
      }
    })
    const failure = pending.catch((error: unknown) => error)
    await waitUntil('it runs', async () => (await sleeping()) === 1)
    controller.abort()
    expect(await failure).toMatchObject({ code: '57014' })
    await waitUntil('it no longer runs', async () => (await sleeping()) === 0)
  },
)

test('a client that disconnects while waiting for a connection uses none', async () => {
  const controller = new AbortController()
  const busy = [pool.query('select pg_sleep(0.5)'), pool.query('select pg_sleep(0.5)')]
  const pending = cancelWith(controller.signal, () => pool.query('select 1'))
  const failure = pending.catch((error: unknown) => String(error))
  controller.abort()
  expect(await failure).toContain('no longer needed')
  await Promise.all(busy)
})

test('shared work continues after the client that started it disconnects', async () => {
  const controller = new AbortController()
  const pending = cancelWith(controller.signal, () =>
    withoutCancellation(() => pool.query('select pg_sleep(0.2), 7 as n')),
  )
  controller.abort()
  expect((await pending).rows).toMatchObject([{ n: 7 }])
})

test('cancellation never hits a statement of another client', async () => {
  for (let round = 0; round < 30; round += 1) {
    const controller = new AbortController()
    const pending = cancelWith(controller.signal, () => pool.query('select pg_sleep(0.01)')).catch(() => {})
    const others = Array.from({ length: 4 }, () => pool.query('select 1 as n'))
    await delay(round % 12)
    controller.abort()
    await pending
    for (const { rows } of await Promise.all(others)) expect(rows).toEqual([{ n: 1 }])
    expect((await pool.query('select 2 as n')).rows).toEqual([{ n: 2 }])
  }
})
