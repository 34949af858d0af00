import { paths } from '../paths.ts'
import { session } from '../platform.ts'

/** Signs out, into a new document: nothing of the account stays in memory. */
export async function leaveDashboard(): Promise<void> {
  await session.signOut()
  location.assign(paths.home)
}
