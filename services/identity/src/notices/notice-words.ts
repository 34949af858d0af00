import { NOTIFICATION_DATA, type NotificationAbout } from '@tapeline/contracts/audit/notification-data'
import type { NotificationKind } from '@tapeline/contracts/audit/notifications'
import { Value } from 'typebox/value'
import type { Language } from '../mail/language.ts'
import type { NoticeTexts, Reader, Words } from './notice-texts.ts'
import { noticesInEnglish } from './notices-in-english.ts'
import { noticesInFrench } from './notices-in-french.ts'
import { noticesInSpanish } from './notices-in-spanish.ts'

/** A notice with the English text from audit. */
export type NoticeToWord = Words & { kind: string; data?: unknown }

const PERCENT = 100
const TEXTS: Record<Language, NoticeTexts> = {
  en: noticesInEnglish,
  es: noticesInSpanish,
  fr: noticesInFrench,
}

/** The text in the reader's language; audit's English text when the data is missing or invalid. */
export function noticeWords(notice: NoticeToWord, language: Language, timeZone: string): Words {
  if (!isKnownKind(notice)) return { title: notice.title, text: notice.text }
  return textOf(TEXTS[language], notice, readerOf(language, timeZone))
}

function isKnownKind(notice: { kind: string; data?: unknown }): notice is NotificationAbout {
  const shape = Object.entries(NOTIFICATION_DATA).find(([kind]) => kind === notice.kind)?.[1]
  return shape !== undefined && Value.Check(shape, notice.data)
}

function textOf<K extends NotificationKind>(texts: NoticeTexts, { kind, data }: NotificationAbout<K>, reader: Reader) {
  return texts[kind](data, reader)
}

function readerOf(language: Language, timeZone: string): Reader {
  const number = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const moment = new Intl.DateTimeFormat(language, { ...day, ...time, timeZone })
  return {
    count: (value) => number.format(value),
    moment: (at) => moment.format(new Date(at)),
    share: (value) => percent.format(value / PERCENT),
  }
}
