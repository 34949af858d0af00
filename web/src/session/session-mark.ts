const NAME = 'tapeline-session'
const REMEMBERED = 'remembered'
const THIS_BROWSER_SESSION = 'browser'
const REMEMBERED_SECONDS = 30 * 24 * 3_600

export type MarkDeps = {
  cookies: { read: () => string; write: (cookie: string) => void }
  /** Cookies are shared between ports: two platforms on one host must not end each other's sessions. */
  port: string
  isSecure: boolean
}

/** A cookie without any credential. It expires with the browser session, or after 30 days with "remember me". */
export function createSessionMark({ cookies, port, isSecure }: MarkDeps) {
  const name = port === '' ? NAME : `${NAME}-${port}`

  function write(value: string, lifetime: string): void {
    const secure = isSecure ? '; Secure' : ''
    cookies.write(`${name}=${value}; Path=/; SameSite=Strict${lifetime}${secure}`)
  }

  function read(): string | undefined {
    const found = cookies
      .read()
      .split('; ')
      .find((cookie) => cookie.startsWith(`${name}=`))
    return found?.slice(name.length + 1)
  }

  return {
    set: (isRemembered: boolean): void => {
      if (isRemembered) write(REMEMBERED, `; Max-Age=${REMEMBERED_SECONDS}`)
      else write(THIS_BROWSER_SESSION, '')
    },
    isSet: (): boolean => read() !== undefined,
    isRemembered: (): boolean => read() === REMEMBERED,
    clear: (): void => write('', '; Max-Age=0'),
  }
}
