import { API_KEY_SCOPES, type KeyLimits } from '@tapeline/contracts/api-key/http'

/** Each once, in the platform's order. */
export function readScopes(scopes: readonly string[]): string[] {
  return API_KEY_SCOPES.filter((scope) => scopes.includes(scope))
}

/** No caps is null. A cap above the account's limit is kept: it binds when the account's limit rises above it. */
export function readLimits(limits: KeyLimits | null): KeyLimits | null {
  return limits === null || Object.keys(limits).length === 0 ? null : limits
}
