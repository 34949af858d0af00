import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useQuery } from '@tanstack/react-query'
import { formatDate, formatDateTime } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { formatShortCount } from '../../format/number.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { placeholderSlots, Tape } from '../../ui/Tape.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { keyHourQuery } from './key-usage.queries.ts'
import { GraceLine } from './GraceLine.tsx'
import type { HeldSecret } from './new-key/hold-secret.ts'
import { hourTape } from './hour-tape.ts'
import { KeyActions } from './KeyActions.tsx'
import { KeyPrefix } from './KeyPrefix.tsx'
import { type KeyUse, keyState } from './key-state.ts'
import { KeySwitch } from './KeySwitch.tsx'
import { ShadowLine } from './shadow/ShadowLine.tsx'

const TAPE_HEIGHT_PX = 44
const MINUTES = 60

type KeyCardProps = {
  apiKey: ApiKey
  keyCount: number
  use: KeyUse
  onRegenerated: (secret: HeldSecret) => void
}

export function KeyCard({ apiKey, keyCount, use, onRegenerated }: KeyCardProps) {
  const state = keyState(apiKey, useNow())
  const { timezone } = useSettings()
  const count = (value: number | undefined) => (value === undefined ? '–' : formatShortCount(value))
  return (
    <article className={state.isOff ? 'keyrow is-off' : 'keyrow'} aria-label={apiKey.name}>
      <div className="id">
        <div className="keyname">
          <h2 className="clip">{apiKey.name}</h2>
          <StateBadge tone={state.tone}>{state.text}</StateBadge>
        </div>
        <KeyPrefix apiKey={apiKey} />
        {apiKey.tags.length > 0 && (
          <ul className="key-tags" aria-label={t`Tags`}>
            {apiKey.tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        )}
      </div>
      <KeyHour keyId={apiKey.id} keyCount={keyCount} isOff={state.isOff} />
      <div className="numeric" data-k={t`Total`} data-testid="total">
        <span className="sr-only">{t`Total requests`} </span>
        {count(use?.total)}
      </div>
      <div className="numeric" data-k={t`Success`}>
        <span className="sr-only">{t`Successful requests`} </span>
        {count(use?.success)}
      </div>
      <div className="numeric" data-k={t`Failed`}>
        <span className="sr-only">{t`Failed requests`} </span>
        {count(use?.failed)}
      </div>
      <KeySwitch apiKey={apiKey} />
      <KeyActions apiKey={apiKey} use={use} onRegenerated={onRegenerated} />
      <p className="desc clip">{apiKey.description ?? <span className="faint">{t`No description`}</span>}</p>
      <p className="meta">
        <span>
          <Trans>
            Created <b>{formatDate(apiKey.created_at, timezone)}</b>
          </Trans>
        </span>
        <LastUsed use={use} />
        <span>
          {t`Expires`} <b>{apiKey.expires_at === null ? t`never` : formatDateTime(apiKey.expires_at, timezone)}</b>
        </span>
      </p>
      <ShadowLine apiKey={apiKey} />
      <GraceLine apiKey={apiKey} />
    </article>
  )
}

function LastUsed({ use }: { use: KeyUse }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  if (use === undefined) return <span>{t`Last used –`}</span>
  const { last_at: at } = use
  if (at === null) return <span>{t`Not used in 30 days`}</span>
  return (
    <span>
      <Trans>
        Last used <b title={formatDateTime(at, timezone)}>{formatAgo(at, nowMs)}</b>
      </Trans>
    </span>
  )
}

/** The key's requests of the last 60 minutes. */
export function KeyHour({ keyId, keyCount, isOff }: { keyId: string; keyCount: number; isOff: boolean }) {
  const hour = useQuery(keyHourQuery(keyId, keyCount))
  if (hour.data === undefined) {
    const label = hour.isError ? t`The last 60 minutes could not be loaded` : t`Loading the last 60 minutes`
    return (
      <div className="key-tape">
        <Tape label={label} slots={placeholderSlots(MINUTES)} isOff heightPx={TAPE_HEIGHT_PX} />
        <p className="tape-scale">
          <span className="middle">{hour.isError ? t`not loaded` : ''}</span>
        </p>
      </div>
    )
  }
  const tape = hourTape(hour.data.series)
  return (
    <div className="key-tape">
      <Tape label={tape.label} slots={tape.slots} isOff={isOff} heightPx={TAPE_HEIGHT_PX} />
      <p className="tape-scale">
        <span className={isOff ? 'plain' : undefined}>{t`now`}</span>
        <span className="middle">
          <span className={tape.isIdle ? undefined : 'muted'}>{tape.summary}</span>
        </span>
        <span>{t`60 min ago`}</span>
      </p>
    </div>
  )
}
