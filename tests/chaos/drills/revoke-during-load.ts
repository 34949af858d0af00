import { send } from '@tapeline/testing/api-client'
import { type Check, type Field, pause } from '../drill.ts'
import { checkRefusedAfter, checkStatuses } from '../checks/check-answers.ts'
import type { Account } from '../load.ts'

const OBSERVE_MS = 500
const WHAT = 'revoke'

/** Revokes the key while its clients keep sending requests. */
export async function revokeDuringLoad({ platform, history }: Field, { token, keyId }: Account): Promise<void> {
  const url = `${platform.gatewayUrl}/api/v1/internal/api-keys/${keyId}/revoke`
  const { status } = await history.during(WHAT, keyId, () => send(url, { method: 'PATCH', token }))
  if (status !== 200) throw new Error(`revoking a key answered ${status}`)
  await pause(OBSERVE_MS)
}

/** Until then every response is a 200, afterwards none is. */
export function checkRevocation({ history }: Field, { accountId, keyId }: Account): Check[] {
  const requests = history.requests.filter(({ account }) => account === accountId)
  const revocation = history.faults.find(({ what, name }) => what === WHAT && name === keyId)
  const before = requests.filter(({ endMs }) => endMs < (revocation?.startMs ?? Infinity))
  const checks = [checkStatuses('until the key is revoked every answer is a 200', before, [200])]
  return revocation === undefined ? checks : [...checks, checkRefusedAfter(requests, revocation)]
}
