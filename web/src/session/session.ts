import type { LogIn, SignedIn, SignUp, UserDetails } from '@tapeline/contracts/identity/http'
import type { ApiClient } from '../api/client.ts'
import { type ClientUser, presentDetails, presentUser } from './present-user.ts'
import type { StoredSession } from './stored-session.ts'

const LOG_OUT_TIMEOUT_MS = 3_000
const DETAILS_TIMEOUT_MS = 8_000

export type SessionState =
  | { status: 'pending' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; user: ClientUser }

export type Session = ReturnType<typeof createSession>

/** Who is signed in (specification §4). Pages read it with `useSession`. */
export function createSession(deps: { api: Pick<ApiClient, 'data' | 'send'>; stored: StoredSession }) {
  const { api, stored } = deps
  const listeners = new Set<() => void>()
  let state: SessionState = { status: 'pending' }

  function become(next: SessionState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function signedIn(user: ClientUser): void {
    stored.saveUser(user)
    become({ status: 'signed-in', user })
  }

  /** Adds role and flags. Without an answer the user stays as known, without a role. */
  async function addDetails(user: ClientUser): Promise<ClientUser> {
    try {
      const details = await api.data<UserDetails>({
        path: '/api/v1/internal/user/details',
        timeoutMs: DETAILS_TIMEOUT_MS,
      })
      return presentDetails(details)
    } catch {
      return user
    }
  }

  async function begin(answer: SignedIn, isRemembered: boolean): Promise<void> {
    const user = presentUser(answer.user)
    stored.begin(answer, user, isRemembered)
    signedIn(await addDetails(user))
  }

  return {
    getState: () => state,

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Takes up the session that storage holds, or clears what is left of one. */
    async restore(): Promise<void> {
      const user = stored.readUser()
      if (user === undefined) {
        stored.clear()
        return become({ status: 'signed-out' })
      }
      if (user.role !== undefined) become({ status: 'signed-in', user })
      const detailed = await addDetails(user)
      // A refused token ended the session meanwhile.
      if (stored.read() !== undefined) signedIn(detailed)
    },

    async signIn(input: LogIn): Promise<void> {
      const answer = await api.data<SignedIn>({
        method: 'POST',
        path: '/api/v1/internal/user/login',
        body: input,
        credential: 'none',
      })
      await begin(answer, input.remember_me === true)
    },

    async signUp(input: SignUp): Promise<void> {
      const answer = await api.data<SignedIn>({
        method: 'PUT',
        path: '/api/v1/internal/user/create',
        body: input,
        credential: 'none',
      })
      await begin(answer, false)
    },

    /** Ends the session on the server too; the browser forgets it whatever the server says. */
    async signOut(): Promise<void> {
      try {
        await api.send({ method: 'PATCH', path: '/api/v1/internal/user/logout', timeoutMs: LOG_OUT_TIMEOUT_MS })
      } catch {
        // The token expires by itself within minutes.
      }
      stored.clear()
    },

    /** The server no longer knows this session. */
    end(): void {
      stored.clear()
      become({ status: 'signed-out' })
    },

    /** What a page learned about the user from the server. */
    updateUser(user: ClientUser): void {
      if (state.status === 'signed-in') signedIn(user)
    },

    /** Another tab signed in, signed out or changed the user. */
    followOtherTab(): void {
      const user = stored.readUser()
      become(user === undefined ? { status: 'signed-out' } : { status: 'signed-in', user })
    },
  }
}
