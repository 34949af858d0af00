import { paths } from '../paths.ts'
import { session } from '../platform.ts'
import { leaveIfAllowed } from './leave-guards.ts'

/**
 * Signs out, into a new document: nothing of the account stays in memory. Asks first if there is unsaved input, because
 * afterwards there is no session to stay in.
 */
export function leaveDashboard(): void {
  leaveIfAllowed(() => void signOut())
}

async function signOut(): Promise<void> {
  await session.signOut()
  location.assign(paths.home)
}
