import type { RefreshedTokens } from '@tapeline/contracts/identity/http'
import { type ClientUser, parseStoredUser } from './present-user.ts'
import { createSessionMark, type MarkDeps } from './session-mark.ts'

/** Names of the stored values. The theme is not part of the session and is kept. */
export const TOKEN = 'jwtToken'
export const USER = 'user'
const REFRESH = 'refreshToken'
const EXPIRES = 'expiresAt'
const AUTHENTICATED = 'isAuthenticated'
const IDENTITY = 'identity'
const PROVIDER = 'provider'
/**
 * Belongs to this browser, not to the session: kept after sign-out, so that password guessing by others does not delay
 * sign-in here.
 */
const DEVICE = 'tapeline-device'
const NAMES = [TOKEN, REFRESH, EXPIRES, USER, AUTHENTICATED, IDENTITY, PROVIDER]
/** The sign-in method; NONE means password. */
export type SignInProvider = 'NONE' | 'GOOGLE'

type SessionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type StorageDeps = MarkDeps & { local: SessionStorage; perTab: Pick<Storage, 'clear'> }

type Beginning = { isRemembered: boolean; provider: SignInProvider }

export type StoredSession = ReturnType<typeof createStoredSession>

export function createStoredSession(deps: StorageDeps) {
  const { local } = deps
  const mark = createSessionMark(deps)
  const clear = (): void => {
    for (const name of NAMES) local.removeItem(name)
    deps.perTab.clear()
    mark.clear()
  }

  return {
    /** The token is stored last: other tabs react to its change and then find the rest. */
    begin: (tokens: RefreshedTokens, user: ClientUser, { isRemembered, provider }: Beginning): void => {
      mark.set(isRemembered)
      local.setItem(USER, JSON.stringify(user))
      local.setItem(AUTHENTICATED, 'true')
      local.setItem(IDENTITY, provider)
      local.setItem(PROVIDER, provider)
      writeTokens(local, tokens)
    },
    renew: (tokens: RefreshedTokens): void => {
      writeTokens(local, tokens)
      if (mark.isRemembered()) mark.set(true)
    },
    isRemembered: mark.isRemembered,
    readDevice: (): string | undefined => local.getItem(DEVICE) ?? undefined,
    saveDevice: (deviceToken: string): void => local.setItem(DEVICE, deviceToken),
    saveUser: (user: ClientUser): void => local.setItem(USER, JSON.stringify(user)),
    read: (): RefreshedTokens | undefined => readTokens(local),
    /** The user of a complete session: token, flag and user are stored, and the browser session has not ended. */
    readUser: (): ClientUser | undefined => {
      const isWhole = mark.isSet() && local.getItem(TOKEN) !== null && local.getItem(AUTHENTICATED) === 'true'
      return isWhole ? parseStoredUser(local.getItem(USER)) : undefined
    },
    clear,
    /** Removes an incomplete session; without one, other data of the tab is kept. */
    clearRemains: (): void => {
      if (NAMES.some((name) => local.getItem(name) !== null)) clear()
    },
  }
}

function writeTokens(local: SessionStorage, tokens: RefreshedTokens): void {
  local.setItem(REFRESH, tokens.refreshToken)
  local.setItem(EXPIRES, String(tokens.expiresAt))
  local.setItem(TOKEN, tokens.jwtToken)
}

function readTokens(local: SessionStorage): RefreshedTokens | undefined {
  const jwtToken = local.getItem(TOKEN)
  const refreshToken = local.getItem(REFRESH)
  if (jwtToken === null || refreshToken === null) return undefined
  return { jwtToken, refreshToken, expiresAt: Number(local.getItem(EXPIRES)) }
}
