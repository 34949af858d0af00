import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useState } from 'react'
import { formatDateTime } from '../../format/date.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { endOldSecret } from './send-key-changes.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { twoSecretsOf } from './secret-use.ts'

/** While a replaced secret still works: both secrets, each with its last use, and the way to end the old one. */
export function GraceLine({ apiKey }: { apiKey: ApiKey }) {
  const { timezone } = useSettings()
  const [isConfirming, setConfirming] = useState(false)
  const secrets = twoSecretsOf(apiKey, useNow())
  if (secrets === undefined) return null
  const { current, old } = secrets
  return (
    <>
      <div className="grace">
        <StateBadge tone="warn">{t`Old secret still works`}</StateBadge>
        <dl>
          <div>
            <dt>{t`New`}</dt>
            <dd>
              <code>{current.prefix}…</code>
            </dd>
            <dd>{current.use}</dd>
          </div>
          <div>
            <dt>{t`Old`}</dt>
            <dd>
              <code>{old.prefix}…</code>
            </dd>
            <dd>
              {old.use}
              {', '}
              <Trans>ends {formatDateTime(old.until, timezone)}</Trans>
            </dd>
          </div>
        </dl>
        <Button size="small" onClick={() => setConfirming(true)}>
          {t`End the old secret now`}
        </Button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t`End the old secret of ${apiKey.name} now?`}
          text={t`Requests with this key are rejected as soon as you confirm. This cannot be undone.`}
          impact={
            <>
              <code>{old.prefix}…</code> {old.use}
            </>
          }
          action={t`End the old secret`}
          keep={t`Keep the old secret`}
          failure={t`Failed to end the old secret. Please try again.`}
          done={t`The old secret of ${apiKey.name} has ended`}
          onConfirm={() => endOldSecret(apiKey.id)}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
