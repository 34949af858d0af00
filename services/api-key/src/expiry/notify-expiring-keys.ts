import { apiKeyExpired, apiKeyExpiring } from '@tapeline/contracts/api-key/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import { daysLeftOf, dueNotice } from '../keys/expiry-notices.ts'
import { type ExpiringKey, lockKeysToNotify, markNoticeSent } from './expiry-queries.ts'
import { aboutKey, nameOf } from '../keys/key-event.ts'

const BATCH_KEYS = 100
const CLOCK = { kind: 'service', service: 'api-key' } as const

/**
 * Job. Publishes that keys expire soon or have expired, each notice once: mark and event are one transaction.
 * Gateways and lists compare the time themselves and do not depend on it.
 */
export async function notifyExpiringKeys(deps: Pick<Deps, 'db' | 'now' | 'newId'>): Promise<number> {
  let total = 0
  for (;;) {
    const notified = await deps.db.transaction().execute(async (trx) => {
      const keys = await lockKeysToNotify(trx, deps.now(), BATCH_KEYS)
      for (const key of keys) {
        const notice = dueNotice(key.expires_at, deps.now())
        await markNoticeSent(trx, key.id, notice)
        await recordEvent(trx, noticeEvent(deps, key, notice))
      }
      return keys.length
    })
    total += notified
    if (notified < BATCH_KEYS) return total
  }
}

function noticeEvent(deps: Pick<Deps, 'now' | 'newId'>, key: ExpiringKey, notice: number): Event<unknown> {
  const about = aboutKey(deps, CLOCK, key)
  const data = { ...nameOf(key), expires_at: key.expires_at?.toISOString() ?? '' }
  const daysLeft = daysLeftOf(notice)
  if (daysLeft === 0) return newEvent(apiKeyExpired, { ...about, data })
  return newEvent(apiKeyExpiring, { ...about, data: { ...data, days_left: daysLeft } })
}
