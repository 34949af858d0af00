import type { Language } from '@tapeline/contracts/language'
import { pageLanguage } from '../page-language.ts'

export type DocText = {
  title: string
  description: string
  body: string
}

const files = import.meta.glob<string>('../../../docs/text/*.md', { query: '?raw', import: 'default', eager: true })
const FRONT = /^---\ntitle: (.+)\ndescription: (.+)\n---\n/

/** One page of docs/text in the language that is rendered now, or in a given one. */
export function readText(name: string, language: Language = pageLanguage()): DocText {
  const file = files[`../../../docs/text/${name}.${language}.md`]
  if (file === undefined) throw new Error(`There is no text ${name} in ${language}.`)
  const front = FRONT.exec(file)
  if (front === null) throw new Error(`${name}.${language}.md has no title and description.`)
  const [head, title = '', description = ''] = front
  return { title, description, body: file.slice(head.length) }
}
