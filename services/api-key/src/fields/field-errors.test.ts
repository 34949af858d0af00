import type { UserActor } from '@tapeline/contracts/actor'
import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const { app, close } = await openTestApp()
afterAll(close)

const send = (actor: UserActor, method: Call['method'], url: string, body: unknown) =>
  callAs(app, 'api-key', actor, { method, url, body })

test.each([{ expires_at: 'tomorrow' }, { expires_at: '2100-02-30' }])(
  '%j is rejected with both accepted forms of an expiry',
  async (body) => {
    const failed = await send(someUser(), 'POST', KEYS, { name: 'ci', ...body })
    expect(failed.json()).toMatchObject({
      message: 'expires_at must be a date, like 2026-03-12, or a date and time in RFC 3339, like 2026-03-12T00:00:00Z',
      errors: [{ field: '/expires_at', rule: 'format', limit: 'date or date-time' }],
    })
  },
)

test('one response names every invalid field, whichever check found it', async () => {
  const schema = await send(someUser(), 'POST', KEYS, {
    name: '',
    scopes: [],
    rate_limits: { perDay: 5, burstLimit: 0 },
    x: 1,
  })
  const fieldsOf = (failed: typeof schema) =>
    failed
      .json<{ errors: { field: string }[] }>()
      .errors.map(({ field }) => field)
      .toSorted()
  expect(fieldsOf(schema)).toEqual(['/name', '/rate_limits/burstLimit', '/rate_limits/perDay', '/scopes', '/x'])
  const values = {
    name: 'nul\u0000',
    description: '\u0000',
    expires_at: '2020-01-01',
    networks: ['home', '10.1.2.3/8'],
  }
  const expected = ['/description', '/expires_at', '/name', '/networks/0', '/networks/1']
  expect(fieldsOf(await send(someUser(), 'POST', KEYS, values))).toEqual(expected)
  const actor = someUser()
  const { key } = (await send(actor, 'POST', KEYS, { name: 'ci' })).json<{ data: CreatedKey }>().data
  expect(fieldsOf(await send(actor, 'PUT', `${KEYS}/${key.id}`, values))).toEqual(expected)
})
