import { lockAcrossTabs } from '../../api/across-tabs.ts'
import { createClient } from '../../api/client.ts'
import { openStorage } from '../../browser-storage.ts'
import { createStoredSession } from '../../session/stored-session.ts'
import { apiAddress } from './call.ts'

const local = openStorage(() => localStorage)
const stored = createStoredSession({
  local,
  perTab: openStorage(() => sessionStorage),
  cookies: { read: () => document.cookie, write: (cookie) => void (document.cookie = cookie) },
  port: location.port,
  isSecure: location.protocol === 'https:',
})

/** The session of this browser on pages without the dashboard: renewed in the same way, ended in the same way. */
export const sessionApi = createClient({
  baseUrl: apiAddress(''),
  fetch: (...request) => fetch(...request),
  tokens: stored,
  withLock: lockAcrossTabs('locks' in navigator ? navigator.locks : undefined),
  onSessionEnded: () => {
    stored.clear()
    delete document.documentElement.dataset['signedIn']
  },
})

/** A valid access token, or undefined without a session. Calling the limits endpoint consumes nothing. */
export async function freshToken(): Promise<string | undefined> {
  if (stored.readUser() === undefined) return undefined
  const isExpired = (stored.read()?.expiresAt ?? 0) < Date.now()
  if (isExpired) await sessionApi.send({ path: '/api/v1/limits' }).catch(() => undefined)
  return stored.read()?.jwtToken
}

export function isSignedIn(): boolean {
  return stored.readUser() !== undefined
}
