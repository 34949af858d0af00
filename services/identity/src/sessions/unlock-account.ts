import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { Deps } from '../deps.ts'

type Unlocked = { account_id: string; unlocked: true }

/** Whoever must wait for others' guesses at this account need wait no longer. */
export async function unlockAccount(
  { tries }: Pick<Deps, 'tries'>,
  { account_id, email }: { account_id: string; email: string },
): Promise<Unlocked> {
  await tries.forget(canonicalEmail(email))
  return { account_id, unlocked: true }
}
