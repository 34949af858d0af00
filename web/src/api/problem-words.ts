import { i18n } from '../language/i18n.ts'

/** The server answers in English; other languages translate errors by their code (problem-texts.ts, in their catalogs). */
export function problemWords(code: string | undefined): string | undefined {
  return code === undefined ? undefined : wordsOf(`problem ${code}`)
}

type Broken = { field: string; rule?: string | undefined; limit?: string | number | undefined }

/** The text of a field error, by the rule that failed (field-texts.ts). */
export function fieldWords({ field, rule, limit }: Broken): string | undefined {
  if (rule === undefined) return undefined
  const name = field === '/' ? wordsOf('field body') : nameOf(field)
  return wordsOf(`field ${rule} ${limit ?? ''}`, { name }) ?? wordsOf(`field ${rule}`, { name, limit })
}

function nameOf(field: string): string {
  return field.startsWith('/') ? field.slice(1) : field
}

function wordsOf(id: string, values?: Record<string, unknown>): string | undefined {
  return i18n.locale !== 'en' && id in i18n.messages ? i18n._(id, values) : undefined
}
