import type { RefreshedTokens } from '@tapeline/contracts/identity/http'
import { type ClientUser, parseStoredUser } from './present-user.ts'

/** The names of specification §3. The theme is not of the session and stays. */
export const TOKEN = 'jwtToken'
const REFRESH = 'refreshToken'
const EXPIRES = 'expiresAt'
export const USER = 'user'
const AUTHENTICATED = 'isAuthenticated'
const IDENTITY = 'identity'
const PROVIDER = 'provider'
const NAMES = [TOKEN, REFRESH, EXPIRES, USER, AUTHENTICATED, IDENTITY, PROVIDER]
/** Signed in with a password, not through an identity provider. */
const NO_PROVIDER = 'NONE'

const MARK_NAME = 'tapeline-session'
const REMEMBERED = 'remembered'
const THIS_BROWSER_SESSION = 'browser'
const REMEMBERED_SECONDS = 30 * 24 * 3_600

type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type StorageDeps = {
  local: Keep
  perTab: Pick<Storage, 'clear'>
  cookies: { read: () => string; write: (cookie: string) => void }
  /** Cookies are shared between ports: two platforms on one host must not end each other's sessions. */
  port: string
  isSecure: boolean
}

export type StoredSession = ReturnType<typeof createStoredSession>

export function createStoredSession(deps: StorageDeps) {
  const { local } = deps
  const markName = deps.port === '' ? MARK_NAME : `${MARK_NAME}-${deps.port}`

  function writeMark(value: string, lifetime: string): void {
    const secure = deps.isSecure ? '; Secure' : ''
    deps.cookies.write(`${markName}=${value}; Path=/; SameSite=Strict${lifetime}${secure}`)
  }

  function readMark(): string | undefined {
    const found = deps.cookies.read().split('; ').find((cookie) => cookie.startsWith(`${markName}=`))
    return found?.slice(markName.length + 1)
  }

  /** Holds no credential. It ends with the browser session, or after 30 days for those who asked to be remembered. */
  function mark(isRemembered: boolean): void {
    if (isRemembered) writeMark(REMEMBERED, `; Max-Age=${REMEMBERED_SECONDS}`)
    else writeMark(THIS_BROWSER_SESSION, '')
  }

  function saveTokens(tokens: RefreshedTokens): void {
    local.setItem(REFRESH, tokens.refreshToken)
    local.setItem(EXPIRES, String(tokens.expiresAt))
    local.setItem(TOKEN, tokens.jwtToken)
  }

  return {
    /** The tokens come last: other tabs follow when they change, and find all the rest. */
    begin(tokens: RefreshedTokens, user: ClientUser, isRemembered: boolean): void {
      mark(isRemembered)
      local.setItem(USER, JSON.stringify(user))
      local.setItem(AUTHENTICATED, 'true')
      local.setItem(IDENTITY, NO_PROVIDER)
      local.setItem(PROVIDER, NO_PROVIDER)
      saveTokens(tokens)
    },

    renew(tokens: RefreshedTokens): void {
      saveTokens(tokens)
      if (readMark() === REMEMBERED) mark(true)
    },

    saveUser(user: ClientUser): void {
      local.setItem(USER, JSON.stringify(user))
    },

    read(): RefreshedTokens | undefined {
      const jwtToken = local.getItem(TOKEN)
      const refreshToken = local.getItem(REFRESH)
      if (jwtToken === null || refreshToken === null) return undefined
      return { jwtToken, refreshToken, expiresAt: Number(local.getItem(EXPIRES)) }
    },

    /** The user of a whole session: token, flag and user are there, and the browser session still runs. */
    readUser(): ClientUser | undefined {
      if (readMark() === undefined || local.getItem(TOKEN) === null) return undefined
      if (local.getItem(AUTHENTICATED) !== 'true') return undefined
      return parseStoredUser(local.getItem(USER))
    },

    clear(): void {
      for (const name of NAMES) local.removeItem(name)
      deps.perTab.clear()
      writeMark('', '; Max-Age=0')
    },
  }
}
