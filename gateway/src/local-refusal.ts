import { type Refusal, refusal } from './refusal.ts'
import type { Caller } from './known-account.ts'
import type { Who } from './upstreams.ts'

const notActive = refusal('credential.invalid', 'The API key or access token is not valid.')
const ended = refusal('session.ended', 'This session has ended. Sign in again.')
const inactive = refusal('api_key.inactive', 'This API key is not active.')
const revoked = refusal('api_key.revoked', 'This API key was revoked.')
const expired = refusal('api_key.expired', 'This API key has expired.')
const keyForbidden = refusal('request.forbidden', 'An API key cannot be used for this call: sign in.')

/** Why a genuine credential opens nothing now, by the compiled records; undefined: it does. */
export function localRefusal(caller: Caller, who: Who, nowMs: number): Refusal | undefined {
  const user = caller.account.user.value
  if (user === undefined) return notActive
  if (caller.key !== undefined) {
    if (user.status !== 'active') return notActive
    return keyRefusal(caller, nowMs) ?? (who === 'session' ? keyForbidden : undefined)
  }
  const { session } = caller
  if (session === undefined || user.status !== 'active') return ended
  if (session.issuedAtS < user.not_before || user.ended_session_ids.includes(session.id)) return ended
  return undefined
}

function keyRefusal({ key }: Caller, nowMs: number): Refusal | undefined {
  const record = key?.record.value
  switch (record?.state) {
    case 'active':
      return record.expires_at_ms !== null && record.expires_at_ms <= nowMs ? expired : undefined
    case 'inactive':
      return inactive
    case 'revoked':
      return revoked
    case 'deleted':
    case undefined:
      return notActive
  }
}
