import type { Actor } from '@tapeline/contracts/actor'
import type { Deps } from './deps.ts'
import { parseAdminCommand } from './parse-admin-command.ts'
import { makeResetLink } from './passwords/make-reset-link.ts'
import { endSessions } from './sessions/end-sessions.ts'
import { type ChangedUser, changeUser } from './users/change-user.ts'
import { unlockAccount } from './sign-in-limits/unlock-account.ts'
import { showAccount } from './users/show-account.ts'

type AdminDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion' | 'tries' | 'webOrigin' | 'resetLinkLifeMs'>

/** The actor of commands run with database access; the audit trail records it under this name. */
const operator: Actor = { kind: 'service', service: 'operator' }

/** Runs the verb of an operator's command. */
export async function runAdminCommand(deps: AdminDeps, words: readonly string[]): Promise<object> {
  const input = parseAdminCommand(words)
  const shown = await showAccount(deps, input.account)
  const { account_id } = shown
  switch (input.command) {
    case 'show':
      return shown
    case 'set-role':
      return presentChange(await changeUser(deps, operator, { userId: account_id, role: input.role }))
    case 'set-status':
      return presentChange(await changeUser(deps, operator, { userId: account_id, status: input.status }))
    case 'unlock':
      return unlockAccount(deps, operator, shown)
    case 'reset-link':
      return makeResetLink(deps, operator, account_id)
    case 'end-sessions': {
      const { sessionId } = input
      return endSessions(deps, operator, { account_id, ...(sessionId === undefined ? {} : { session_id: sessionId }) })
    }
  }
}

function presentChange({ user, ...rest }: ChangedUser): object {
  const { id: account_id, role, status, version } = user
  return { account_id, role, status, version, ...rest }
}
