import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CONTACT_TOPICS } from '@tapeline/contracts/identity/contact'
import { API_ORIGIN } from '@tapeline/contracts/site'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button-class.ts'

const MESSAGE_MAX = 5_000

export function ContactPage() {
  return (
    <div className="site prose contact">
      <h1>
        <Trans>Contact</Trans>
      </h1>
      <p className="lead">
        <Trans>
          Your message is mailed to the operator of this platform and kept for one year. The reply goes to your email
          address.
        </Trans>
      </p>
      <div className="without-script banner">
        <span>
          <Trans>The form needs JavaScript. Without it, the same call works from a shell:</Trans>{' '}
          <code className="inline">
            curl {API_ORIGIN}/api/v1/contact -H 'content-type: application/json' -d
            '&#123;"name":"…","email":"…","message":"…"&#125;'
          </code>
        </span>
      </div>
      <ContactForm />
      <p className="muted">
        <Trans>
          Report vulnerabilities in the software privately: see SECURITY.md in the repository. The response time of
          support depends on the plan:{' '}
          <a className="link" href={paths.support}>
            Support
          </a>
          .
        </Trans>
      </p>
    </div>
  )
}

function ContactForm() {
  return (
    <form
      className="stack wide needs-script"
      data-island="contact"
      data-words={JSON.stringify(contactWords())}
      noValidate
    >
      <Field name="name" label={t`Name`}>
        <input className="input tall" id="contact-name" name="name" autoComplete="name" required maxLength={80} />
      </Field>
      <Field name="email" label={t`Email`}>
        <input className="input tall" id="contact-email" name="email" type="email" autoComplete="email" required />
      </Field>
      <Field name="topic" label={t`Topic`}>
        <select className="select input tall" id="contact-topic" name="topic" defaultValue="support">
          {CONTACT_TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {topicNames()[topic]}
            </option>
          ))}
        </select>
      </Field>
      <Field name="message" label={t`Message`}>
        <textarea className="textarea" id="contact-message" name="message" rows={8} required maxLength={MESSAGE_MAX} />
      </Field>
      <div className="row wide wrap">
        <button type="submit" className={buttonClass({ variant: 'primary', size: 'large' })}>
          <Trans>Send</Trans>
        </button>
        <span className="slot" role="status" data-part="outcome" />
      </div>
      <p className="error" role="alert" data-part="failed" />
    </form>
  )
}

function Field({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={`contact-${name}`}>{label}</label>
      {children}
      <p className="error slot" id={`contact-${name}-error`} data-error={name} />
    </div>
  )
}

function topicNames(): Record<(typeof CONTACT_TOPICS)[number], string> {
  return { support: t`Support`, sales: t`Plans and prices`, security: t`Security`, other: t`Something else` }
}

function contactWords() {
  return {
    sending: t`Sending...`,
    sent: t`Your message is on its way. Thank you.`,
    failed: t`Your message could not be sent. It is still here: try again in a moment.`,
    required: t`This field is required.`,
    email: t`This is not an email address.`,
  }
}
