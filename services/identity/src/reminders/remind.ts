import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { recordPushes } from '../push/record-pushes.ts'
import { timeZoneOrUtc } from '../time-zone.ts'
import type { ReminderFacts } from './reminder-facts.ts'
import { dayBefore, reminderDue } from './reminder-due.ts'
import { markReminded, type UserToRemind, planReminder } from './reminder-queries.ts'
import type { PushMessage } from '@tapeline/contracts/identity/push'
import { languageOf } from '../mail/language.ts'
import { reminderWords } from './reminder-words.ts'

export type Reminding = Pick<
  Deps,
  'db' | 'now' | 'newId' | 'secret' | 'fetchProfile' | 'fetchUsage' | 'fetchExpiringKeys'
>

const EXPIRING_WITHIN_MS = 7 * 86_400_000

/**
 * Sends a user's reminder about the previous day in their time zone. Without a plan, or after a change of the hour,
 * the next reminder is at the user's next hour. Marking the day and writing the mail or push are one transaction, so
 * a day is sent once.
 */
export async function remind(deps: Reminding, user: UserToRemind): Promise<'reminded' | 'planned'> {
  const profile = await deps.fetchProfile(user.id, user.role)
  const timeZone = timeZoneOrUtc(profile.time_zone)
  const { reminder_time: hour, told_day: notifiedDay } = user
  const { day, nextAt: dueAt } = reminderDue(deps.now(), { hour, timeZone, notifiedDay })
  if (day === null || user.due_at === null) {
    await planReminder(deps.db, user.id, { hour, dueAt })
    return 'planned'
  }
  const facts = await gather(deps, user.id, { day, timeZone })
  return deps.db.transaction().execute(async (trx) => {
    if (!(await markReminded(trx, user.id, { day, hour, dueAt }))) return 'planned'
    const isPushed =
      user.reminder_method === 'push' &&
      (await recordPushes(trx, deps, user.id, pushOfReminder(facts, { profile, day }))) > 0
    // Without a subscribed browser the reminder is mailed. Unverified addresses get no mail.
    if (!isPushed && user.email_verified) {
      const mail = { kind: 'reminder' as const, ...facts }
      await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail })
    }
    return 'reminded'
  })
}

type ReminderDay = { day: string; timeZone: AccountProfile['time_zone'] }

async function gather(deps: Reminding, userId: string, { day, timeZone }: ReminderDay): Promise<ReminderFacts> {
  const yesterday = dayBefore(day, timeZone)
  const [usage, { keys }] = await Promise.all([
    deps.fetchUsage(userId, yesterday),
    deps.fetchExpiringKeys(userId, new Date(deps.now().getTime() + EXPIRING_WITHIN_MS)),
  ])
  return {
    day: yesterday.day,
    time_zone: timeZone,
    requests: usage.total,
    errors: usage.client_errors + usage.server_errors,
    denied: usage.denied,
    limits: usage.limits
      .filter(({ policy }) => policy === 'day' || policy === 'month')
      .map(({ policy, peak, limit }) => ({ policy, used: peak, limit })),
    keys: keys.map(({ name, expires_at }) => ({ name, expires_at })),
  }
}

const BODY_LENGTH_MAX = 500

function pushOfReminder(facts: ReminderFacts, { profile, day }: { profile: AccountProfile; day: string }): PushMessage {
  const lang = languageOf(profile)
  const { title, summary, limits, keys } = reminderWords(facts, lang)
  const body = [summary, ...limits, ...keys].join('\n').slice(0, BODY_LENGTH_MAX)
  return { title, body, path: '/dashboard/metrics', tag: `reminder-${day}`, lang }
}
