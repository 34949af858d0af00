import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { ApiCall } from '../api/api-call.ts'
import type { NewToast } from '../ui/toasts/toast-store.ts'
import { takeProviderReturn } from './provider-return.ts'
import { createProviderSignIn } from './provider-sign-in.ts'

const user = { id: '0193-ada' }
const away = new ApiError({ status: 0, code: 'network.unreachable', message: '' })
const refused = (code: string, status = 400) => new ApiError({ status, code, message: '' })

/** A browser on one page, and an API with these answers in order. */
function pageAt(address: string, kept = { local: new Map<string, string>(), perTab: new Map<string, string>() }) {
  const { pathname, search } = new URL(address, 'http://pages.test')
  const seen = {
    address,
    calls: [] as ApiCall[],
    toasts: [] as NewToast[],
    left: '',
    entered: [] as unknown[],
    opened: [] as string[],
  }
  const answers: unknown[] = []
  const history = {
    state: null,
    replaceState: (_: unknown, __: string, url?: unknown) => void (seen.address = String(url)),
  }
  const flow = createProviderSignIn(
    {
      api: {
        data: async <T>(call: ApiCall) => {
          seen.calls.push(call)
          const answer = answers.shift()
          if (answer instanceof Error) throw answer
          return answer as T
        },
      },
      enter: (signedIn) => void seen.entered.push(signedIn),
      local: keepIn(kept.local),
      perTab: keepIn(kept.perTab),
      showToast: (toast) => void seen.toasts.push(toast),
      goTo: (path) => void seen.opened.push(path),
      leave: (url) => void (seen.left = url),
    },
    takeProviderReturn({ location: { pathname, search }, history }),
  )
  return { seen, answers, flow, kept }
}

function keepIn(map: Map<string, string>) {
  return {
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, value: string) => void map.set(name, value),
    removeItem: (name: string) => void map.delete(name),
  }
}

/** A user returns from the provider. */
async function backWith(query: string, search = '') {
  const { flow, answers, kept, seen } = pageAt('/login')
  answers.push({ authUrl: 'https://provider.test/auth', binding: 'kept-here' })
  await flow.start(search)
  expect(seen).toMatchObject({ left: 'https://provider.test/auth', calls: [{ path: '/api/v1/internal/oauth/google' }] })
  return pageAt(`/dashboard?${query}`, kept)
}

test.each([
  [true, 'Account Created Successfully!'],
  [false, 'Login Successful!'],
])('who comes back (new: %s) is let in and greeted, and the address keeps nothing', async (isNewUser, title) => {
  const { flow, answers, seen, kept } = await backWith('code=c&state=s&iss=https%3A%2F%2Fprovider.test&scope=openid')
  expect(seen.address).toBe('/dashboard')
  expect(flow.getState()).toEqual({ step: 'finishing' })
  answers.push({ user, isNewUser })
  await flow.finish()
  expect(seen.calls).toEqual([
    {
      method: 'POST',
      path: '/api/v1/internal/oauth/google/callback',
      body: { code: 'c', state: 's', binding: 'kept-here', iss: 'https://provider.test' },
      credential: 'none',
    },
  ])
  expect(seen.entered).toEqual([{ user, isNewUser }])
  expect(seen.opened).toEqual(isNewUser ? ['/dashboard/api-keys'] : [])
  expect(seen.toasts).toEqual([{ type: 'success', title }])
  expect(flow.getState()).toEqual({ step: 'none' })
  expect(kept.perTab.get('oauthBinding')).toBeUndefined()
})

test('the page wanted before leaving for the provider opens after signing in, for a new account too', async () => {
  const { flow, answers, seen, kept } = await backWith('code=c&state=s', '?next=%2Fdashboard%2Fplan%3Ftier%3Dbasic')
  answers.push({ user, isNewUser: true })
  await flow.finish()
  expect(seen.opened).toEqual(['/dashboard/plan?tier=basic'])
  expect(kept.perTab.get('oauthNext')).toBeUndefined()
})

test('a callback is processed once, whichever storage remembers', async () => {
  const { flow, answers, kept } = await backWith('code=c&state=s')
  answers.push({ user, isNewUser: false })
  await flow.finish()
  expect([kept.local.get('oauthProcessed'), kept.perTab.get('oauthProcessed')]).toEqual(['s', 's'])
  kept.perTab.clear()
  const again = pageAt('/dashboard?code=c&state=s', kept)
  await again.flow.finish()
  expect(again.seen).toMatchObject({ calls: [], toasts: [], address: '/dashboard' })
})

test('a sign-in that the provider or the server rejects fails', async () => {
  const toast = { type: 'error', title: 'Authentication Failed', message: 'Please try again' }
  const cancelled = await backWith('error=access_denied&state=s')
  await cancelled.flow.finish()
  expect(cancelled.seen).toMatchObject({ address: '/dashboard', calls: [], toasts: [toast] })
  for (const refusal of [refused('oauth.state_invalid'), refused('oauth.refused', 401), refused('x', 503)]) {
    const { flow, answers, seen } = await backWith('code=c&state=s')
    answers.push(refusal)
    await flow.finish()
    expect(seen.toasts).toEqual([toast])
    expect(flow.getState()).toEqual({ step: 'none' })
  }
})

test('without an answer something went wrong, and the flag is cleared', async () => {
  const { flow, answers, seen, kept } = await backWith('code=c&state=s')
  answers.push(away)
  await flow.finish()
  expect(seen.toasts).toEqual([
    { type: 'error', title: 'Authentication Error', message: 'Something went wrong during login' },
  ])
  expect([kept.local.has('oauthProcessed'), kept.perTab.has('oauthProcessed')]).toEqual([false, false])
})

test('a user who must prove ownership of an account is asked for its password', async () => {
  const { flow, answers, seen } = await backWith('code=c&state=s')
  answers.push(refused('oauth.password_needed', 409), refused('password.wrong', 403), { user, isNewUser: false })
  await flow.finish()
  expect(flow.getState()).toEqual({ step: 'password', state: 's' })
  await expect(flow.confirm('wrong')).rejects.toMatchObject({ code: 'password.wrong' })
  await flow.confirm('right')
  expect(seen.calls.at(-1)).toMatchObject({ body: { state: 's', binding: 'kept-here', password: 'right' } })
  expect(seen.entered).toEqual([{ user, isNewUser: false }])
  expect(flow.getState()).toEqual({ step: 'none' })
})

test.each(['/dashboard', '/dashboard?state=s', '/dashboard?code=c', '/login?code=c&state=s'])(
  '%s is no callback',
  async (address) => {
    const { flow, seen } = pageAt(address)
    await flow.finish()
    expect(seen).toMatchObject({ address, calls: [], toasts: [] })
    expect(flow.getState()).toEqual({ step: 'none' })
  },
)
