import { EFFECTIVE_WITHIN_SECONDS, keyVersionField } from '@tapeline/service/account-versions'
import type { Deps } from './deps.ts'

export type KeyVersion = { userId: string; kid: string; version: number }

/** After the commit and before the answer: the next request on every gateway sees the change, or the answer says when. */
export async function tellGateways(
  deps: Pick<Deps, 'raiseVersion'>,
  { userId, kid, version }: KeyVersion,
): Promise<{ effective_within_seconds?: number }> {
  const isTold = await deps.raiseVersion({ accountId: userId, field: keyVersionField(kid), version })
  return isTold ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }
}
