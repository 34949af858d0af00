import { t } from '@lingui/core/macro'
import type { LogIn, SignedIn, SignUp, UserDetails } from '@tapeline/contracts/identity/http'
import type { ApiCall } from '../api/api-call.ts'
import { ApiError } from '../api/api-error.ts'
import type { ApiClient } from '../api/client.ts'
import { createObservable, type Observable } from '../observable.ts'
import { type ClientUser, presentBasicUser, presentDetails } from './present-user.ts'
import type { StoredSession } from './stored-session.ts'

const LOG_OUT_TIMEOUT_MS = 3_000
/** After the return from an identity provider. */
const DETAILS_AFTER_MS = 500
const DETAILS_TIMEOUT_MS = 8_000

export type SessionState =
  | { status: 'pending' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; user: ClientUser; /** The account was created in this page. */ isNew?: true }

type Deps = {
  api: Pick<ApiClient, 'data' | 'send'>
  stored: StoredSession
  state: Observable<SessionState>
  /** Additional data of the sign-in answer. */
  onDetails?: (details: UserDetails) => void
}

/** The signed-in user. Pages read it with `useSession`. */
export function createSession(options: Omit<Deps, 'state'>) {
  const state = createObservable<SessionState>({ status: 'pending' })
  const deps: Deps = { ...options, state }
  return {
    getState: state.get,
    subscribe: state.subscribe,
    /** Restores the stored session, or removes the rest of one. */
    restore: () => restore(deps),
    signIn: (input: LogIn) => signIn(deps, input),
    signUp: (input: SignUp) => signUp(deps, input),
    /** Signed in through an identity provider; role and flags follow a moment later. */
    enter: (signedIn: SignedIn) => startSession(deps, signedIn),
    /** Ends the session on the server too; the browser deletes it regardless of the answer. */
    signOut: () => signOut(deps),
    /** Sent with the next sign-in from this browser, so that wrong passwords from elsewhere do not delay it. */
    keepDevice: (deviceToken: string) => deps.stored.saveDevice(deviceToken),
    /** The server has ended this session. */
    end: () => end(deps),
    /** The server has ended the sessions of this account; a session of another account stays. */
    endOf: (email: string) => {
      const user = deps.stored.readUser()
      if (user === undefined || user.email.toLowerCase() === email.toLowerCase()) end(deps)
    },
    /** Applies user details that a page received from the server. */
    updateUser: (user: ClientUser) => {
      if (state.get().status === 'signed-in') become(deps, user)
    },
    /** Role, flags or plan changed elsewhere: reloads them. */
    renewDetails: async () => {
      const current = state.get()
      if (current.status === 'signed-in') await loadDetails(deps, current.user)
    },
    /** Another tab signed in, signed out or changed the user. */
    followOtherTab: () => {
      const user = deps.stored.readUser()
      state.set(user === undefined ? { status: 'signed-out' } : { status: 'signed-in', user })
    },
  }
}

async function restore(deps: Deps): Promise<void> {
  const user = deps.stored.readUser()
  if (user === undefined) {
    deps.stored.clearRemains()
    deps.state.set({ status: 'signed-out' })
    return
  }
  if (user.role !== undefined) deps.state.set({ status: 'signed-in', user })
  const detailed = await addDetails(deps, user)
  // In the meantime, a rejected token may have ended the session, or another tab signed in to another account.
  if (deps.stored.readUser()?.id === user.id) become(deps, detailed)
}

async function signIn(deps: Deps, input: LogIn): Promise<void> {
  const deviceToken = deps.stored.readDevice()
  const body = { ...input, ...(deviceToken === undefined ? {} : { deviceToken }) }
  become(
    deps,
    await begin(deps, { method: 'POST', path: '/api/v1/internal/user/login', body }, input.remember_me === true),
  )
}

async function signUp(deps: Deps, input: SignUp): Promise<void> {
  const user = await begin(deps, { method: 'PUT', path: '/api/v1/internal/user/create', body: input }, false)
  deps.stored.saveUser(user)
  deps.state.set({ status: 'signed-in', user, isNew: true })
}

async function begin(deps: Deps, call: ApiCall, isRemembered: boolean): Promise<ClientUser> {
  const answer = await deps.api.data<SignedIn>({ ...call, credential: 'none' })
  const user = presentBasicUser(answer.user)
  deps.stored.begin(answer, user, { isRemembered, provider: 'NONE' })
  deps.stored.saveDevice(answer.deviceToken)
  const detailed = await addDetails(deps, user)
  // A rejected token may have ended the session in the meantime.
  if (deps.stored.read() === undefined) throw endedAtOnce()
  return detailed
}

/** The error of a session that was rejected immediately after it began. */
function endedAtOnce(): ApiError {
  const message = t`This session has ended. Please sign in again.`
  return new ApiError({ status: 401, code: 'session.ended', message })
}

function startSession(deps: Deps, signedIn: SignedIn): void {
  const user = presentBasicUser(signedIn.user)
  // A user who was signed in and linked a provider account keeps their choice to be remembered.
  deps.stored.begin(signedIn, user, { isRemembered: deps.stored.isRemembered(), provider: 'GOOGLE' })
  deps.stored.saveDevice(signedIn.deviceToken)
  become(deps, user)
  setTimeout(() => void loadDetails(deps, user), DETAILS_AFTER_MS)
}

async function loadDetails(deps: Deps, user: ClientUser): Promise<void> {
  const detailed = await addDetails(deps, user)
  if (deps.stored.readUser()?.id === user.id) become(deps, detailed)
}

/** Adds role and flags. Without an answer the stored user is kept. */
async function addDetails(deps: Deps, user: ClientUser): Promise<ClientUser> {
  try {
    const path = '/api/v1/internal/user/details'
    const details = await deps.api.data<UserDetails>({ path, timeoutMs: DETAILS_TIMEOUT_MS })
    // Another account may have signed in, in another tab, in the meantime.
    if (details.user.id !== user.id) return user
    if (deps.stored.readUser()?.id === user.id) deps.onDetails?.(details)
    return presentDetails(details)
  } catch {
    return user
  }
}

function end({ stored, state }: Deps): void {
  stored.clear()
  state.set({ status: 'signed-out' })
}

async function signOut(deps: Deps): Promise<void> {
  try {
    await deps.api.send({ method: 'PATCH', path: '/api/v1/internal/user/logout', timeoutMs: LOG_OUT_TIMEOUT_MS })
  } catch {
    // The token expires within minutes anyway.
  }
  end(deps)
}

function become(deps: Deps, user: ClientUser): void {
  deps.stored.saveUser(user)
  deps.state.set({ status: 'signed-in', user })
}
