import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { ApiCall } from '../api/api-call.ts'
import { parseStoredUser, presentUser } from './present-user.ts'
import { onUserChange } from './on-user-change.ts'
import { createSession } from './session.ts'
import { browser, details, sessionIn, signedIn, user } from '../../test/session.fixture.ts'

afterEach(() => void vi.useRealTimers())

const remembered = { isRemembered: true, provider: 'NONE' } as const
const login = (remember_me: boolean) => ({ email: user.email, password: 'secret', remember_me })

test('signing in stores the session under the specified names, with role and flags', async () => {
  const home = browser()
  const { session } = sessionIn(home, { login: signedIn, details })
  await session.signIn(login(true))
  expect(session.getState()).toMatchObject({
    status: 'signed-in',
    user: { firstName: 'Ada', role: 'tester', featureFlags: ['api_key_management'] },
  })
  expect([...home.local.keys()].toSorted()).toEqual([
    'expiresAt',
    'identity',
    'isAuthenticated',
    'jwtToken',
    'provider',
    'refreshToken',
    'tapeline-device',
    'user',
  ])
  expect(home.local.get('expiresAt')).toBe('1700000000000')
  expect(home.local.get('identity')).toBe('NONE')
})

test('the cookie of the browser session contains no credential', async () => {
  const home = browser()
  await sessionIn(home, { login: signedIn, details }).session.signIn(login(false))
  expect([...home.cookies.entries()]).toEqual([['tapeline-session-3000', { value: 'browser', isKept: false }]])
})

test('without details the stored user stays signed in, without a role', async () => {
  const { session } = sessionIn(browser(), { login: signedIn })
  await session.signIn(login(true))
  const expected = { email: user.email, role: undefined, featureFlags: [] }
  expect(session.getState()).toMatchObject({ status: 'signed-in', user: expected })
})

test('a session that ends while its details are loading is not restored', async () => {
  const home = browser()
  const api = {
    data: async <T>({ path }: ApiCall): Promise<T> => {
      if (!path.endsWith('/details')) return signedIn as T
      session.end()
      throw new ApiError({ status: 401, code: 'access_token.invalid', message: 'Refused' })
    },
    send: async () => Promise.reject(new Error('not used')),
  }
  const session = createSession({ api, stored: home.stored() })
  await expect(session.signIn(login(true))).rejects.toMatchObject({ code: 'session.ended' })
  expect(session.getState()).toEqual({ status: 'signed-out' })
  expect([...home.local.keys()]).toEqual(['tapeline-device'])
})

test('data of a user are discarded when another tab signs in as another user, or signs out', async () => {
  const home = browser()
  const { session } = sessionIn(home, { login: signedIn, details })
  let forgotten = 0
  onUserChange(session, () => {
    forgotten += 1
  })
  await session.signIn(login(true))
  session.followOtherTab()
  expect(forgotten).toBe(0)
  home.stored().begin(signedIn, presentUser({ ...user, id: '0193-grace' }), remembered)
  session.followOtherTab()
  expect(forgotten).toBe(1)
  home.stored().clear()
  session.followOtherTab()
  expect(forgotten).toBe(2)
})

test('a remembered session survives closing the browser, other sessions do not', async () => {
  for (const isRemembered of [true, false]) {
    const home = browser()
    await sessionIn(home, { login: signedIn, details }).session.signIn(login(isRemembered))
    home.close()
    const { session } = sessionIn(home, { details })
    await session.restore()
    expect(session.getState().status).toBe(isRemembered ? 'signed-in' : 'signed-out')
    expect(home.local.size).toBe(isRemembered ? 8 : 1)
  }
})

test('a session is not restored over that of another account, which another tab has started meanwhile', async () => {
  const home = browser()
  const grace = { ...presentUser(user), id: '0193-grace' }
  home.stored().begin(signedIn, presentUser(user), remembered)
  const api = {
    data: async <T>(): Promise<T> => {
      home.stored().begin(signedIn, grace, remembered)
      return details as T
    },
    send: async () => Promise.reject(new Error('not used')),
  }
  await createSession({ api, stored: home.stored() }).restore()
  expect(home.stored().readUser()?.id).toBe('0193-grace')
})

