import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { planQuery } from '../../api/plan.queries.ts'
import { formatDate, formatDateTime } from '../../format/date.ts'
import { formatAgo, formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { KeyPrefix } from '../api-keys/KeyPrefix.tsx'
import { impactWords, type KeyUse, keyState } from '../api-keys/key-state.ts'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'
import { RegenerateDialog } from '../api-keys/RegenerateDialog.tsx'
import { keyUseQuery } from './service-keys.queries.ts'

const DAY_S = 86_400

type SecretAndLimitsProps = {
  apiKey: ApiKey
  use: KeyUse
  onRegenerated: (secret: HeldSecret) => void
}

/** Owner, limits, networks and expiry of the key. */
export function SecretAndLimits({ apiKey, use, onRegenerated }: SecretAndLimitsProps) {
  const nowMs = useNow()
  const [isRotating, setRotating] = useState(false)
  const state = keyState(apiKey, nowMs)
  return (
    <section className="panel" aria-labelledby="secret-limits">
      <div className="panel-head">
        <h2 id="secret-limits">{t`Secret and limits`}</h2>
        <StateBadge tone={state.tone}>{state.text}</StateBadge>
        <span className="tools">
          <Button
            size="small"
            icon={<RefreshCw className="icon" aria-hidden="true" />}
            isDisabled={apiKey.status === 'revoked'}
            onClick={() => setRotating(true)}
          >
            {t`Rotate (old secret works for 24 h)`}
          </Button>
        </span>
      </div>
      <div className="panel-body stack">
        <Facts apiKey={apiKey} />
        <Life apiKey={apiKey} />
      </div>
      {isRotating && (
        <RegenerateDialog
          apiKey={apiKey}
          graceSeconds={DAY_S}
          impact={impactWords(apiKey, use, nowMs)}
          onRegenerated={onRegenerated}
          onClose={() => setRotating(false)}
        />
      )}
    </section>
  )
}

function Facts({ apiKey }: { apiKey: ApiKey }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  const { last_used_at: usedAt, owner_note: owner } = apiKey
  return (
    <dl className="key-values small">
      <dt>{t`Secret`}</dt>
      <dd>
        <KeyPrefix apiKey={apiKey} />
      </dd>
      <dt>{t`Owner`}</dt>
      <dd>{owner ?? <span className="faint">{t`no owner; edit the key to name one`}</span>}</dd>
      <dt>{t`Own limit`}</dt>
      <dd>
        <OwnLimit apiKey={apiKey} />
      </dd>
      <dt>{t`Networks`}</dt>
      <dd>
        <Networks apiKey={apiKey} />
      </dd>
      <dt>{t`Last used`}</dt>
      <dd>
        {usedAt === null ? t`never` : <span title={formatDateTime(usedAt, timezone)}>{formatAgo(usedAt, nowMs)}</span>}
      </dd>
    </dl>
  )
}

/** The key's limit per minute and the account's. */
function OwnLimit({ apiKey: { rate_limits: own } }: { apiKey: ApiKey }): ReactNode {
  const account = useQuery(planQuery).data?.rate_limits.requestsPerMinute
  const ofAccount = account === undefined ? '…' : formatCount(account)
  if (own?.requestsPerMinute !== undefined) {
    return t`${formatCount(own.requestsPerMinute)} of the account’s ${ofAccount} requests a minute`
  }
  if (own !== null && Object.keys(own).length > 0) return t`custom limits, none per minute`
  return t`none: shares the account’s ${ofAccount} requests a minute`
}

function Networks({ apiKey }: { apiKey: ApiKey }) {
  const networks = useQuery(keyUseQuery(apiKey.id, 'network')).data?.rows.map(({ key }) => key)
  return (
    <>
      <span className="mono">{apiKey.networks.length === 0 ? t`any address` : apiKey.networks.join(' ')}</span>
      {networks !== undefined && networks.length > 0 && (
        <span className="faint">
          {' '}
          {t`seen in 30 days:`} <span className="mono">{networks.join(' ')}</span>
        </span>
      )}
    </>
  )
}

/** Timeline from creation to expiry, with the current time. */
function Life({ apiKey: { created_at: from, expires_at: until } }: { apiKey: ApiKey }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  const created = formatDate(from, timezone)
  if (until === null) {
    return (
      <p className="small muted">{t`Created on ${created}. It does not expire: set a date or rotate it regularly.`}</p>
    )
  }
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)]
  const share = Math.min(1, Math.max(0, (nowMs - fromMs) / Math.max(1, untilMs - fromMs)))
  const left = untilMs > nowMs ? t`expires in ${formatDuration(untilMs - nowMs)}` : t`expired`
  return (
    <div className="life">
      <p className="small muted">{t`Valid for ${formatDuration(untilMs - fromMs)}, ${left}`}</p>
      <div className="life-bar" role="img" aria-label={left} style={{ '--at': share } as CSSProperties} />
      <p className="life-ends mono">
        <span>{created}</span>
        <span>{formatDate(until, timezone)}</span>
      </p>
    </div>
  )
}
