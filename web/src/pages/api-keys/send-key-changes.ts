import type { CreatedKey, CreateKey, KeyAnswer } from '@tapeline/contracts/api-key/http'
import { api } from '../../platform.ts'
import { queryClient } from '../../queries.ts'
import { keysQuery } from './api-keys.queries.ts'
import { type HeldSecret, holdSecret } from './new-key/hold-secret.ts'

const KEYS = '/api/v1/internal/api-keys'

/** The secret is shown at once: it exists only in this answer, and does not wait for the list. */
export async function createKey(body: CreateKey | Record<string, unknown>): Promise<HeldSecret> {
  const secret = holdSecret(await api.data<CreatedKey>({ method: 'POST', path: KEYS, body }))
  void refetchKeys()
  return secret
}

export async function updateKey(keyId: string, body: Record<string, unknown>): Promise<void> {
  await api.data<KeyAnswer>({ method: 'PUT', path: `${KEYS}/${keyId}`, body })
  await refetchKeys()
}

export async function regenerateKey(keyId: string, graceSeconds: number): Promise<HeldSecret> {
  const path = `${KEYS}/${keyId}/regenerate`
  const body = { grace_seconds: graceSeconds }
  const secret = holdSecret(await api.data<CreatedKey>({ method: 'POST', path, body }))
  void refetchKeys()
  return secret
}

export async function endOldSecret(keyId: string): Promise<void> {
  await api.send({ method: 'PATCH', path: `${KEYS}/${keyId}/end-grace` })
  await refetchKeys()
}

export async function revokeKey(keyId: string): Promise<void> {
  await api.send({ method: 'PATCH', path: `${KEYS}/${keyId}/revoke` })
  await refetchKeys()
}

export async function deleteKey(keyId: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `${KEYS}/${keyId}/delete` })
  await refetchKeys()
}

function refetchKeys(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
}
