import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { COMPONENTS } from '@tapeline/contracts/audit/status'
import { API_ORIGIN } from '@tapeline/contracts/site'
import { Braces } from 'lucide-react'
import { buttonClass } from '../../ui/button-class.ts'
import { componentWords, statusWords } from './status-words.ts'

/** The platform's own measurements. All values are measured; missing ones are marked. */
export function StatusPage() {
  return (
    <div className="status" data-island="status" data-words={JSON.stringify(statusWords())}>
      <div className="site top">
        <div>
          <h1 data-part="headline">
            <Trans>Status</Trans>
          </h1>
          <p className="size-16">
            <Trans>Measured from requests and one probe per minute.</Trans> <span role="status" data-part="as-of" />
          </p>
        </div>
        <div className="end">
          <a className={buttonClass()} href={`${API_ORIGIN}/api/v1/status`}>
            <Braces className="icon" aria-hidden="true" />
            JSON
          </a>
        </div>
      </div>
      <div className="site" data-part="notice" hidden>
        <p className="banner" data-part="notice-text" />
      </div>
      <p className="site muted without-script">
        <Trans>The measurements need JavaScript. The JSON link above has the same data.</Trans>
      </p>
      <Components />
      <section className="site latency-panel">
        <Latency />
        <Promises />
      </section>
      <section className="site incidents">
        <h2>
          <Trans>Days with failures</Trans>
        </h2>
        <p className="muted">
          <Trans>Days on which a component failed to answer some requests or probes.</Trans>
        </p>
        <ol data-part="trouble">
          <li className="muted">
            <Trans>not measured</Trans>
          </li>
        </ol>
      </section>
    </div>
  )
}

function Components() {
  const words = componentWords()
  return (
    <section className="site" aria-label={t`Components`}>
      <div className="comps">
        {COMPONENTS.map((component) => (
          <div className="comp" key={component} data-component={component}>
            <div>
              <h2 data-part="name">{words[component].name}</h2>
              <p>{words[component].what}</p>
            </div>
            <div className="tape is-off" data-part="days" />
            <span className="state state-off" data-part="state">
              <Trans>not measured</Trans>
            </span>
            <span className="numeric mono" data-part="availability" />
          </div>
        ))}
        <div className="comp scale" aria-hidden="true">
          <span />
          <p className="tape-scale">
            <span>
              <Trans>today</Trans>
            </span>
            <span>
              <Trans>45 days</Trans>
            </span>
            <span>
              <Trans>90 days ago</Trans>
            </span>
          </p>
          <span />
          <span />
        </div>
      </div>
      <div className="keys row wide wrap small">
        <span className="key">
          <Trans>answered</Trans>
        </span>
        <span className="key key-server-error">
          <Trans>failed</Trans>
        </span>
        <span className="faint">
          <Trans>no bar: not measured</Trans>
        </span>
      </div>
      <details className="twin needs-script">
        <summary>
          <Trans>As a table</Trans>
        </summary>
        <div className="scroll-x" data-part="twin" />
      </details>
    </section>
  )
}

function Latency() {
  return (
    <div>
      <h2>
        <Trans>Response time, last 24 hours</Trans>
      </h2>
      <p className="muted" data-part="counted">
        <Trans>not measured</Trans>
      </p>
      <div className="histo" data-part="histogram" />
      <p className="axis" aria-hidden="true" data-part="axis" />
    </div>
  )
}

function Promises() {
  const facts = [
    { id: 'uptime', label: t`Uptime, 90 days (target: 99.9%)` },
    { id: 'p50', label: t`p50 response time` },
    { id: 'p95', label: t`p95 response time` },
    { id: 'p99', label: t`p99 response time (target: 100 ms)` },
    { id: 'requests', label: t`Requests and probes measured` },
  ]
  return (
    <div>
      <h2>
        <Trans>Service targets, measured</Trans>
      </h2>
      <dl className="facts">
        {facts.map(({ id, label }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>
              <span className="state" data-part={`${id}-verdict`} hidden />{' '}
              <span className="mono" data-part={id}>
                <Trans>not measured</Trans>
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
