import type { Actor } from '@tapeline/contracts/actor'
import type { Deps } from './deps.ts'
import { parseAdminCommand } from './parse-admin-command.ts'
import { readSubscription } from './subscriptions/read-subscription.ts'
import { setSubscription } from './subscriptions/set-subscription.ts'

/** The actor of commands run with database access; the audit trail records it under this name. */
const operator: Actor = { kind: 'service', service: 'operator' }

type Operated = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>

/** Runs the verb of an operator's command. */
export async function runAdminCommand(deps: Operated, words: readonly string[]): Promise<object> {
  const input = parseAdminCommand(words)
  return input.command === 'show'
    ? readSubscription(deps, input.account_id)
    : setSubscription(deps, operator, input.change)
}
