import { t } from '@lingui/core/macro'
import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useSearchParams } from '../../../router.ts'
import { LIMIT_FIELDS, type LimitField, sentNumber } from '../limit-fields.ts'
import { DAYS_DEFAULT } from '../replay/PeriodSelect.tsx'
import { ProposedLimits } from '../replay/ProposedLimits.tsx'
import '../replay/replay.css'
import { showDone } from '../show-done.ts'
import { proposeLimits, readTiersAgain } from '../tiers/tiers.queries.ts'
import { WithTiers } from '../tiers/WithTiers.tsx'
import { ShadowBar } from './ShadowBar.tsx'
import { ShadowState } from './ShadowState.tsx'

/** Limits that are tried on real traffic before they are enforced. */
export function ShadowTab() {
  return <WithTiers>{(edition) => <Shadow edition={edition} />}</WithTiers>
}

type Typed = Partial<Record<LimitField, string>>

function Shadow({ edition }: { edition: TierEdition }) {
  const [search, setSearch] = useSearchParams()
  const [days, setDays] = useState(DAYS_DEFAULT)
  const [typed, setTyped] = useState<Typed>({})
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const tier = TIERS.find((one) => one === search.get('tier')) ?? firstWithShadow(edition)
  const shadow = edition.shadow[tier]
  const proposal = { ...textsOf(shadow?.rateLimits), ...typed }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSaving(true)
    setError(undefined)
    try {
      const rateLimits = entered(proposal, edition.tiers[tier].rateLimits)
      await proposeLimits({ tier, version: edition.version, rateLimits })
      setTyped({})
      showDone(t`Shadow limits saved`)
    } catch (cause) {
      const isConflict = cause instanceof ApiError && cause.status === 409
      setError(messageOf(isConflict ? await readAgainAfter(cause) : cause))
    } finally {
      setSaving(false)
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <ShadowBar
        tier={tier}
        edition={edition}
        days={days}
        onDays={setDays}
        isChanged={Object.keys(typed).length > 0}
        isSaving={isSaving}
      />
      {error !== undefined && (
        <p className="banner banner-bad" role="alert">
          {error}
        </p>
      )}
      <div className="replay-tiers">
        <ProposedLimits
          tier={tier}
          tiers={TIERS}
          edition={edition}
          proposal={proposal}
          onTier={(next) => {
            setTyped({})
            setSearch({ tab: 'shadow', tier: next }, { replace: true })
          }}
          onChange={(field, text) => setTyped({ ...typed, [field]: text })}
          foot={t`Gateways evaluate each request against both; only today’s limits are enforced. Accounts with custom limits are excluded.`}
        />
        <ShadowState shadow={shadow} days={days} />
      </div>
    </form>
  )
}

/** Reads the version of another user; the conflict, or what prevented the reading. */
async function readAgainAfter(conflict: ApiError): Promise<unknown> {
  try {
    await readTiersAgain()
    return conflict
  } catch (cause) {
    return cause
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function firstWithShadow({ shadow }: TierEdition): Tier {
  return TIERS.find((tier) => shadow[tier] !== undefined) ?? 'pro'
}

function textsOf(limits: Partial<Record<LimitField, number>> | undefined): Typed {
  if (limits === undefined) return {}
  return Object.fromEntries(LIMIT_FIELDS.map(({ field }) => [field, String(limits[field])]))
}

function entered(proposal: Typed, today: Record<LimitField, number>): Record<string, number | string> {
  return Object.fromEntries(
    LIMIT_FIELDS.map(({ field }) => [field, sentNumber(proposal[field] ?? String(today[field])) ?? '']),
  )
}
