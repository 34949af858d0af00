import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from '../../../router.ts'
import { Button } from '../../../ui/Button.tsx'
import { LIMIT_FIELDS, sentNumber } from '../limit-fields.ts'
import { proposalSearch } from '../tiers/proposed-limits.ts'
import { WithTiers } from '../tiers/WithTiers.tsx'
import './replay.css'
import { startReplay, useReplay } from './replay.queries.ts'
import { DAYS_DEFAULT, PeriodSelect } from './PeriodSelect.tsx'
import { ProposedLimits } from './ProposedLimits.tsx'
import { ReplayState } from './ReplayState.tsx'

const DAY_MS = 86_400_000

/** What a tier's limits would have done with the requests of the last days. */
export function ReplayTab() {
  return <WithTiers>{(edition) => <Replay edition={edition} />}</WithTiers>
}

type Proposal = Partial<Record<keyof RateLimits, string>>

function Replay({ edition }: { edition: TierEdition }) {
  const [search, setSearch] = useSearchParams()
  const [tier, setTier] = useState<Tier>('pro')
  const [days, setDays] = useState(DAYS_DEFAULT)
  const [proposal, setProposal] = useState<Proposal>({})
  const [error, setError] = useState<string>()
  const [isStarting, setStarting] = useState(false)
  const id = search.get('replay')
  const { data: replay } = useReplay(id)
  const { name } = edition.tiers[tier].display
  const changed = changedLimits(proposal, edition.tiers[tier].rateLimits)

  async function start(event: FormEvent): Promise<void> {
    event.preventDefault()
    setStarting(true)
    setError(undefined)
    try {
      const started = await startReplay({ tier: { name: tier, rateLimits: changed }, ...lastDays(days) })
      setSearch({ tab: 'replay', replay: started.id }, { replace: true })
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setStarting(false)
    }
  }

  return (
    <form onSubmit={(event) => void start(event)} noValidate>
      <ReplayBar
        name={name}
        days={days}
        onDays={setDays}
        onPropose={Object.keys(changed).length === 0 ? undefined : () => setSearch(proposalSearch(tier, changed))}
        onReset={Object.keys(proposal).length === 0 ? undefined : () => setProposal({})}
        isStarting={isStarting}
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
          highest={replay?.tier.name === tier ? replay.result?.highest : undefined}
          onTier={(next) => {
            setTier(next)
            setProposal({})
          }}
          onChange={(field, text) => setProposal({ ...proposal, [field]: text })}
        />
        <ReplayState id={id} />
      </div>
    </form>
  )
}

/** Only limits that differ from the current ones; the others stay as recorded. */
function changedLimits(proposal: Proposal, today: RateLimits): Record<string, number | string> {
  const changed: Record<string, number | string> = {}
  for (const { field } of LIMIT_FIELDS) {
    const value = sentNumber(proposal[field] ?? '')
    if (value !== null && value !== today[field]) changed[field] = value
  }
  return changed
}

function lastDays(days: number): { from: string; to: string } {
  const to = new Date()
  return { from: new Date(to.getTime() - days * DAY_MS).toISOString(), to: to.toISOString() }
}

type BarProps = {
  name: string
  days: number
  onDays: (days: number) => void
  onReset: (() => void) | undefined
  onPropose: (() => void) | undefined
  isStarting: boolean
}

function ReplayBar({ name, days, onDays, onReset, onPropose, isStarting }: BarProps) {
  return (
    <div className="pagebar">
      <p>
        <Trans>
          What <b>{name}</b> would have done with recorded requests. <b>Nothing is changed.</b>
        </Trans>
      </p>
      <div className="actions">
        <PeriodSelect days={days} onDays={onDays} />
        <Button isDisabled={onReset === undefined} onClick={() => onReset?.()}>
          {t`Back to today’s limits`}
        </Button>
        <Button isDisabled={onPropose === undefined} onClick={() => onPropose?.()}>
          {t`Propose this change`}
        </Button>
        <Button variant="primary" type="submit" isDisabled={isStarting}>
          {t`Replay`}
        </Button>
      </div>
    </div>
  )
}
