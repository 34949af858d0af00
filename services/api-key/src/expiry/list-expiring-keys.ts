import type { ExpiringKeys, ExpiringKeysQuery } from '@tapeline/contracts/api-key/expiring-keys'
import type { Deps } from '../deps.ts'
import { listKeysEndingBefore } from './expiry-queries.ts'
import { keyPrefix, labelOf } from '../keys/secret.ts'

const LISTED_MAX = 20

/** An account's working keys that expire before `until`, for identity's reminders. */
export async function listExpiringKeys(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: string,
  { until }: ExpiringKeysQuery,
): Promise<ExpiringKeys> {
  const ending = { now: now(), until: new Date(until), limit: LISTED_MAX }
  const rows = await listKeysEndingBefore(db, accountId, ending)
  const keys = rows.map(({ name, kid, expires_at, ...key }) => ({
    name,
    prefix: keyPrefix(labelOf(key), kid),
    expires_at: expires_at.toISOString(),
  }))
  return { keys }
}
