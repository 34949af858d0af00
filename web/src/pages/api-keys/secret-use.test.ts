import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { expect, test } from 'vitest'
import { replacementText, twoSecretsOf } from './secret-use.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
const KEY: ApiKey = {
  id: '1',
  name: 'a',
  description: null,
  api_key: '••••••••••••••••',
  prefix: 'tl_live_000000000001',
  kind: 'data',
  tags: [],
  owner_note: null,
  external_id: null,
  is_active: true,
  status: 'active',
  environment: 'live',
  scopes: [],
  networks: [],
  rate_limits: null,
  expires_at: null,
  last_used_at: '2026-11-20T11:59:59Z',
  secret_last_used_at: null,
  created_at: '2026-11-01T00:00:00Z',
  revoked_at: null,
  grace: { prefix: 'tl_live_000000000000', until: '2026-11-20T13:00:00Z', last_used_at: '2026-11-20T11:59:59Z' },
}

test('the new secret counts as used once it was used, even if the old one was used later', () => {
  const used = { ...KEY, secret_last_used_at: '2026-11-20T11:50:00Z' }
  expect(twoSecretsOf(used, NOW_MS)).toEqual({
    current: { prefix: 'tl_live_000000000001', use: 'last used 10 min ago' },
    old: { prefix: 'tl_live_000000000000', until: '2026-11-20T13:00:00Z', use: 'last used 1 s ago' },
  })
})

test('the new secret is not used yet only while its own last use is unknown', () => {
  expect(twoSecretsOf(KEY, NOW_MS)?.current.use).toBe('The new one is not used yet')
})

test('an old secret without a use is shown as such, and a clock that is behind shows no future time', () => {
  const grace = { prefix: 'tl_live_000000000000', until: '2026-11-20T13:00:00Z', last_used_at: null }
  const shown = twoSecretsOf({ ...KEY, grace, secret_last_used_at: '2026-11-20T12:00:02Z' }, NOW_MS)
  expect([shown?.current.use, shown?.old.use]).toEqual(['last used 0 s ago', 'not used'])
})

test('a key whose replaced secret has ended has one secret to show', () => {
  expect(twoSecretsOf({ ...KEY, grace: null }, NOW_MS)).toBeUndefined()
  expect(twoSecretsOf(KEY, Date.parse('2026-11-20T13:00:00Z'))).toBeUndefined()
})

test.each([
  ['without an earlier grace', { ...KEY, grace: null }, 3_600, /Both work until the grace period ends/],
  ['without an earlier grace, immediately', { ...KEY, grace: null }, 0, /The old one stops working at once/],
  ['with an unused current secret', KEY, 60, /was never used and stops .*; tl_live_000000000000… keeps working/],
  [
    'with a used current secret',
    { ...KEY, secret_last_used_at: '2026-11-20T11:50:00Z' },
    60,
    /works until .*; tl_live_000000000000… stops working at once/,
  ],
  ['with an earlier grace, immediately', KEY, 0, /The current one and tl_live_000000000000… stop working at once/],
] as const)('the dialog says which secrets work after a replacement %s', (_when, key, seconds, text) => {
  expect(replacementText(key, seconds)).toMatch(text)
})
