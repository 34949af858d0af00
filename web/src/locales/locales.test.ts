import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'

const AREAS = ['shell', 'dashboard', 'public']
const po = formatter()

async function catalogOf(language: string, area: string) {
  const filename = join(import.meta.dirname, language, `${area}.po`)
  return po.parse(readFileSync(filename, 'utf8'), { locale: language, sourceLocale: 'en', filename })
}

test.each(['es', 'fr'].flatMap((language) => AREAS.map((area) => [language, area])))(
  'every message has words in %s/%s.po, with the same values and elements as the English',
  async (language, area) => {
    const [source, catalog] = await Promise.all([catalogOf('en', area), catalogOf(language, area)])
    expect(Object.keys(catalog).toSorted()).toEqual(Object.keys(source).toSorted())
    const wrong = Object.entries(catalog).filter(([id, { translation = '' }]) => {
      // Messages with an explicit id have their English text as default; for all others the id is the English text.
      const { message = '', translation: english = '' } = source[id] ?? {}
      return translation === '' || String(partsOf(translation)) !== String(partsOf(message || english))
    })
    expect(wrong.map(([id, { translation }]) => ({ message: source[id]?.message || id, translation }))).toEqual([])
  },
)

/** Values, the kinds of plurals and the elements of a message, each once. */
function partsOf(message: string): string[] {
  const elements = message.match(/<\/?\d+\/?>/g) ?? []
  return [...new Set([...valuesIn(compileMessageOrThrow(message)), ...elements])].toSorted()
}

function valuesIn(compiled: unknown): string[] {
  if (!Array.isArray(compiled)) return []
  return compiled.flatMap((token) => {
    if (!Array.isArray(token)) return []
    const [name, kind, forms] = token
    const inForms = typeof forms === 'object' && forms !== null ? Object.values(forms).flatMap(valuesIn) : []
    return [`${name} ${kind ?? ''}`, ...inForms]
  })
}
