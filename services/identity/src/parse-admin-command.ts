import { type Role, ROLES } from '@tapeline/contracts/actor'
import { USER_STATUSES, type UserStatus } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import { Format } from 'typebox/format'

export type AdminCommand =
  | { command: 'show' | 'unlock' | 'reset-link'; account: string }
  | { command: 'set-role'; account: string; role: Role }
  | { command: 'set-status'; account: string; status: UserStatus }
  | { command: 'end-sessions'; account: string; sessionId: string | undefined }

const USAGE = `Usage, with the account's email or id:
  show <account>
  set-role <account> ${ROLES.join('|')}
  set-status <account> ${USER_STATUSES.join('|')}
  end-sessions <account> [session id]
  unlock <account>
  reset-link <account>`

/** Parses an operator's words into a command of identity. @throws AppError request.invalid */
export function parseAdminCommand(words: readonly string[]): AdminCommand {
  const [command, account, value, ...rest] = words
  if (account === undefined || rest.length > 0) throw invalid(USAGE)
  if (value !== undefined) return parseChange(command, account, value)
  if (command === 'show' || command === 'unlock' || command === 'reset-link') return { command, account }
  if (command === 'end-sessions') return { command, account, sessionId: undefined }
  throw invalid(USAGE)
}

function parseChange(command: string | undefined, account: string, value: string): AdminCommand {
  if (command === 'set-role') return { command, account, role: oneOf('role', ROLES, value) }
  if (command === 'set-status') return { command, account, status: oneOf('status', USER_STATUSES, value) }
  if (command !== 'end-sessions') throw invalid(USAGE)
  if (!Format.IsUuid(value)) throw invalid('The session id is a UUID.')
  return { command, account, sessionId: value }
}

function oneOf<T extends string>(what: string, names: readonly T[], value: string): T {
  const found = names.find((name) => name === value)
  if (found === undefined) throw invalid(`The ${what} is one of ${names.join(', ')}.`)
  return found
}

function invalid(message: string): AppError {
  return new AppError('request.invalid', message)
}
