import { i18n } from '../language/i18n.ts'

/** The server answers in English; the other languages say a failure by its code (problem-texts.ts, in their catalogs). */
export function problemWords(code: string | undefined): string | undefined {
  return code === undefined ? undefined : wordsOf(`problem ${code}`)
}

function wordsOf(id: string, values?: Record<string, unknown>): string | undefined {
  return i18n.locale !== 'en' && id in i18n.messages ? i18n._(id, values) : undefined
}
