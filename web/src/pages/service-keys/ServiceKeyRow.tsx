import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { formatAgo } from '../../format/duration.ts'
import { formatShortCount } from '../../format/number.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { GraceLine } from '../api-keys/GraceLine.tsx'
import { type KeyUse, keyState } from '../api-keys/key-state.ts'
import { KeyActions } from '../api-keys/KeyActions.tsx'
import { KeyHour } from '../api-keys/KeyCard.tsx'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'

const SCOPES_SHOWN = 2

type ServiceKeyRowProps = {
  apiKey: ApiKey
  keyCount: number
  use: KeyUse
  isChosen: boolean
  onChoose: () => void
  onRegenerated: (secret: HeldSecret) => void
}

export function ServiceKeyRow({ apiKey, keyCount, use, isChosen, onChoose, onRegenerated }: ServiceKeyRowProps) {
  const nowMs = useNow()
  const state = keyState(apiKey, nowMs)
  const { networks, scopes, last_used_at: usedAt } = apiKey
  const more = scopes.length - SCOPES_SHOWN
  return (
    <article
      className={`service-key keyrow ${state.isOff ? 'is-off' : ''} ${isChosen ? 'is-chosen' : ''}`}
      aria-label={apiKey.name}
    >
      <div className="id">
        <h2 className="clip">
          <button type="button" className="link" aria-pressed={isChosen} onClick={onChoose}>
            {apiKey.name}
          </button>
        </h2>
        <p className="small muted clip">{apiKey.description ?? <span className="faint">{t`No description`}</span>}</p>
      </div>
      <div className="small owner clip">
        <span className="sr-only">{t`Owner`} </span>
        {apiKey.owner_note ?? <span className="faint">{t`no owner`}</span>}
      </div>
      <div className="small permissions">
        <p className="mono clip" title={scopes.join(' ')}>
          {scopes.slice(0, SCOPES_SHOWN).join(' ')}
          {more > 0 && ` +${more}`}
        </p>
        <p className="faint mono clip" title={networks.join(' ')}>
          {networks.length === 0 ? t`any address` : networks.join(', ')}
        </p>
      </div>
      <KeyHour keyId={apiKey.id} keyCount={keyCount} isOff={state.isOff} />
      <div className="numeric">
        <span className="sr-only">{t`Requests in 30 days`} </span>
        {use === undefined ? '–' : formatShortCount(use.total)}
      </div>
      <div className="small last-use">
        <StateBadge tone={state.tone}>{state.text}</StateBadge>
        <p className="faint">{usedAt === null ? t`never used` : t`used ${formatAgo(usedAt, nowMs)}`}</p>
      </div>
      <KeyActions apiKey={apiKey} use={use} onRegenerated={onRegenerated} />
      <GraceLine apiKey={apiKey} />
    </article>
  )
}
