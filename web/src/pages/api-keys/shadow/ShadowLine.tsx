import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../format/number.ts'
import { Button } from '../../../ui/Button.tsx'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { keyShadowQuery } from './key-shadow.queries.ts'
import { TryLimitsDialog } from './TryLimitsDialog.tsx'

/** While a key has shadow limits: what they would have rejected, and the way to the report. */
export function ShadowLine({ apiKey }: { apiKey: ApiKey }) {
  const [isOpen, setOpen] = useState(false)
  const { shadow_limits: shadow } = apiKey
  const { data } = useQuery({ ...keyShadowQuery(shadow?.id ?? ''), enabled: shadow !== undefined })
  if ((shadow === undefined || apiKey.status === 'revoked') && !isOpen) return null
  return (
    <>
      {shadow !== undefined && (
        <div className="key-shadow-line">
          <StateBadge tone="warn">{t`Shadow limits`}</StateBadge>
          <span className="mono">
            {data === undefined
              ? ''
              : t`${formatCount(data.would_be_rejected)} of ${formatCount(data.requests)} requests would be rejected`}
          </span>
          <Button size="small" onClick={() => setOpen(true)}>
            {t`Show details`}
          </Button>
        </div>
      )}
      {isOpen && <TryLimitsDialog apiKey={apiKey} onClose={() => setOpen(false)} />}
    </>
  )
}
