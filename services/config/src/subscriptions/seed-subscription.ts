import type { Actor } from '@tapeline/contracts/actor'
import type { Deps } from '../deps.ts'
import { readSubscription } from './read-subscription.ts'
import { type SetSubscription, setSubscription } from './set-subscription.ts'

/** Sets the tier of a subscription that has never been changed. Idempotent, and keeps an operator's changes. */
export async function seedSubscription(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>,
  actor: Actor,
  input: SetSubscription,
): Promise<void> {
  const { version } = await readSubscription(deps, input.account_id)
  if (version === 1) await setSubscription(deps, actor, input)
}
