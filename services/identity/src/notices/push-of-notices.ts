import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { PushMessage } from '@tapeline/contracts/identity/push'
import { type Language, languageOf } from '../mail/language.ts'
import { knownTimeZone } from '../time-zone.ts'
import type { NoticeRow } from './notice-queries.ts'
import { noticeWords } from './notice-words.ts'

const PATH = '/dashboard/metrics'
const BODY_LENGTH_MAX = 500

const TITLES: Record<Language, (count: number) => string> = {
  en: (count) => `${count} pieces of news of your account`,
  es: (count) => `${count} novedades de tu cuenta`,
  fr: (count) => `${count} nouvelles de votre compte`,
}

/** One notice in full, several as a list. */
export function pushOfNotices(notices: NoticeRow[], profile: AccountProfile): PushMessage {
  const lang = languageOf(profile)
  const told = notices.map((notice) => noticeWords(notice, lang, knownTimeZone(profile.time_zone)))
  const [first] = told
  const body = told.map(({ title }) => title).join('\n')
  const [title, text] =
    told.length === 1 && first !== undefined ? [first.title, first.text] : [TITLES[lang](told.length), body]
  return { title, body: text.slice(0, BODY_LENGTH_MAX), path: PATH, tag: notices[0]?.id ?? '', lang }
}
