import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { recordPushes } from '../push/record-pushes.ts'
import type { Tables } from '../tables.ts'
import { knownTimeZone } from '../time-zone.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'
import { noticeDue } from './notice-due.ts'
import { lockWaitingNotices, markNoticesSettled, type NoticeRow, setLookAt } from './notice-queries.ts'
import { type NotificationSettings, notificationSettings } from './notification-settings.ts'
import { pushOfNotices } from './push-of-notices.ts'

type NoticeSettling = Pick<Deps, 'db' | 'now' | 'newId' | 'secret' | 'askProfile'>

/** Maximum per mail; the rest is in the next one. */
const NOTICES_MAX = 50
/** How often the settings are read for notices that wait for a digest. */
const ASK_AGAIN_MS = 3_600_000

/**
 * Delivers a user's waiting notices according to their current settings: immediately, or all together when a digest
 * is due. Notices, mail and pushes are one transaction, so each is delivered once.
 */
export async function settleNotices(
  deps: NoticeSettling,
  userId: string,
): Promise<'told' | 'unwanted' | 'waits' | 'nothing'> {
  const user = await findUser(deps.db, userId)
  if (user === undefined) return 'nothing'
  const profile = await deps.askProfile(userId, user.role)
  const wanted = notificationSettings(profile)
  // An unverified address may belong to another person, who must not receive data about keys or unlimited mails.
  const settings = { ...wanted, byMail: wanted.byMail && user.email_verified }
  return deps.db.transaction().execute(async (trx) => {
    const notices = await lockWaitingNotices(trx, userId, NOTICES_MAX)
    const [oldest] = notices
    if (oldest === undefined) return 'nothing'
    const ids = notices.map(({ id }) => id)
    const at = deps.now()
    if (user.status !== 'active' || (!settings.byMail && !settings.byPush)) {
      await markNoticesSettled(trx, userId, { ids, at, outcome: 'unwanted' })
      return 'unwanted'
    }
    const dueAt = noticeDue(oldest.raised_at, digestTime(user, profile, settings))
    if (dueAt > at) {
      await setLookAt(trx, userId, new Date(Math.min(dueAt.getTime(), at.getTime() + ASK_AGAIN_MS)))
      return 'waits'
    }
    await tell(trx, deps, { user, profile, settings, notices })
    await markNoticesSettled(trx, userId, { ids, at, outcome: 'told' })
    return 'told'
  })
}

function digestTime({ reminder_time: hour }: UserRow, profile: AccountProfile, { frequency }: NotificationSettings) {
  return { frequency, hour, timeZone: knownTimeZone(profile.time_zone) }
}

type Telling = { user: UserRow; profile: AccountProfile; settings: NotificationSettings; notices: NoticeRow[] }

/** Immediate: one mail each, with the notification's id. A digest has the id of its oldest notice. */
async function tell(
  trx: Transaction<Tables>,
  deps: NoticeSettling,
  { user, profile, settings, notices }: Telling,
): Promise<void> {
  const parts = settings.frequency === 'immediate' ? notices.map((one) => [one]) : [notices]
  for (const part of parts) {
    const told = part.map(({ kind, title, text, data, raised_at: at }) => ({
      kind,
      title,
      text,
      data,
      at: at.toISOString(),
    }))
    if (settings.byMail) {
      const mail = { kind: 'notices' as const, time_zone: knownTimeZone(profile.time_zone), notices: told }
      await recordMail(trx, deps, { id: part[0]?.id, userId: user.id, recipient: user.email, mail })
    }
    if (settings.byPush) await recordPushes(trx, deps, user.id, pushOfNotices(part, profile))
  }
}
