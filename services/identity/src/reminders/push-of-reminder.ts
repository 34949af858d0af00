import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { PushMessage } from '@tapeline/contracts/identity/push'
import { languageOf } from '../mail/language.ts'
import type { ReminderFacts } from './reminder-facts.ts'
import { reminderWords } from './reminder-words.ts'

const BODY_LENGTH_MAX = 500

export function pushOfReminder(
  facts: ReminderFacts,
  { profile, day }: { profile: AccountProfile; day: string },
): PushMessage {
  const lang = languageOf(profile)
  const { title, summary, limits, keys } = reminderWords(facts, lang)
  const body = [summary, ...limits, ...keys].join('\n').slice(0, BODY_LENGTH_MAX)
  return { title, body, path: '/dashboard/metrics', tag: `reminder-${day}`, lang }
}
