import { EFFECTIVE_WITHIN_SECONDS, SUBSCRIPTION_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'

/**
 * Called after the commit: the next request on every gateway finds the new version. Without Redis the relay writes
 * it.
 */
export async function publishVersion(
  { raiseVersion }: Pick<Deps, 'raiseVersion'>,
  { account_id: accountId, version }: SubscriptionRow,
): Promise<{ effective_within_seconds?: number }> {
  const isPublished = await raiseVersion({ accountId, field: SUBSCRIPTION_VERSION_FIELD, version })
  return isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
