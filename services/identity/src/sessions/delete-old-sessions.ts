import type { Deps } from '../deps.ts'
import { DEVICE_LIFE_MS } from './device-token.ts'
import { deleteKnownDevicesBefore } from './known-device-queries.ts'
import { deleteEndedSessions } from './session-queries.ts'

/** Longer than gateways need the list of ended sessions; a used refresh token is rejected with or without its row. */
const KEPT_MS = 86_400_000
const BATCH_ROWS = 1_000

/**
 * Job. Deletes sessions a day after their end or expiry, with their refresh tokens, and devices without a sign-in in
 * 180 days. Idempotent.
 */
export async function deleteOldSessions({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - KEPT_MS)
  await deleteKnownDevicesBefore(db, new Date(now().getTime() - DEVICE_LIFE_MS))
  let total = 0
  for (;;) {
    const deleted = await deleteEndedSessions(db, before, BATCH_ROWS)
    total += deleted
    if (deleted < BATCH_ROWS) return total
  }
}
