import type { AlertChannel } from '@tapeline/contracts/audit/alerts'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { recordPushes } from '../push/record-pushes.ts'
import type { Tables } from '../tables.ts'
import { timeZoneOrUtc } from '../time-zone.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'
import { lockWaitingNotices, markNoticesSettled, type NoticeRow, setCheckTime } from './notice-queries.ts'
import type { PushMessage } from '@tapeline/contracts/identity/push'
import { type Language, languageOf, settingsOf } from '../mail/language.ts'
import { noticeWords } from './notice-words.ts'
import { DEFAULT_SETTINGS } from '@tapeline/contracts/config/settings'

type NoticeSettling = Pick<Deps, 'db' | 'now' | 'newId' | 'secret' | 'fetchProfile'>

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
  const profile = await deps.fetchProfile(userId, user.role)
  const configured = notificationSettings(profile)
  // An unverified address may belong to another person, who must not receive data about keys or unlimited mails.
  const settings = { ...configured, byMail: configured.byMail && user.email_verified }
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
      await setCheckTime(trx, userId, new Date(Math.min(dueAt.getTime(), at.getTime() + ASK_AGAIN_MS)))
      return 'waits'
    }
    await notify(trx, deps, { user, profile, settings, notices })
    await markNoticesSettled(trx, userId, { ids, at, outcome: 'told' })
    return 'told'
  })
}

function digestTime({ reminder_time: hour }: UserRow, profile: AccountProfile, { frequency }: NotificationSettings) {
  return { frequency, hour, timeZone: timeZoneOrUtc(profile.time_zone) }
}

type Notifying = { user: UserRow; profile: AccountProfile; settings: NotificationSettings; notices: NoticeRow[] }

/** Immediate: one mail each, with the notification's id. A digest has the id of its oldest notice. */
async function notify(
  trx: Transaction<Tables>,
  deps: NoticeSettling,
  { user, profile, settings, notices }: Notifying,
): Promise<void> {
  const parts = settings.frequency === 'immediate' ? notices.map((one) => [one]) : [notices]
  for (const part of parts) {
    const entries = part.map(({ kind, title, text, data, raised_at: at }) => ({
      kind,
      title,
      text,
      data,
      at: at.toISOString(),
    }))
    const mailed = entries.filter((entry) => isEnabled(entry, 'email'))
    if (settings.byMail && mailed.length > 0) {
      const mail = { kind: 'notices' as const, time_zone: timeZoneOrUtc(profile.time_zone), notices: mailed }
      await recordMail(trx, deps, { id: part[0]?.id, userId: user.id, recipient: user.email, mail })
    }
    const pushed = part.filter((notice) => isEnabled(notice, 'push'))
    if (settings.byPush && pushed.length > 0) await recordPushes(trx, deps, user.id, pushOfNotices(pushed, profile))
  }
}

/** An alert is sent by the channels that its owner chose for it; every other notice by all. */
function isEnabled({ data }: Pick<NoticeRow, 'data'>, channel: AlertChannel): boolean {
  if (typeof data !== 'object' || data === null || !('channels' in data)) return true
  return Array.isArray(data.channels) && data.channels.includes(channel)
}

type DigestTime = {
  frequency: Frequency
  /** The user's hour, 0 to 23, in their time zone. */
  hour: number
  timeZone: string
}

const DAYS_PER_WEEK = 7

/** When a notice is delivered: immediately, at the user's next hour, or at that hour on the next Monday. */
function noticeDue(raisedAt: Date, { frequency, hour, timeZone }: DigestTime): Date {
  if (frequency === 'immediate') return raisedAt
  const raised = Temporal.Instant.fromEpochMilliseconds(raisedAt.getTime()).toZonedDateTimeISO(timeZone)
  for (let day = raised.toPlainDate(); ; day = day.add({ days: 1 })) {
    // An hour skipped by a clock change is the next one; of a repeated hour it is the first.
    const moment = day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
    const isDay = frequency === 'daily' || day.dayOfWeek % DAYS_PER_WEEK === 1
    if (isDay && Temporal.ZonedDateTime.compare(moment, raised) > 0) return new Date(moment.epochMilliseconds)
  }
}

const PATH = '/dashboard/metrics'
const BODY_LENGTH_MAX = 500

const TITLES: Record<Language, (count: number) => string> = {
  en: (count) => `${count} updates about your account`,
  es: (count) => `${count} novedades de tu cuenta`,
  fr: (count) => `${count} nouvelles de votre compte`,
}

/** One notice in full, several as a list. */
function pushOfNotices(notices: NoticeRow[], profile: AccountProfile): PushMessage {
  const lang = languageOf(profile)
  const texts = notices.map((notice) => noticeWords(notice, lang, timeZoneOrUtc(profile.time_zone)))
  const [first] = texts
  const body = texts.map(({ title }) => title).join('\n')
  const [title, text] =
    texts.length === 1 && first !== undefined ? [first.title, first.text] : [TITLES[lang](texts.length), body]
  return { title, body: text.slice(0, BODY_LENGTH_MAX), path: PATH, tag: notices[0]?.id ?? '', lang }
}

const FREQUENCIES = ['immediate', 'daily', 'weekly'] as const
type Frequency = (typeof FREQUENCIES)[number]
type NotificationSettings = { byMail: boolean; byPush: boolean; frequency: Frequency }

/** A user's notification settings; missing or invalid ones have their defaults. */
function notificationSettings({ configs }: AccountProfile): NotificationSettings {
  const { emailNotifications, pushNotifications, notificationFrequency } = settingsOf(configs.user_settings)
  return {
    byMail: emailNotifications !== false,
    byPush: pushNotifications !== false,
    frequency: FREQUENCIES.find((one) => one === notificationFrequency) ?? DEFAULT_SETTINGS.notificationFrequency,
  }
}
