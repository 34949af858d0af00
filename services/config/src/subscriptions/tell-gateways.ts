import { EFFECTIVE_WITHIN_SECONDS, SUBSCRIPTION_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'

/**
 * Called after the commit: the next request on every gateway finds the new version. Without Redis the relay writes
 * it.
 */
export async function tellGateways(
  { raiseVersion }: Pick<Deps, 'raiseVersion'>,
  { account_id: accountId, version }: SubscriptionRow,
): Promise<{ effective_within_seconds?: number }> {
  const isTold = await raiseVersion({ accountId, field: SUBSCRIPTION_VERSION_FIELD, version })
  return isTold ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
