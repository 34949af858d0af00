import { keyShadowFields } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'

/** Deletes the counters of proposed limits that gateways no longer evaluate. */
export async function deleteShadowCounters(
  { deleteVersion }: Pick<Deps, 'deleteVersion'>,
  { userId, keyId }: { userId: string; keyId: string },
): Promise<void> {
  for (const field of keyShadowFields(keyId)) await deleteVersion({ accountId: userId, field })
}
