import type { Answer } from '@tapeline/contracts/answer'
import type { Refresh, RefreshedTokens } from '@tapeline/contracts/identity/http'
import type { ApiCall } from './api-call.ts'
import { failureOf } from './api-error.ts'

const LOCK_NAME = 'tapeline-refresh'

/** Access to the stored tokens of the session, and whose they are. */
export type AccessTokens = {
  read: () => RefreshedTokens | undefined
  readUser: () => { id: string } | undefined
  renew: (tokens: RefreshedTokens) => void
}

type RefreshDeps = {
  tokens: AccessTokens
  withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  exchange: (call: ApiCall) => Promise<{ response: Response; body: unknown }>
}

/**
 * A new access token for the rejected one, or undefined when the session has ended.
 * One at a time across tabs: a refresh token used twice would end the whole family.
 */
export async function refreshSession(deps: RefreshDeps, refusedToken: string): Promise<string | undefined> {
  return deps.withLock(LOCK_NAME, async () => {
    const stored = deps.tokens.read()
    if (stored === undefined) return undefined
    if (stored.jwtToken !== refusedToken) return stored.jwtToken
    const body: Refresh = { refreshToken: stored.refreshToken }
    const reply = await deps.exchange({
      method: 'POST',
      path: '/api/v1/internal/user/refresh',
      body,
      credential: 'none',
    })
    if (isRefusal(reply.response.status)) return undefined
    const renewed = tokensOf(reply.body)
    if (!reply.response.ok || renewed === undefined) throw failureOf(reply.response, reply.body)
    // Signed out while we waited: the new tokens must not bring the session back.
    if (deps.tokens.read()?.refreshToken !== stored.refreshToken) return undefined
    deps.tokens.renew(renewed)
    return renewed.jwtToken
  })
}

/** Only these codes end the session; a throttled or failing server does not. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 401 || status === 403
}

function tokensOf(body: unknown): RefreshedTokens | undefined {
  const tokens = (body as Partial<Answer<Partial<RefreshedTokens>>> | undefined)?.data
  if (typeof tokens?.jwtToken !== 'string' || typeof tokens.refreshToken !== 'string') return undefined
  return { jwtToken: tokens.jwtToken, refreshToken: tokens.refreshToken, expiresAt: Number(tokens.expiresAt) }
}
