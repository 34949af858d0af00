import type { CreatedKey, CreateKey, KeyList } from '@tapeline/contracts/api-key/http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { queryOptions } from '@tanstack/react-query'
import { api, queryClient } from '../../platform.ts'

const KEYS = '/api/v1/internal/api-keys'
const AUDIT = '/api/v1/internal/apikeyaudit'

/** A key may be revoked elsewhere, and a page that failed comes back by itself. */
const KEYS_AGAIN_MS = 5_000
const LIVE_MS = 1_000
/** Each key has a tape of its own: with many keys they take turns, so that the page asks about twice a second. */
const LIVE_PER_KEY_MS = 500

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  refetchInterval: KEYS_AGAIN_MS,
  queryFn: async ({ signal }) => (await api.data<KeyList>({ path: KEYS, signal })).apiKeys,
})

/** Totals of the last 30 days, by key. */
export const keyTotalsQuery = queryOptions({
  queryKey: ['api-key-usage'],
  refetchInterval: LIVE_MS,
  queryFn: ({ signal }) => api.data<UsageReport>({ path: `${AUDIT}/api-key-usage`, query: { period: '30d' }, signal }),
})

/** The last 60 minutes of one key, a point a minute. */
export function keyHourQuery(keyId: string, keyCount: number) {
  return queryOptions({
    queryKey: ['api-key-hour', keyId],
    refetchInterval: Math.max(LIVE_MS, keyCount * LIVE_PER_KEY_MS),
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/dashboard-metrics`, query: { period: '1h', apiKeyId: keyId }, signal }),
  })
}

export async function createKey(body: CreateKey): Promise<CreatedKey> {
  const created = await api.data<CreatedKey>({ method: 'POST', path: KEYS, body })
  await keysChanged()
  return created
}

export async function regenerateKey(keyId: string): Promise<CreatedKey> {
  const created = await api.data<CreatedKey>({ method: 'POST', path: `${KEYS}/${keyId}/regenerate` })
  await keysChanged()
  return created
}

export async function revokeKey(keyId: string): Promise<void> {
  await api.send({ method: 'PATCH', path: `${KEYS}/${keyId}/revoke` })
  await keysChanged()
}

export async function deleteKey(keyId: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `${KEYS}/${keyId}/delete` })
  await keysChanged()
}

function keysChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
}
