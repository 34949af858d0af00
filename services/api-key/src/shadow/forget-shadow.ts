import { keyShadowFields } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'

/** Deletes the windows of proposed limits that no gateway decides by any more. */
export async function forgetShadow(
  { forgetVersion }: Pick<Deps, 'forgetVersion'>,
  { userId, keyId }: { userId: string; keyId: string },
): Promise<void> {
  for (const field of keyShadowFields(keyId)) await forgetVersion({ accountId: userId, field })
}
