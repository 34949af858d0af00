import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { ApiCall } from '../api/api-call.ts'
import type { NewToast } from '../ui/toasts/toast-store.ts'
import { takeProviderReturn } from './provider-return.ts'
import { createProviderSignIn } from './provider-sign-in.ts'

const user = { id: '0193-ada' }
const unreachable = new ApiError({ status: 0, code: 'network.unreachable', message: '' })
const refused = (code: string, status = 400) => new ApiError({ status, code, message: '' })

/** A browser on one page, and an API with these answers in order. */
function pageAt(address: string, stores = { local: new Map<string, string>(), perTab: new Map<string, string>() }) {
  const { pathname, search } = new URL(address, 'http://pages.test')
  const recorded = {
    address,
    calls: [] as ApiCall[],
    toasts: [] as NewToast[],
    navigatedTo: '',
    entered: [] as unknown[],
    opened: [] as string[],
  }
  const answers: unknown[] = []
  const history = {
    state: null,
    replaceState: (_: unknown, __: string, url?: unknown) => void (recorded.address = String(url)),
  }
  const flow = createProviderSignIn(
    {
      api: {
        data: async <T>(call: ApiCall) => {
          recorded.calls.push(call)
          const answer = answers.shift()
          if (answer instanceof Error) throw answer
          return answer as T
        },
      },
      enter: (signedIn) => void recorded.entered.push(signedIn),
      local: storageOf(stores.local),
      perTab: storageOf(stores.perTab),
      showToast: (toast) => void recorded.toasts.push(toast),
      goTo: (path) => void recorded.opened.push(path),
      navigate: (url) => void (recorded.navigatedTo = url),
    },
    takeProviderReturn({ location: { pathname, search }, history }),
  )
  return { recorded, answers, flow, stores }
}

function storageOf(map: Map<string, string>) {
  return {
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, value: string) => void map.set(name, value),
    removeItem: (name: string) => void map.delete(name),
  }
}

/** A user returns from the provider. */
async function backWith(query: string, search = '') {
  const { flow, answers, stores, recorded } = pageAt('/login')
  answers.push({ authUrl: 'https://provider.test/auth', binding: 'kept-here' })
  await flow.start(search)
  expect(recorded).toMatchObject({
    navigatedTo: 'https://provider.test/auth',
    calls: [{ path: '/api/v1/internal/oauth/google' }],
  })
  return pageAt(`/dashboard?${query}`, stores)
}

test.each([
  [true, 'Account Created Successfully!'],
  [false, 'Login Successful!'],
])(
  'a user returning from the provider (new: %s) is signed in and greeted, and the URL keeps no parameter',
  async (isNewUser, title) => {
    const { flow, answers, recorded, stores } = await backWith(
      'code=c&state=s&iss=https%3A%2F%2Fprovider.test&scope=openid',
    )
    expect(recorded.address).toBe('/dashboard')
    expect(flow.getState()).toEqual({ step: 'finishing' })
    answers.push({ user, isNewUser })
    await flow.finish()
    expect(recorded.calls).toEqual([
      {
        method: 'POST',
        path: '/api/v1/internal/oauth/google/callback',
        body: { code: 'c', state: 's', binding: 'kept-here', iss: 'https://provider.test' },
        credential: 'none',
      },
    ])
    expect(recorded.entered).toEqual([{ user, isNewUser }])
    expect(recorded.opened).toEqual(isNewUser ? ['/dashboard/api-keys'] : [])
    expect(recorded.toasts).toEqual([{ type: 'success', title }])
    expect(flow.getState()).toEqual({ step: 'none' })
    expect(stores.perTab.get('oauthBinding')).toBeUndefined()
  },
)

test('the page requested before the redirect to the provider opens after sign-in, also for a new account', async () => {
  const { flow, answers, recorded, stores } = await backWith(
    'code=c&state=s',
    '?next=%2Fdashboard%2Fplan%3Ftier%3Dbasic',
  )
  answers.push({ user, isNewUser: true })
  await flow.finish()
  expect(recorded.opened).toEqual(['/dashboard/plan?tier=basic'])
  expect(stores.perTab.get('oauthNext')).toBeUndefined()
})

test('a callback is processed once, whichever storage has its state', async () => {
  const { flow, answers, stores } = await backWith('code=c&state=s')
  answers.push({ user, isNewUser: false })
  await flow.finish()
  expect([stores.local.get('oauthProcessed'), stores.perTab.get('oauthProcessed')]).toEqual(['s', 's'])
  stores.perTab.clear()
  const again = pageAt('/dashboard?code=c&state=s', stores)
  await again.flow.finish()
  expect(again.recorded).toMatchObject({ calls: [], toasts: [], address: '/dashboard' })
})

test('a sign-in that the provider or the server rejects fails', async () => {
  const toast = { type: 'error', title: 'Authentication Failed', message: 'Please try again' }
  const cancelled = await backWith('error=access_denied&state=s')
  await cancelled.flow.finish()
  expect(cancelled.recorded).toMatchObject({ address: '/dashboard', calls: [], toasts: [toast] })
  for (const refusal of [refused('oauth.state_invalid'), refused('oauth.refused', 401), refused('x', 503)]) {
    const { flow, answers, recorded } = await backWith('code=c&state=s')
    answers.push(refusal)
    await flow.finish()
    expect(recorded.toasts).toEqual([toast])
    expect(flow.getState()).toEqual({ step: 'none' })
  }
})

test('without an answer an error is shown, and the flag is cleared', async () => {
  const { flow, answers, recorded, stores } = await backWith('code=c&state=s')
  answers.push(unreachable)
  await flow.finish()
  expect(recorded.toasts).toEqual([
    { type: 'error', title: 'Authentication Error', message: 'Something went wrong during login' },
  ])
  expect([stores.local.has('oauthProcessed'), stores.perTab.has('oauthProcessed')]).toEqual([false, false])
})

test('a user who must prove ownership of an account is asked for its password', async () => {
  const { flow, answers, recorded } = await backWith('code=c&state=s')
  answers.push(refused('oauth.password_needed', 409), refused('password.wrong', 403), { user, isNewUser: false })
  await flow.finish()
  expect(flow.getState()).toEqual({ step: 'password', state: 's' })
  await expect(flow.confirm('wrong')).rejects.toMatchObject({ code: 'password.wrong' })
  await flow.confirm('right')
  expect(recorded.calls.at(-1)).toMatchObject({ body: { state: 's', binding: 'kept-here', password: 'right' } })
  expect(recorded.entered).toEqual([{ user, isNewUser: false }])
  expect(flow.getState()).toEqual({ step: 'none' })
})

test.each(['/dashboard', '/dashboard?state=s', '/dashboard?code=c', '/login?code=c&state=s'])(
  '%s is not a callback',
  async (address) => {
    const { flow, recorded } = pageAt(address)
    await flow.finish()
    expect(recorded).toMatchObject({ address, calls: [], toasts: [] })
    expect(flow.getState()).toEqual({ step: 'none' })
  },
)
