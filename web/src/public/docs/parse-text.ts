import type { Token, Tokens } from 'marked'
import { headingSlug } from './heading-slug.ts'
import { lexText } from './lex-text.ts'

/** A section of prose with its samples. */
export type Pair = { prose: Token[]; side: Directive[] }
export type Directive = { kind: string; name: string }
export type Section = { id: string; heading: Tokens.Heading | undefined; pairs: Pair[] }

const DIRECTIVE = /^::([a-z]+)(?: ([\w-]+))?$/
/** Samples in the right column; all others are inline. */
const SIDE_KINDS = new Set(['sample', 'answer'])

/** A text in sections by its headings. Anchors are those of the English text, in every language. */
export function parseText(body: string, english: string): Section[] {
  const ids = lexText(english).flatMap((token) =>
    token.type === 'heading' ? [headingSlug((token as Tokens.Heading).text)] : [],
  )
  const sections: Section[] = [{ id: '', heading: undefined, pairs: [] }]
  for (const token of lexText(body)) {
    if (token.type === 'heading') {
      sections.push({ id: ids[sections.length - 1] ?? '', heading: token as Tokens.Heading, pairs: [] })
    } else if (token.type !== 'space') addTo(sections[sections.length - 1]?.pairs ?? [], token)
  }
  return sections.filter(({ heading, pairs }) => heading !== undefined || pairs.length > 0)
}

export function directiveOf(token: Token): Directive | undefined {
  const match = token.type === 'paragraph' ? DIRECTIVE.exec(token.raw.trim()) : null
  return match === null ? undefined : { kind: match[1] ?? '', name: match[2] ?? '' }
}

function addTo(pairs: Pair[], token: Token): void {
  const directive = directiveOf(token)
  const last = pairs.at(-1)
  if (directive !== undefined && SIDE_KINDS.has(directive.kind)) {
    if (last === undefined) pairs.push({ prose: [], side: [directive] })
    else last.side.push(directive)
  } else if (last === undefined || last.side.length > 0) pairs.push({ prose: [token], side: [] })
  else last.prose.push(token)
}
