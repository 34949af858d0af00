import { t } from '@lingui/core/macro'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { STATUS_CODES } from 'node:http'
import { Fragment } from 'react'
import { paths } from '../../paths.ts'
import { operationsThatFailWith } from '../reference/read-operations.ts'
import { classOfStatus } from './AnswerSample.tsx'
import { DocsFrame } from './DocsFrame.tsx'
import { readErrorText } from './error-texts.ts'
import { linkTarget } from './link-target.ts'
import { inline } from './inline.tsx'

/** The page to which the `type` of a problem links: meaning, remedy, and the calls that return it. */
export function ErrorPage({ code }: { code: ErrorCode }) {
  const { status, means, todo } = readErrorText(code)
  const calls = operationsThatFailWith(code)
  return (
    <DocsFrame path={paths.docsErrors} sections={[]}>
      <header className="doc-head">
        <p className="small">
          <a className="link" href={paths.docsErrors}>{t`Errors`}</a>
        </p>
        <h1 className="mono">{withBreaks(code)}</h1>
        <p>
          <span className={`state mono ${classOfStatus(status)}`}>
            {status} {STATUS_CODES[status]}
          </span>
        </p>
      </header>
      <div className="doc-prose error-page">
        <h2>{t`What it means`}</h2>
        <p>{inline(means)}</p>
        <h2>{t`What to do`}</h2>
        <p>{inline(todo)}</p>
        {calls.length > 0 && (
          <>
            <h2>{t`Calls that return this code`}</h2>
            <ul>
              {calls.map(({ id, method, path }) => (
                <li key={id}>
                  <a className="link mono" href={linkTarget(`operation:${id}`)}>
                    {method} {path}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </DocsFrame>
  )
}

/** A long code may break after a dot or an underscore. */
function withBreaks(code: string) {
  return code.split(/(?<=[._])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))
}
