import type { Observable } from '../observable.ts'
import type { SessionState } from './session.ts'

type Session = { getState: () => SessionState; subscribe: Observable<SessionState>['subscribe'] }

/** Calls `forget` when the signed-in user changes or signs out, so that no user sees another user's data. */
export function onUserChange(session: Session, clearData: () => void): void {
  let currentId = userIdOf(session.getState())
  session.subscribe(() => {
    const next = userIdOf(session.getState())
    const before = currentId
    currentId = next
    if (before !== undefined && before !== next) clearData()
  })
}

function userIdOf(state: SessionState): string | undefined {
  return state.status === 'signed-in' ? state.user.id : undefined
}
