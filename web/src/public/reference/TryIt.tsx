import { t } from '@lingui/core/macro'
import { buttonClass } from '../../ui/button-class.ts'
import { exampleOf } from './example-of.ts'
import type { Operation } from './read-operations.ts'

/** Calls that only read and need no input that the reader would have to look up. */
const TRIED = new Set([
  'list-trades',
  'list-l2-events',
  'read-latest-trade',
  'read-latest-l2-event',
  'list-instruments',
  'list-sample-symbols',
  'read-sample',
  'read-limits',
  'check-health',
  'read-status',
  'list-keys',
  'read-metrics',
  'list-requests',
  'read-details',
  'read-subscription',
  'read-pricing',
  'read-real-time-stats',
])

/**
 * Sends the request from the page and shows status, duration, limit headers and body of the answer. The fields have
 * no names and the button waits for its script, so that the browser never puts a key into a URL.
 */
export function TryIt({ operation }: { operation: Operation }) {
  if (!TRIED.has(operation.id)) return null
  const { path, body } = exampleOf(operation)
  return (
    <details className="try needs-script">
      <summary>{t`Try it`}</summary>
      <form
        data-island="try-it"
        data-method={operation.method}
        data-needs={operation.needs}
        data-words={JSON.stringify({
          sending: t`Sending…`,
          asYou: t`Sent with your session: it counts against your limits.`,
          needsKey: t`Enter an API key, or sign in.`,
          needsSession: t`Sign in first: this call does not accept API keys.`,
          failed: t`No response. Is the platform running?`,
          unreadable: t`The body is not JSON.`,
        })}
      >
        <label className="field">
          <span className="label">{t`Path`}</span>
          <input className="input mono" data-field="path" defaultValue={path} spellCheck={false} />
        </label>
        {body !== undefined && (
          <label className="field">
            <span className="label">{t`Body`}</span>
            <textarea
              className="textarea mono"
              data-field="body"
              rows={6}
              spellCheck={false}
              defaultValue={JSON.stringify(body, null, 2)}
            />
          </label>
        )}
        {operation.needs === 'key or session' && (
          <label className="field for-visitors">
            <span className="label">{t`API key: used only on this page, not stored`}</span>
            <input className="input mono" data-field="key" type="password" autoComplete="off" />
          </label>
        )}
        <div className="row">
          <span className="note small muted" role="status" />
          <button type="submit" disabled className={buttonClass({ variant: 'primary', size: 'small' }, 'end')}>
            {t`Send`}
          </button>
        </div>
        <Tried />
      </form>
    </details>
  )
}

/** Filled with the answer. */
function Tried() {
  return (
    <div className="tried" hidden>
      <div className="bar">
        <span className="state mono" data-part="status" />
        <span className="mono small" data-part="time" />
      </div>
      <dl className="headers" data-part="headers" />
      <pre className="code" tabIndex={0} role="group" aria-label={t`Response`}>
        <code data-part="body" />
      </pre>
    </div>
  )
}
