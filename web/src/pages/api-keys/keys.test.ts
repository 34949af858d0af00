import type { ApiKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { holdSecret } from './new-key/hold-secret.ts'
import { changedBody, keyFormOf } from './key-form.ts'
import { listKeys, readKeysFilter, stillUnused, writeKeysFilter } from './list-keys.ts'

const key = (id: string, changed: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: id,
  description: null,
  api_key: '•',
  prefix: `tl_live_${id}`,
  kind: 'data',
  tags: [],
  owner_note: null,
  external_id: null,
  is_active: true,
  status: 'active',
  environment: 'live',
  scopes: ['trades:read', 'l2events:read'],
  networks: ['10.0.0.0/8'],
  rate_limits: null,
  expires_at: '2026-12-01T09:30:00.000Z',
  last_used_at: null,
  secret_last_used_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  revoked_at: null,
  grace: null,
  ...changed,
})

const keys = [
  key('b', { description: 'order router', created_at: '2026-01-02T00:00:00.000Z', expires_at: null }),
  key('a', { status: 'revoked' }),
  key('c', { created_at: '2026-01-03T00:00:00.000Z' }),
]
const row = (of: string, total: number, last_at: string) => ({ key: of, total, last_at }) as UsageRow
const rows = [row('a', 5, '2026-02-01T00:00:00.000Z'), row('b', 9, '2026-01-15T00:00:00.000Z')]
const idsBy = (address: string): string =>
  listKeys(keys, rows, readKeysFilter(new URLSearchParams(address)))
    .map(({ id }) => id)
    .join('')

test('keys are filtered by name, description or prefix and by state, in the order of the URL', () => {
  expect(['', 'sort=name', 'sort=requests', 'sort=last-used', 'sort=expiry', 'sort=nonsense'].map(idsBy)).toEqual([
    'cba',
    'abc',
    'bac',
    'abc',
    'cab',
    'cba',
  ])
  expect([idsBy('find=ROUTER'), idsBy('find=tl_live_a'), idsBy('state=off'), idsBy('state=active')]).toEqual([
    'b',
    'a',
    'a',
    'cb',
  ])
  const filter = readKeysFilter(new URLSearchParams('find=x&state=off&sort=name'))
  expect(writeKeysFilter(filter).toString()).toBe('find=x&state=off&sort=name')
  expect(writeKeysFilter({ ...filter, find: '', state: undefined, sort: 'newest' }).toString()).toBe('')
})

test('only changed fields of a key are sent; the time of an expiry is kept unless its day changes', () => {
  const form = keyFormOf(key('a'))
  expect(form.expires_at).toBe('2026-12-01')
  expect(changedBody(form, key('a'))).toEqual({})
  const changed = {
    ...form,
    name: ' z ',
    description: ' ',
    expires_at: '',
    networks: '10.0.0.0/8\n\n192.0.2.1, ::1',
    scopes: ['trades:read'],
  }
  expect(changedBody(changed, key('a', { description: 'old' }))).toEqual({
    name: 'z',
    description: null,
    expires_at: null,
    networks: ['10.0.0.0/8', '192.0.2.1', '::1'],
    scopes: ['trades:read'],
  })
  expect(changedBody({ ...form, scopes: form.scopes.toReversed() }, key('a'))).toEqual({})
})

test('a wiped secret can no longer be read through any reference', () => {
  const held = holdSecret({ apiKey: 'tl_live_secret', name: 'a', key: key('a') })
  expect(held.read()).toBe('tl_live_secret')
  held.wipe()
  expect(held.read()).toBe('')
  expect(JSON.stringify(held)).not.toContain('tl_live_secret')
})

test('a retry revokes the rest: neither keys that are revoked already nor keys that were used meanwhile', () => {
  const listed = ['a', 'b', 'c', 'd'].map((id) => key(id))
  const now = [key('a', { status: 'revoked' }), key('b'), key('c', { last_used_at: '2026-02-01T00:00:00.000Z' })]
  const { unused, used } = stillUnused(listed, now)
  expect([unused.map(({ id }) => id), used]).toEqual([['b'], 1])
})
