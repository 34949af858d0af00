import { API_KEY_SCOPES, KEY_SCOPES, type KeyKind, type KeyLimits } from '@tapeline/contracts/api-key/http'
import { AppError } from '@tapeline/service/app-error'

/**
 * Removes duplicates and sorts scopes in the platform's order.
 * @throws AppError when the key's kind cannot have one of them, or a new service key has none
 */
export function readScopes(kind: KeyKind, scopes: readonly string[] | undefined): string[] {
  if (scopes === undefined) {
    if (kind === 'data') return [...API_KEY_SCOPES]
    throw rejected('/scopes', 'Choose what the service key may do: it has no scopes by default.')
  }
  const allowed: readonly string[] = kind === 'service' ? KEY_SCOPES : API_KEY_SCOPES
  const wrong = scopes.findIndex((scope) => !allowed.includes(scope))
  if (wrong !== -1) throw rejected(`/scopes/${wrong}`, `Only a service key can have the scope ${scopes[wrong]}.`)
  return KEY_SCOPES.filter((scope) => scopes.includes(scope))
}

function rejected(field: string, message: string): AppError {
  return new AppError('request.invalid', message, { errors: [{ field, message, rule: 'scopes' }] })
}

/** Removes duplicates and sorts. */
export function readTags(tags: readonly string[]): string[] {
  return [...new Set(tags)].toSorted()
}

/**
 * null when there are no limits. A limit above the account's is kept: it applies when the account's limit rises above
 * it.
 */
export function readLimits(limits: KeyLimits | null): KeyLimits | null {
  return limits === null || Object.keys(limits).length === 0 ? null : limits
}
