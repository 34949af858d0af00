import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { expect, test } from 'vitest'
import { keyState } from './key-state.ts'

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
