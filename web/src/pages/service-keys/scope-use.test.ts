import type { UsageRow } from '@tapeline/contracts/audit/http'
import { SERVICE_SCOPES } from '@tapeline/contracts/api-key/http'
import { expect, test } from 'vitest'
import { scopeUse, unusedScopes } from './scope-use.ts'

const row = (key: string, total: number): UsageRow => ({
  key,
  total,
  success: total,
  failed: 0,
  denied: 0,
  client_errors: 0,
  server_errors: 0,
  latency_ms: null,
  last_at: null,
})
const ROWS = [
  row('/api/v1/internal/api-keys', 3),
  row('/api/v1/internal/api-keys/*', 4),
  row('/api/v1/internal/api-keys/usage', 5),
  row('/api/v1/trades/list', 7),
]

test('requests are counted in the area of their endpoint, by its longest path', () => {
  const used = scopeUse(['keys:read', 'trades:read'], ROWS)
  expect(used.filter(({ requests }) => requests > 0).map(({ area, requests }) => [area, requests])).toEqual([
    ['keys', 7],
    ['usage', 5],
    ['trades', 7],
  ])
})

test('every service scope has a place in the table, and no other place can be granted', () => {
  const granted = scopeUse(SERVICE_SCOPES, []).flatMap(({ area, read, write }) => [
    ...(read === true ? [`${area}:read`] : []),
    ...(write === true ? [`${area}:write`] : []),
  ])
  expect(granted.toSorted()).toEqual([...SERVICE_SCOPES].toSorted())
  expect(scopeUse(['keys:read'], [])[0]).toEqual({ area: 'keys', read: true, write: false, requests: 0 })
})

test('scopes of areas without a request are unused', () => {
  expect(unusedScopes(['keys:read', 'keys:write', 'audit:read', 'trades:read'], ROWS)).toEqual(['audit:read'])
  expect(unusedScopes(['keys:read'], [])).toEqual(['keys:read'])
})
