import { AnswerSample } from './AnswerSample.tsx'
import { CodeSample } from './CodeSample.tsx'
import { inline } from './inline.tsx'
import { Prose } from './Prose.tsx'
import type { Directive, Pair, Section } from './parse-text.ts'
import { readAnswer, readSample } from './read-sample.ts'

/** Prose on the left, its samples and answers on the right; one below the other on narrow screens. */
export function DocSections({ sections }: { sections: readonly Section[] }) {
  return sections.map((section) => <DocSection key={section.id} {...section} />)
}

function DocSection({ id, heading, pairs }: Section) {
  return (
    <section className="doc-section" aria-labelledby={heading === undefined ? undefined : id}>
      {heading !== undefined && (
        <h2 id={id}>
          <a href={`#${id}`}>{inline(heading.tokens)}</a>
        </h2>
      )}
      {pairs.map((pair, index) =>
        isAfterSample(pairs, index) ? null : (
          <PairOf key={index} {...pair} after={isAfterSample(pairs, index + 1) ? pairs[index + 1]?.prose : undefined} />
        ),
      )}
    </section>
  )
}

/** Prose without a sample continues beside the previous sample, which is often the longer of the two. */
function isAfterSample(pairs: readonly Pair[], index: number): boolean {
  return pairs[index]?.side.length === 0 && (pairs[index - 1]?.side.length ?? 0) > 0
}

/** A sample with more lines is a complete program and gets the wider column. */
const LINES_MAX = 24

function PairOf({ prose, side, after }: Pair & { after: Pair['prose'] | undefined }) {
  return (
    <div className={side.some(isWide) ? 'pair is-wide' : 'pair'}>
      <div className="doc-prose">
        <Prose tokens={prose} />
      </div>
      {side.length > 0 && (
        <div className="beside">
          {side.map((directive) => (
            <SideContent key={`${directive.kind} ${directive.name}`} {...directive} />
          ))}
        </div>
      )}
      {after !== undefined && (
        <div className="doc-prose">
          <Prose tokens={after} />
        </div>
      )}
    </div>
  )
}

function isWide({ kind, name }: Directive): boolean {
  if (kind === 'answer') return false
  return readSample(name).some(({ code }) => code.split('\n').length > LINES_MAX)
}

function SideContent({ kind, name }: Directive) {
  if (kind === 'answer') return <AnswerSample {...readAnswer(name)} />
  return <CodeSample codes={readSample(name)} label={name.replaceAll('-', ' ')} />
}
