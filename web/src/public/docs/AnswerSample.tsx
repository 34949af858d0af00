import { t } from '@lingui/core/macro'
import { CopyButton } from './CodeSample.tsx'
import { highlight } from './highlight.tsx'
import type { RecordedAnswer } from './read-sample.ts'

/** The recorded answer of the sample. */
export function AnswerSample({ status, headers, body }: RecordedAnswer) {
  return (
    <div className="panel sample answer">
      <div className="bar">
        <span className={`state mono ${classOfStatus(status)}`}>{status}</span>
        <span className="small faint">{t`recorded response`}</span>
        <CopyButton label={t`Copy the response`} />
      </div>
      <pre className="code" tabIndex={0} role="group" aria-label={t`Response`}>
        <code>{highlight(body, 'json')}</code>
      </pre>
      {headers.length > 0 && (
        <dl className="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

export function classOfStatus(status: number): string {
  if (status < 400) return 'state-ok'
  if (status === 429) return 'state-warn'
  return status < 500 ? 'state-client' : 'state-bad'
}
