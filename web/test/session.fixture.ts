import type { User, UserDetails } from '@tapeline/contracts/identity/http'
import type { ApiCall } from '../src/api/api-call.ts'
import { ApiError } from '../src/api/api-error.ts'
import { createSession } from '../src/session/session.ts'
import { createStoredSession } from '../src/session/stored-session.ts'

export const user: User = {
  id: '0193-ada',
  first_name: 'Ada',
  last_name: 'Demo',
  email: 'ada@example.com',
  mobile: '',
  is_superuser: false,
  status: 'active',
  email_verified: false,
  subscription_tier: 'pro',
  reminder_enabled: true,
  reminder_time: 9,
  reminder_method: 'email',
  last_login_at: null,
  created_at: '2026-03-01T00:00:00.000Z',
  profile_picture: null,
  role: 'user',
  featureFlags: [],
}

export const details: UserDetails = {
  user,
  role: 'tester',
  featureFlags: ['api_key_management'],
  flags: [],
  configs: {},
  globalConfigs: {},
  signInMethods: { password: true, google: false },
}

const tokens = { jwtToken: 'token', refreshToken: 'refresh', expiresAt: 1_700_000_000_000 }
export const signedIn = { ...tokens, user, deviceToken: 'device' }

/** A browser: cookies end with the browser session unless they have a Max-Age; storage remains. */
export function browser() {
  const local = new Map<string, string>()
  const cookies = new Map<string, { value: string; isKept: boolean }>()
  const stored = () =>
    createStoredSession({
      local: {
        getItem: (name) => local.get(name) ?? null,
        setItem: (name, value) => void local.set(name, value),
        removeItem: (name) => void local.delete(name),
      },
      perTab: { clear: () => undefined },
      cookies: {
        read: () => [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; '),
        write: (cookie) => {
          const [pair = '', ...attributes] = cookie.split('; ')
          const [name = '', value = ''] = pair.split('=')
          const age = attributes.find((attribute) => attribute.startsWith('Max-Age='))
          if (age === 'Max-Age=0') cookies.delete(name)
          else cookies.set(name, { value, isKept: age !== undefined })
        },
      },
      port: '3000',
      isSecure: false,
    })
  const close = () => {
    for (const [name, { isKept }] of cookies) if (!isKept) cookies.delete(name)
  }
  return { local, cookies, stored, close }
}

export function sessionIn(
  home: ReturnType<typeof browser>,
  answers: { details?: UserDetails; login?: typeof signedIn },
) {
  const calls: ApiCall[] = []
  const answer = async (call: ApiCall): Promise<unknown> => {
    calls.push(call)
    const data = call.path.endsWith('/details') ? answers.details : (answers.login ?? {})
    if (data === undefined) throw new ApiError({ status: 503, code: 'service.unavailable', message: 'Unavailable' })
    return data
  }
  const api = {
    data: async <T>(call: ApiCall) => (await answer(call)) as T,
    send: async () => Promise.reject(new Error('not used')),
  }
  return { calls, session: createSession({ api, stored: home.stored() }) }
}
