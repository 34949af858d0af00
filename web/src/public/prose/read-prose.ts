import type { Language } from '@tapeline/contracts/language'
import { i18n } from '../../language/i18n.ts'
import { proseFigures } from '../measured-figures.ts'
import { pageLanguage } from '../page-language.ts'

export type ProseText = { title: string; description: string; body: string }

const files = import.meta.glob<string>('../../../prose/*.md', { query: '?raw', import: 'default', eager: true })
const FRONT = /^---\ntitle: (.+)\ndescription: (.+)\n---\n/

/** A text of web/prose in the language that is rendered now, or in a given one; figures in braces are filled in. */
export function readProse(name: string, language: Language = pageLanguage()): ProseText {
  const file = files[`../../../prose/${name}.${language}.md`]
  if (file === undefined) throw new Error(`There is no text ${name} in ${language}.`)
  const front = FRONT.exec(file)
  if (front === null) throw new Error(`${name}.${language}.md has no title and description.`)
  const [head, title = '', description = ''] = front
  const figures: Record<string, string> = proseFigures(i18n.locale)
  const body = file
    .slice(head.length)
    .replace(/\{(\w+)\}/g, (all, figure: string) => figures[figure] ?? fail(name, all))
  return { title, description, body }
}

function fail(name: string, figure: string): never {
  throw new Error(`${name} uses ${figure}, which is not a measured figure.`)
}
