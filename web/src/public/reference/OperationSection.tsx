import { t } from '@lingui/core/macro'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import type { Token } from 'marked'
import { AnswerSample } from '../docs/AnswerSample.tsx'
import { CodeSample } from '../docs/CodeSample.tsx'
import { highlight } from '../docs/highlight.tsx'
import { linkTarget } from '../docs/link-target.ts'
import { inline } from '../docs/inline.tsx'
import { hasAnswer, readAnswer } from '../docs/read-sample.ts'
import { Fields } from './Fields.tsx'
import type { Operation } from './read-operations.ts'
import type { OperationWords } from './reference-words.ts'
import { samplesOf } from './samples-of.ts'
import { TryIt } from './TryIt.tsx'
import { typeText } from './type-text.ts'

type OperationSectionProps = {
  operation: Operation
  words: OperationWords
  fieldWords: ReadonlyMap<string, Token[]>
}

export function OperationSection({ operation, words, fieldWords }: OperationSectionProps) {
  const { id, method, path, errors } = operation
  return (
    <section className="operation pair" aria-labelledby={id}>
      <div className="doc-prose">
        <h2 id={id}>
          <a href={`#${id}`}>{words.title}</a>
        </h2>
        {words.description.length > 0 && <p>{inline(words.description)}</p>}
        <p className="path">
          <span className="tag">{method}</span>
          <span className="mono">{path}</span>
        </p>
        <p className="small muted">{accessWords(operation)}</p>
        <Fields operation={operation} words={fieldWords} />
        {errors.length > 0 && <Failures codes={errors} />}
      </div>
      <div className="beside">
        <CodeSample codes={samplesOf(operation)} label={words.title}>
          <TryIt operation={operation} />
        </CodeSample>
        <Answers operation={operation} />
      </div>
    </section>
  )
}

/** The recorded answer of a call, or an example from its schema. */
function Answers({ operation: { id, answer } }: Pick<OperationSectionProps, 'operation'>) {
  return (
    <>
      {hasAnswer(id) && <AnswerSample {...readAnswer(id)} />}
      {answer.schema !== undefined && (
        <details className="panel schema">
          <summary>
            <span className="state mono state-ok">{answer.status}</span>
            {t`Response`}
          </summary>
          <pre className="code" tabIndex={0} role="group" aria-label={t`Response`}>
            <code>{highlight(typeText(answer.schema), 'typescript')}</code>
          </pre>
        </details>
      )}
    </>
  )
}

function Failures({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <p className="failures small">
      <span className="muted">{t`Errors`}</span>
      {codes.map((code) => (
        <a key={code} className="link mono" href={linkTarget(`error:${code}`)}>
          {code}
        </a>
      ))}
    </p>
  )
}

function accessWords({ needs, scope, access, isAlwaysCounted }: Operation): string {
  const counted = isAlwaysCounted ? t`counts as 1 request` : undefined
  return [whoMay(needs, scope), roleIn(access), counted].filter((words) => words !== undefined).join(' · ')
}

function whoMay(needs: Operation['needs'], scope: string | undefined): string {
  if (needs === 'nothing') return t`No authentication`
  if (needs === 'session') return t`Requires a session`
  return scope === undefined
    ? t`Requires an API key or a session`
    : t`Requires an API key with the scope ${scope}, or a session`
}

function roleIn(access: string): string | undefined {
  const role = /^(tester|admin)\b/.exec(access)?.[1]
  if (role === undefined) return undefined
  return role === 'admin' ? t`role ${role}` : t`role ${role} or higher`
}