test('renewing a token keeps a remembered session persistent', async () => {
  const home = browser()
  await sessionIn(home, { login: signedIn, details }).session.signIn(login(true))
  home.stored().renew({ jwtToken: 'next', refreshToken: 'next', expiresAt: 5 })
  home.close()
  expect(home.stored().readUser()?.email).toBe(user.email)
  expect(home.stored().read()).toEqual({ jwtToken: 'next', refreshToken: 'next', expiresAt: 5 })
})

test('a stored user without a role gets it from the details before the dashboard opens', async () => {
  const home = browser()
  home.stored().begin(signedIn, { ...presentUser(user), role: undefined }, remembered)
  const { session } = sessionIn(home, { details })
  const states: string[] = []
  session.subscribe(() => states.push(session.getState().status))
  await session.restore()
  expect(states).toEqual(['signed-in'])
  expect(session.getState()).toMatchObject({ user: { role: 'tester' } })
})

test.each(['jwtToken', 'isAuthenticated', 'user'])('an incomplete session without %s is cleared', async (name) => {
  const home = browser()
  home.stored().begin(signedIn, presentUser(user), remembered)
  home.local.delete(name)
  const { session } = sessionIn(home, { details })
  await session.restore()
  expect(session.getState().status).toBe('signed-out')
  expect(home.local.size).toBe(0)
})

test('signing out clears storage and cookies even if the server is unreachable', async () => {
  const home = browser()
  const { session } = sessionIn(home, { login: signedIn, details })
  await session.signIn(login(true))
  home.local.set('tapeline-theme', 'light')
  await session.signOut()
  expect([...home.local.keys()]).toEqual(['tapeline-device', 'tapeline-theme'])
  expect(home.cookies.size).toBe(0)
  expect(session.getState()).toEqual({ status: 'signed-out' })
})

test('a reset password ends the session of its account only', async () => {
  const home = browser()
  const { session } = sessionIn(home, { login: signedIn, details })
  await session.signIn(login(true))
  session.endOf('grace@example.com')
  expect([session.getState().status, home.local.has('jwtToken')]).toEqual(['signed-in', true])
  session.endOf('Ada@Example.com')
  expect([session.getState().status, home.local.has('jwtToken')]).toEqual(['signed-out', false])
})

test('a sign-in sends the device token of a mailed link, or else of the sign-in before it', async () => {
  const home = browser()
  const { session, calls } = sessionIn(home, { login: signedIn, details })
  session.keepDevice('allowed')
  await session.signIn(login(false))
  await session.signOut()
  await session.signIn(login(false))
  const bodies = calls.filter(({ path }) => path.endsWith('/login')).map(({ body }) => body)
  expect(bodies).toEqual(['allowed', 'device'].map((deviceToken) => ({ ...login(false), deviceToken })))
})

test('an invalid stored user is ignored, and missing fields get the specified defaults', () => {
  expect(parseStoredUser('{"id":1}')).toBeUndefined()
  expect(parseStoredUser('not json')).toBeUndefined()
  expect(parseStoredUser('{"id":"1","email":"a@b.c","role":"king"}')).toMatchObject({
    status: 'active',
    subscriptionTier: 'free',
    reminderTime: 9,
    reminderMethod: 'email',
    role: undefined,
    featureFlags: [],
  })
})

test('a provider sign-in opens the session at once; role and flags follow half a second later', async () => {
  vi.useFakeTimers()
  const home = browser()
  const { session, calls } = sessionIn(home, { details })
  session.enter(signedIn)
  expect(session.getState()).toMatchObject({ status: 'signed-in', user: { role: undefined, featureFlags: [] } })
  expect([home.local.get('provider'), home.local.get('jwtToken')]).toEqual(['GOOGLE', signedIn.jwtToken])
  await vi.advanceTimersByTimeAsync(499)
  expect(calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(session.getState()).toMatchObject({ user: { role: 'tester', featureFlags: ['api_key_management'] } })
})
