import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { i18n } from '../../../language/i18n.ts'
import { formatCount } from '../../../format/number.ts'
import { LIMIT_FIELDS, type LimitField, sentNumber } from '../limit-fields.ts'

type Props = {
  tier: Tier
  tiers: readonly Tier[]
  edition: TierEdition
  proposal: Partial<Record<LimitField, string>>
  /** The highest use of each limit by one account, in a separate column. */
  highest?: Record<LimitField, number> | undefined
  onTier: (tier: Tier) => void
  onChange: (field: LimitField, text: string) => void
  /** Absent: how a replay decides. */
  foot?: string
}

/** Current limits of a tier next to proposed ones. */
export function ProposedLimits({ tier, tiers, edition, proposal, highest, onTier, onChange, foot }: Props) {
  const { rateLimits } = edition.tiers[tier]
  return (
    <section className="panel" aria-labelledby="proposed-tier">
      <div className="panel-head">
        <h2 id="proposed-tier">{t`Proposed tier`}</h2>
        {edition.accounts && (
          <span className="small muted">{t`${formatCount(edition.accounts[tier].accounts)} accounts`}</span>
        )}
        <span className="tools">
          <TierSelect tier={tier} tiers={tiers} edition={edition} onTier={onTier} />
        </span>
      </div>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Limits`}>
        <table className="table replay-limits">
          <thead>
            <tr>
              <th scope="col">{t`Limit`}</th>
              <th scope="col" className="numeric">{t`Today`}</th>
              <th scope="col" className="numeric">{t`Proposed`}</th>
              {highest && <th scope="col" className="numeric">{t`Highest use`}</th>}
              <th scope="col" className="numeric">{t`Change`}</th>
            </tr>
          </thead>
          <tbody>
            {LIMIT_FIELDS.map(({ field, label }) => {
              const name = i18n._(label)
              const change = changeOf(proposal[field], rateLimits[field])
              return (
                <tr key={field}>
                  <th scope="row">{name}</th>
                  <td className="numeric muted">{formatCount(rateLimits[field])}</td>
                  <td className="numeric">
                    <input
                      className="input mono"
                      inputMode="numeric"
                      aria-label={t`${name}, proposed`}
                      value={proposal[field] ?? String(rateLimits[field])}
                      onChange={({ target }) => onChange(field, target.value)}
                    />
                  </td>
                  {highest && <td className="numeric">{formatCount(highest[field])}</td>}
                  <td className={change.startsWith('−') ? 'numeric is-less' : 'numeric faint'}>{change}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className="panel-foot">
        {foot ?? t`Every counted request is replayed at its original time with the limiter’s algorithm.`}
      </p>
    </section>
  )
}

function changeOf(text: string | undefined, today: number): string {
  const value = text === undefined ? today : sentNumber(text)
  if (typeof value !== 'number' || value === today) return t`same`
  return value < today ? `−${formatCount(today - value)}` : `+${formatCount(value - today)}`
}

function TierSelect({ tier, tiers, edition, onTier }: Pick<Props, 'tier' | 'tiers' | 'edition' | 'onTier'>) {
  return (
    <select
      className="select"
      aria-label={t`Tier`}
      value={tier}
      onChange={({ target }) => onTier(tiers.find((one) => one === target.value) ?? tier)}
    >
      {tiers.map((one) => (
        <option key={one} value={one}>
          {edition.tiers[one].display.name}
        </option>
      ))}
    </select>
  )
}
