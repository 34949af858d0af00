import type { Deps } from '../deps.ts'
import { deleteExpiredDeviceLogins } from './device-login-queries.ts'

/** Job. Deletes sign-ins of devices that were not finished in time. Idempotent. */
export async function deleteOldDeviceLogins({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteExpiredDeviceLogins(db, now())
}
