import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { expect, test } from 'vitest'
import { daysUnused, keysCsv } from './keys-csv.ts'

const key: ApiKey = {
  id: '1',
  name: '=HYPERLINK("x"), a',
  description: null,
  api_key: '•',
  prefix: 'tl_live_a',
  kind: 'data',
  is_active: true,
  status: 'active',
  environment: 'live',
  scopes: ['trades:read', 'l2events:read'],
  networks: [],
  rate_limits: null,
  tags: ['prod'],
  owner_note: null,
  external_id: null,
  expires_at: null,
  last_used_at: null,
  secret_last_used_at: null,
  created_at: '2026-11-01T00:00:00Z',
  revoked_at: null,
  grace: null,
}
const NOW_MS = Date.parse('2026-11-11T12:00:00Z')

test('a key is a line with its last use, and no cell is a formula', () => {
  const lines = keysCsv([key], NOW_MS).split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toBe(
    `"'=HYPERLINK(""x""), a",tl_live_a,active,,prod,trades:read l2events:read,2026-11-01T00:00:00Z,,10,,`,
  )
})

test('days are counted from the last use, and from the creation without any', () => {
  expect(daysUnused(key, NOW_MS)).toBe(10)
  expect(daysUnused({ ...key, last_used_at: '2026-11-11T11:00:00Z' }, NOW_MS)).toBe(0)
  expect(daysUnused({ ...key, last_used_at: '2026-11-12T11:00:00Z' }, NOW_MS)).toBe(0)
})
