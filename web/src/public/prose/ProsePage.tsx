import type { ReactNode } from 'react'
import { inline } from '../docs/inline.tsx'
import { Prose } from '../docs/Prose.tsx'
import { parseText } from '../docs/parse-text.ts'
import { readProse } from './read-prose.ts'

type ProsePageProps = {
  text: string
  /** Above the title. */
  above?: ReactNode
  /** Between the title and the text. */
  note?: ReactNode
  /** Below the text. */
  children?: ReactNode
}

/** A page whose content is a text of web/prose. */
export function ProsePage({ text, above, note, children }: ProsePageProps) {
  const { title, description, body } = readProse(text)
  const sections = parseText(body, readProse(text, 'en').body)
  return (
    <article className="site prose">
      {above}
      <h1>{title}</h1>
      <p className="lead">{description}</p>
      {note}
      {sections.map(({ id, heading, pairs }) => (
        <section key={id}>
          {heading !== undefined && <h2 id={id}>{inline(heading.tokens)}</h2>}
          <Prose tokens={pairs.flatMap(({ prose }) => prose)} />
        </section>
      ))}
      {children}
    </article>
  )
}
