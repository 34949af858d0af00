import { t } from '@lingui/core/macro'
import type { ProviderSignedIn, ProviderSignIn } from '@tapeline/contracts/identity/oauth'
import { ApiError } from '../api/api-error.ts'
import type { ApiClient } from '../api/client.ts'
import { createObservable, type Observable } from '../observable.ts'
import { paths, returnPath } from '../paths.ts'
import type { NewToast } from '../ui/toasts/toast-store.ts'
import type { ProviderReturn } from './provider-return.ts'

const OAUTH = '/api/v1/internal/oauth/google'
/** Proves to the server that this browser started the flow; never part of a URL. */
const BINDING = 'oauthBinding'
/** The page to open after the visitor returns from the provider. */
const RETURN_TO = 'oauthNext'
/** The state of the last callback that was processed: a reload or a step back does not process it again. */
const PROCESSED = 'oauthProcessed'

type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type ProviderSignInDeps = {
  api: Pick<ApiClient, 'data'>
  enter: (signedIn: ProviderSignedIn) => void
  local: TabStorage
  perTab: TabStorage
  showToast: (toast: NewToast) => void
  /** Opens a page of the dashboard once signed in. */
  goTo: (path: string) => void
  /** Sends the browser to another site. */
  navigate: (url: string) => void
}

export type ProviderSignInState = { step: 'none' } | { step: 'finishing' } | { step: 'password'; state: string }

type Flow = ProviderSignInDeps & { step: Observable<ProviderSignInState>; binding: string; returnTo: string | null }

/**
 * Sign-in through the identity provider. Made before the session is restored, which clears what a
 * tab keeps.
 */
export function createProviderSignIn(deps: ProviderSignInDeps, returned: ProviderReturn | undefined) {
  const isNew = returned !== undefined && !isProcessed(deps, returned.state)
  const step = createObservable<ProviderSignInState>({ step: isNew ? 'finishing' : 'none' })
  const flow: Flow = {
    ...deps,
    step,
    binding: deps.perTab.getItem(BINDING) ?? '',
    returnTo: deps.perTab.getItem(RETURN_TO),
  }
  if (returned !== undefined) for (const name of [BINDING, RETURN_TO]) deps.perTab.removeItem(name)
  return {
    getState: step.get,
    subscribe: step.subscribe,
    /** `search` is that of the page with the button: it names the page to open after signing in. */
    start: (search = '') => start(deps, search),
    /** Does nothing unless the user has just returned from the provider. */
    finish: async () => {
      if (isNew) await finish(flow, returned)
    },
    /** The owner of the account proves ownership with the password. */
    confirm: (password: string) => confirm(flow, password),
    giveUp: () => step.set({ step: 'none' }),
  }
}

async function start({ api, perTab, navigate }: ProviderSignInDeps, search: string): Promise<void> {
  const { authUrl, binding } = await api.data<ProviderSignIn>({ path: OAUTH })
  perTab.setItem(BINDING, binding)
  const target = returnPath(search)
  if (target === paths.profile) perTab.removeItem(RETURN_TO)
  else perTab.setItem(RETURN_TO, target)
  navigate(authUrl)
}

async function finish(flow: Flow, returned: ProviderReturn): Promise<void> {
  markProcessed(flow, returned.state)
  try {
    if ('error' in returned) return fail(flow)
    const { code, state, iss } = returned
    const body = { code, state, binding: flow.binding, ...(iss === undefined ? {} : { iss }) }
    succeed(flow, await flow.api.data({ method: 'POST', path: `${OAUTH}/callback`, body, credential: 'none' }))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'oauth.password_needed') {
      flow.step.set({ step: 'password', state: returned.state })
    } else if (error instanceof ApiError && error.status > 0) fail(flow)
    else breakOff(flow)
  }
}

async function confirm(flow: Flow, password: string): Promise<void> {
  const now = flow.step.get()
  if (now.step !== 'password') return
  const body = { state: now.state, binding: flow.binding, password }
  succeed(flow, await flow.api.data({ method: 'POST', path: `${OAUTH}/confirm`, body, credential: 'none' }))
}

function succeed({ enter, goTo, showToast, step, returnTo }: Flow, signedIn: ProviderSignedIn): void {
  enter(signedIn)
  const next = returnTo ?? (signedIn.isNewUser ? paths.apiKeys : undefined)
  if (next !== undefined) goTo(next)
  showToast({ type: 'success', title: signedIn.isNewUser ? t`Account Created Successfully!` : t`Login Successful!` })
  step.set({ step: 'none' })
}

function fail({ showToast, step }: Flow): void {
  showToast({ type: 'error', title: t`Authentication Failed`, message: t`Please try again` })
  step.set({ step: 'none' })
}

function breakOff(flow: Flow): void {
  for (const storage of [flow.local, flow.perTab]) storage.removeItem(PROCESSED)
  flow.showToast({ type: 'error', title: t`Authentication Error`, message: t`Something went wrong during login` })
  flow.step.set({ step: 'none' })
}

function isProcessed({ local, perTab }: ProviderSignInDeps, state: string): boolean {
  return [local, perTab].some((storage) => storage.getItem(PROCESSED) === state)
}

function markProcessed({ local, perTab }: ProviderSignInDeps, state: string): void {
  for (const storage of [local, perTab]) storage.setItem(PROCESSED, state)
}
