import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { expect, test } from 'vitest'
import { impactWords, keyState, keyUseOf } from './key-state.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
const KEY: ApiKey = {
  id: '1',
  name: 'a',
  description: null,
  api_key: '••••••••••••••••',
  prefix: 'tl_live_000000000000',
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
  last_used_at: null,
  secret_last_used_at: null,
  created_at: '2026-11-01T00:00:00Z',
  revoked_at: null,
  grace: null,
}

test.each<[Partial<ApiKey>, string, boolean]>([
  [{}, 'Active', false],
  [{ expires_at: '2026-11-23T13:00:00Z' }, 'Active, expires in 3 days', false],
  [{ expires_at: '2027-11-23T13:00:00Z' }, 'Active', false],
  [{ expires_at: '2026-11-20T11:59:59Z' }, 'Expired', true],
  [{ status: 'revoked', is_active: false }, 'Revoked', true],
  [{ status: 'inactive', is_active: false }, 'Inactive', true],
])('a key with %j is shown as %s', (changed, text, isOff) => {
  expect(keyState({ ...KEY, ...changed }, NOW_MS)).toMatchObject({ text, isOff })
})

const ROW = { key: '1', total: 1_240, success: 1_240, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
const USED = { ...ROW, latency_ms: null, last_at: '2026-11-20T11:56:00Z' }

test('a key whose requests are not loaded is not called unused', () => {
  expect(impactWords(KEY, keyUseOf(undefined, '1'), NOW_MS)).toMatch(/it may be in use/)
  const used = { ...KEY, last_used_at: '2026-11-20T11:56:00Z' }
  expect(impactWords(used, keyUseOf(undefined, '1'), NOW_MS)).toBe('Used 4 min ago.')
})

test('a change of a key names its requests of 30 days, also one that is not counted yet', () => {
  expect(impactWords(KEY, keyUseOf([USED], '1'), NOW_MS)).toBe('Used 4 min ago. 1,240 requests in 30 days.')
  expect(impactWords(KEY, keyUseOf([USED], '2'), NOW_MS)).toBe('Not used in the last 30 days.')
  const isNotCountedYet = { ...KEY, last_used_at: '2026-11-20T11:59:50Z' }
  expect(impactWords(isNotCountedYet, keyUseOf([], '1'), NOW_MS)).toBe('Used 10 s ago.')
  const isOld = { ...KEY, last_used_at: '2026-10-01T00:00:00Z' }
  expect(impactWords(isOld, keyUseOf([], '1'), NOW_MS)).toBe('Not used in the last 30 days.')
})
