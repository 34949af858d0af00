import { useSyncExternalStore } from 'react'
import { session } from '../platform.ts'
import type { ClientUser } from './present-user.ts'
import type { SessionState } from './session.ts'

/** The state before the session is read, and during prerendering. */
const PENDING: SessionState = { status: 'pending' }

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.getState, () => PENDING)
}

/** The signed-in user. Only for pages behind the dashboard's guard. */
export function useUser(): ClientUser {
  const state = useSession()
  if (state.status !== 'signed-in') throw new Error('This page is only for signed-in users.')
  return state.user
}
