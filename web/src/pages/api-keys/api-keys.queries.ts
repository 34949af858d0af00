import type { ApiKey, CreatedKey, CreateKey, KeyAnswer, KeyList } from '@tapeline/contracts/api-key/http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { queryClient } from '../../queries.ts'
import { type HeldSecret, holdSecret } from './new-key/hold-secret.ts'

const KEYS = '/api/v1/internal/api-keys'
const AUDIT = '/api/v1/internal/apikeyaudit'

/** Refetch interval: keys may be revoked elsewhere, and a failed page recovers automatically. */
const KEYS_AGAIN_MS = 5_000
const LIVE_MS = 1_000
/** Each key has its own tape; with many keys they take turns, so that the page sends about two requests a second. */
const LIVE_PER_KEY_MS = 500

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }): Promise<ApiKey[]> => (await api.data<KeyList>({ path: KEYS, signal })).apiKeys,
  // While two secrets of a key work, the page shows at once which one is used.
  refetchInterval: ({ state }) => (state.data?.some(({ grace }) => grace !== null) === true ? LIVE_MS : KEYS_AGAIN_MS),
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

export async function createKey(body: CreateKey): Promise<HeldSecret> {
  const secret = holdSecret(await api.data<CreatedKey>({ method: 'POST', path: KEYS, body }))
  await keysChanged()
  return secret
}

export async function updateKey(keyId: string, body: Record<string, unknown>): Promise<void> {
  await api.data<KeyAnswer>({ method: 'PUT', path: `${KEYS}/${keyId}`, body })
  await keysChanged()
}

export async function regenerateKey(keyId: string, graceSeconds: number): Promise<HeldSecret> {
  const path = `${KEYS}/${keyId}/regenerate`
  const body = { grace_seconds: graceSeconds }
  const secret = holdSecret(await api.data<CreatedKey>({ method: 'POST', path, body }))
  await keysChanged()
  return secret
}

export async function endOldSecret(keyId: string): Promise<void> {
  await api.send({ method: 'PATCH', path: `${KEYS}/${keyId}/end-grace` })
  await keysChanged()
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
