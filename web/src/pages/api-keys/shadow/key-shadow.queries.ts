import type { KeyAnswer, KeyLimits } from '@tapeline/contracts/api-key/http'
import type { KeyShadowReport } from '@tapeline/contracts/audit/shadow'
import { queryOptions } from '@tanstack/react-query'
import { refetchEvery } from '../../../live/usage-activity.ts'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'
import { keysQuery } from '../api-keys.queries.ts'

const KEYS = '/api/v1/internal/api-keys'
const REPORT = '/api/v1/internal/apikeyaudit/key-shadow'
const REFETCH_MS = 10_000

/** What the shadow limits of a key decided in the last seven days. */
export function keyShadowQuery(proposal: string) {
  return queryOptions({
    queryKey: ['key-shadow', proposal],
    refetchInterval: refetchEvery(REFETCH_MS),
    meta: { usage: 'polled' },
    queryFn: ({ signal }) => api.data<KeyShadowReport>({ path: `${REPORT}/${proposal}`, signal }),
  })
}

/** Limits as entered: the server reports what is wrong with them. */
export function proposeKeyLimits(keyId: string, limits: Record<keyof KeyLimits, unknown>): Promise<void> {
  return change('PUT', `${keyId}/shadow`, { rate_limits: limits })
}

export function withdrawKeyLimits(keyId: string): Promise<void> {
  return change('DELETE', `${keyId}/shadow`)
}

export function applyKeyLimits(keyId: string, proposal: string): Promise<void> {
  return change('POST', `${keyId}/shadow/apply`, { proposal })
}

async function change(method: 'PUT' | 'DELETE' | 'POST', path: string, body?: object): Promise<void> {
  await api.data<KeyAnswer>({ method, path: `${KEYS}/${path}`, ...(body === undefined ? {} : { body }) })
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
}
