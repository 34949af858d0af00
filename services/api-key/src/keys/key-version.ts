import type { VersionChange } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS, keyVersionField } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import type { ApiKeyRow } from '../tables.ts'

/** What gateways must hear of: every kid of a key that may still be held as working. */
export type KeyVersion = { userId: string; kids: readonly string[]; version: number }

export function versionOf({ user_id, kid, graced_kid }: ApiKeyRow, version: number): KeyVersion {
  return { userId: user_id, kids: graced_kid === null ? [kid] : [kid, graced_kid], version }
}

/** For the outbox, whose relay repeats what Redis did not hear at once. */
export function versionChanges({ userId, kids, version }: KeyVersion): VersionChange[] {
  return kids.map((kid) => ({ accountId: userId, field: keyVersionField(kid), version }))
}

/** After the commit and before the answer: the next request on every gateway sees the change, or the answer says when. */
export async function tellGateways(
  deps: Pick<Deps, 'raiseVersion'>,
  change: KeyVersion,
): Promise<{ effective_within_seconds?: number }> {
  const told = await Promise.all(versionChanges(change).map((one) => deps.raiseVersion(one)))
  return told.every(Boolean) ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
