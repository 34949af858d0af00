import { queryOptions } from '@tanstack/react-query'
import type { Language } from '@tapeline/contracts/language'
import { BookOpen } from 'lucide-react'
import { docTexts } from '../public/docs/doc-list.ts'
import { headingSlug } from '../public/docs/heading-slug.ts'
import type { PaletteEntry } from './use-entries.ts'

const texts = import.meta.glob<string>('../../docs/text/*.md', { query: '?raw', import: 'default' })

/** Every text and every section of the documentation; they are fetched when the search box first opens. */
export function docsQuery(language: Language) {
  return queryOptions({
    queryKey: ['docs', language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const read = async (text: string, of: string): Promise<string> =>
        (await texts[`../../docs/text/${text}.${of}.md`]?.()) ?? ''
      const all = docTexts.map(async ({ path, text }) =>
        docEntries(path, await read(text, language), await read(text, 'en')),
      )
      return (await Promise.all(all)).flat()
    },
  })
}

/** A text and its sections; anchors are those of the English text, in every language. */
export function docEntries(path: string, text: string, english: string): PaletteEntry[] {
  const title = /^title: (.+)$/m.exec(text)?.[1]
  if (title === undefined) return []
  const anchors = headingsOf(english).map(headingSlug)
  const entry = { group: 'docs', Icon: BookOpen } as const
  return [
    { ...entry, id: `docs:${path}`, label: title, path },
    ...headingsOf(text).map((heading, at): PaletteEntry => {
      const to = `${path}#${anchors[at] ?? ''}`
      return { ...entry, id: `docs:${to}`, label: heading, note: title, path: to }
    }),
  ]
}

function headingsOf(text: string): string[] {
  return Array.from(text.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading.replaceAll('`', ''))
}
