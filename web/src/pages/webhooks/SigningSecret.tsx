import { t } from '@lingui/core/macro'
import type { Webhook, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { useState } from 'react'
import { formatDateTime } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { paths } from '../../paths.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { rotateSecret } from './webhooks.queries.ts'

const VERIFY = `import { verifyWebhook } from '@tapeline/client'

const event = await verifyWebhook({ body: rawBody, headers }, secret)`

type SigningSecretProps = { endpoint: Webhook; onRotated: (rotated: WebhookWithSecret) => void }

/** Which secrets sign, and how a server verifies them. Secrets themselves are shown once, when they are made. */
export function SigningSecret({ endpoint, onRotated }: SigningSecretProps) {
  const { timezone } = useSettings()
  const nowMs = useNow()
  const [isRotating, setRotating] = useState(false)
  const { previous_secret_until: until } = endpoint
  return (
    <section className="panel" aria-labelledby="signing-secret">
      <div className="panel-head">
        <h2 id="signing-secret">{t`Signing secret`}</h2>
        {until !== null && <StateBadge tone="warn">{t`Two active secrets`}</StateBadge>}
        <span className="tools">
          <Button size="small" onClick={() => setRotating(true)}>
            {t`Rotate`}
          </Button>
        </span>
      </div>
      <dl className="panel-body key-values small">
        <dt>{until === null ? t`Secret` : t`New`}</dt>
        <dd>{t`signs every event; shown only once`}</dd>
        {until !== null && (
          <>
            <dt>{t`Old`}</dt>
            <dd>
              {t`also signs until ${formatDateTime(until, timezone)}`}{' '}
              <span className="faint">{formatAgo(until, nowMs)}</span>
            </dd>
          </>
        )}
      </dl>
      <p className="part-head">
        <b>{t`Verify an event`}</b>
        <a className="link end" href={paths.sdk}>
          {t`Clients`}
        </a>
      </p>
      <pre className="code" tabIndex={0} aria-label={t`Verify an event`}>
        {VERIFY}
      </pre>
      {isRotating && <RotateDialog endpoint={endpoint} onRotated={onRotated} onClose={() => setRotating(false)} />}
    </section>
  )
}

export function RotateDialog({ endpoint, onRotated, onClose }: SigningSecretProps & { onClose: () => void }) {
  const isOverlapping = endpoint.previous_secret_until !== null
  const text = t`From now on, events are signed with the new secret, and for 24 hours also with the old one, so that you can replace it without losing an event.`
  return (
    <ConfirmDialog
      title={t`Rotate the signing secret`}
      text={isOverlapping ? `${text} ${t`The oldest active secret also keeps signing until then.`}` : text}
      impact={endpoint.url}
      action={t`Rotate`}
      variant="primary"
      failure={t`Failed to rotate the secret. Please try again.`}
      onConfirm={async () => onRotated(await rotateSecret(endpoint.id))}
      onClose={onClose}
    />
  )
}
