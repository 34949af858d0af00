import type { VersionChange } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS, keyVersionField } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import type { ApiKeyRow } from '../tables.ts'

/** The version to publish: for every kid of a key that gateways may have cached as working. */
export type KeyVersion = { userId: string; kids: readonly string[]; version: number }

export function versionOf({ user_id, kid, graced_kid }: ApiKeyRow, version: number): KeyVersion {
  return { userId: user_id, kids: graced_kid === null ? [kid] : [kid, graced_kid], version }
}

/** For the outbox, whose relay writes the version when the direct write to Redis failed. */
export function versionChanges({ userId, kids, version }: KeyVersion): VersionChange[] {
  return kids.map((kid) => ({ accountId: userId, field: keyVersionField(kid), version }))
}

/**
 * Writes the version after the commit and before the response: the change applies to the next request on every gateway, or
 * the response contains `effective_within_seconds`.
 */
export async function publishVersion(
  deps: Pick<Deps, 'raiseVersion'>,
  change: KeyVersion,
): Promise<{ effective_within_seconds?: number }> {
  const published = await Promise.all(versionChanges(change).map((one) => deps.raiseVersion(one)))
  return published.every(Boolean) ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
