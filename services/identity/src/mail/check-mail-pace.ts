import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import type { Mail } from './mail.ts'
import { listMailTimes } from './mail-queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const PER_HOUR = 5

/**
 * Limits mails of a kind to one per minute and five per hour. The caller has locked the user, so concurrent requests
 * are counted.
 * @throws AppError mail.too_many
 */
export async function checkMailPace(
  trx: Transaction<Tables>,
  { now }: Pick<Deps, 'now'>,
  userId: string,
  kind: Mail['kind'],
): Promise<void> {
  const nowMs = now().getTime()
  const times = await listMailTimes(trx, userId, { kind, since: new Date(nowMs - HOUR_MS), limit: PER_HOUR })
  const [newest] = times
  const oldest = times[PER_HOUR - 1]
  const freeAtMs = Math.max(
    newest === undefined ? 0 : newest.getTime() + MINUTE_MS,
    oldest === undefined ? 0 : oldest.getTime() + HOUR_MS,
  )
  if (freeAtMs <= nowMs) return
  throw new AppError('mail.too_many', 'An email was sent a moment ago. Check your inbox, or try again later.', {
    retryAfterSeconds: Math.ceil((freeAtMs - nowMs) / 1_000),
  })
}
