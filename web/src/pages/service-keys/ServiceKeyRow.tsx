import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { formatAgo } from '../../format/duration.ts'
import { formatShortCount } from '../../format/number.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { GraceLine } from '../api-keys/GraceLine.tsx'
import { keyState } from '../api-keys/key-state.ts'
import { KeyActions } from '../api-keys/KeyActions.tsx'
import { KeyHour } from '../api-keys/KeyCard.tsx'
import { KeyPrefix } from '../api-keys/KeyPrefix.tsx'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'

type ServiceKeyRowProps = {
  apiKey: ApiKey
  keyCount: number
  usage: UsageRow | undefined
  onRegenerated: (secret: HeldSecret) => void
}

export function ServiceKeyRow({ apiKey, keyCount, usage, onRegenerated }: ServiceKeyRowProps) {
  const nowMs = useNow()
  const state = keyState(apiKey, nowMs)
  const { networks, last_used_at: usedAt } = apiKey
  return (
    <article className={state.isOff ? 'service-key keyrow is-off' : 'service-key keyrow'} aria-label={apiKey.name}>
      <div className="id">
        <h2 className="clip">{apiKey.name}</h2>
        <p className="small muted clip">{apiKey.description ?? <span className="faint">{t`No description`}</span>}</p>
        {apiKey.owner_note !== null && <p className="small muted clip">{t`Owner: ${apiKey.owner_note}`}</p>}
        <KeyPrefix apiKey={apiKey} />
      </div>
      <div className="small permissions">
        <p className="mono">{apiKey.scopes.join(' ')}</p>
        <p className="faint mono clip">{networks.length === 0 ? t`any address` : networks.join(', ')}</p>
      </div>
      <KeyHour keyId={apiKey.id} keyCount={keyCount} isOff={state.isOff} />
      <div className="numeric">
        <span className="sr-only">{t`Requests in 30 days`} </span>
        {formatShortCount(usage?.total ?? 0)}
      </div>
      <div className="small last-use">
        <StateBadge tone={state.tone}>{state.text}</StateBadge>
        <p className="faint">{usedAt === null ? t`never used` : t`used ${formatAgo(usedAt, nowMs)}`}</p>
      </div>
      <KeyActions apiKey={apiKey} usage={usage} onRegenerated={onRegenerated} />
      <GraceLine apiKey={apiKey} />
    </article>
  )
}
