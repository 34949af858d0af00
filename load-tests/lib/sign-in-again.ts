import { b64decode } from 'k6/encoding'
import type { Account } from './accounts.ts'
import { dataOf, sendCall } from './send-call.ts'

const MINUTE_MS = 60_000
/** Random per client, so that the clients of a load do not all sign in at once. */
const RENEWED_BEFORE_MS = MINUTE_MS + Math.random() * 6 * MINUTE_MS
/** Of this client, by account. */
const tokens = new Map<string, string>()

/** An access token that is valid for at least a minute: the prepared one, or that of a new session. */
export function accessTokenOf(gateway: string, account: Account): string {
  const known = tokens.get(account.id) ?? account.token
  if (expiresAtMs(known) - Date.now() > RENEWED_BEFORE_MS) return known
  const renewed = signInAgain(gateway, account)
  tokens.set(account.id, renewed)
  return renewed
}

/** Opens a new session: the prepared one may have expired. */
export function signInAgain(gateway: string, { email, password }: Account): string {
  const url = `${gateway}/api/v1/internal/user/login`
  const reply = sendCall({ method: 'POST', url, name: 'sign in again', body: { email, password } })
  return dataOf<{ jwtToken: string }>(reply)?.jwtToken ?? ''
}

/** 0 for a text that is not a token. */
function expiresAtMs(token: string): number {
  const payload = token.split('.')[1]
  if (payload === undefined) return 0
  const { exp = 0 } = JSON.parse(b64decode(payload, 'rawurl', 's')) as { exp?: number }
  return exp * 1_000
}
