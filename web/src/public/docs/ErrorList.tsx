import { t } from '@lingui/core/macro'
import { classOfStatus } from './AnswerSample.tsx'
import { errorCodes, readErrorTexts } from './error-texts.ts'
import { linkTarget } from './link-target.ts'
import { inline } from './inline.tsx'

/** All error codes in one table; each has its own page. */
export function ErrorList() {
  const texts = readErrorTexts()
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={t`Error codes`}>
      <table className="table error-list">
        <thead>
          <tr>
            <th scope="col">{t`Status`}</th>
            <th scope="col">{t`Code`}</th>
            <th scope="col">{t`When`}</th>
          </tr>
        </thead>
        <tbody>
          {errorCodes.map((code) => {
            const text = texts.get(code)
            if (text === undefined) throw new Error(`Nothing explains ${code}.`)
            return (
              <tr key={code} id={code}>
                <td>
                  <span className={`state mono ${classOfStatus(text.status)}`}>{text.status}</span>
                </td>
                <td className="mono">
                  <a className="link" href={linkTarget(`error:${code}`)}>
                    {code}
                  </a>
                </td>
                <td>{inline(text.means)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
