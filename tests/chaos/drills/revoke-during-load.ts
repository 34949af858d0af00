import { send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Check, type Field, pause } from '../drill.ts'
import { checkRefusedAfter, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import type { Account } from '../load.ts'

const OBSERVE_MS = 500
const WHAT = 'revoke'

/** Revokes the key while its clients keep sending requests, and waits until one that started later is answered. */
export async function revokeDuringLoad({ platform, history, size }: Field, account: Account): Promise<void> {
  const { accountId, token, keyId } = account
  const url = `${platform.gatewayUrl}/api/v1/internal/api-keys/${keyId}/revoke`
  const { status } = await history.during(WHAT, keyId, () => send(url, { method: 'PATCH', token }))
  if (status !== 200) throw new Error(`revoking a key returned ${status}`)
  const revokedMs = Date.now()
  await pause(OBSERVE_MS)
  const isRefused = () =>
    history.requests.some((one) => one.account === accountId && one.startMs > revokedMs && one.status === 401)
  await waitUntil('a request is refused', isRefused, size.settledWithinMs).catch(() => {})
}

/** Until then every response is a 200, afterwards none is. */
export function checkRevocation({ history, size }: Field, { accountId, keyId }: Account): Check[] {
  const requests = history.requests.filter(({ account }) => account === accountId)
  const revocation = history.faults.find(({ what, name }) => what === WHAT && name === keyId)
  const before = requests.filter(({ endMs }) => endMs < (revocation?.startMs ?? Infinity))
  const checks = [checkStatuses('until the key is revoked every answer is a 200', before, servedStatuses(size))]
  return revocation === undefined ? checks : [...checks, checkRefusedAfter(requests, revocation)]
}
