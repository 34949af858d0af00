import { paths } from '../paths.ts'
import { pause } from '../pause.ts'
import { session, settings } from '../platform.ts'
import { leaveIfAllowed } from './leave-guards.ts'

/** How long the sign-out waits for settings that are being saved. */
const SAVE_MAX_MS = 3_000

/**
 * Signs out, into a new document: nothing of the account stays in memory. Asks first if there is unsaved input, because
 * afterwards there is no session to stay in.
 */
export function leaveDashboard(): void {
  leaveIfAllowed(() => void signOut())
}

async function signOut(): Promise<void> {
  const saved = new AbortController()
  void settings.flush().finally(() => saved.abort())
  await pause(SAVE_MAX_MS, saved.signal)
  await session.signOut()
  location.assign(paths.home)
}
