import { API_KEY_SCOPES, type KeyLimits } from '@tapeline/contracts/api-key/http'

/** Removes duplicates and sorts scopes in the platform's order. */
export function readScopes(scopes: readonly string[]): string[] {
  return API_KEY_SCOPES.filter((scope) => scopes.includes(scope))
}

/**
 * null when there are no limits. A limit above the account's is kept: it applies when the account's limit rises above
 * it.
 */
export function readLimits(limits: KeyLimits | null): KeyLimits | null {
  return limits === null || Object.keys(limits).length === 0 ? null : limits
}
