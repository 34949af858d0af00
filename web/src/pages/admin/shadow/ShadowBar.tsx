import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { PeriodSelect } from '../replay/PeriodSelect.tsx'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { showDone } from '../show-done.ts'
import { enforceLimits, withdrawLimits } from '../tiers/tiers.queries.ts'

type Props = {
  tier: Tier
  edition: TierEdition
  days: number
  onDays: (days: number) => void
  isChanged: boolean
  isSaving: boolean
}

/** The period of the report, and what can be done with the shadow limits. */
export function ShadowBar({ tier, edition, days, onDays, isChanged, isSaving }: Props) {
  const [dialog, setDialog] = useState<'withdraw' | 'enforce'>()
  const { name } = edition.tiers[tier].display
  const isActive = edition.shadow[tier] !== undefined
  return (
    <div className="pagebar">
      <p>
        <Trans>
          Try limits of <b>{name}</b> on real requests. <b>Nothing is rejected</b> until you enforce them.
        </Trans>
      </p>
      <div className="actions">
        <PeriodSelect days={days} onDays={onDays} />
        <Button isDisabled={!isActive} onClick={() => setDialog('withdraw')}>{t`Remove`}</Button>
        <Button isDisabled={!isActive || isChanged} onClick={() => setDialog('enforce')}>{t`Enforce`}</Button>
        <Button variant="primary" type="submit" isBusy={isSaving} isDisabled={!isChanged}>
          {t`Try these limits`}
        </Button>
      </div>
      {dialog !== undefined && (
        <SettleDialog what={dialog} tier={tier} edition={edition} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}

type SettleDialogProps = { what: 'withdraw' | 'enforce'; tier: Tier; edition: TierEdition; onClose: () => void }

function SettleDialog({ what, tier, edition, onClose }: SettleDialogProps) {
  const { name } = edition.tiers[tier].display
  const failure = t`The server did not answer. Nothing was changed.`
  const settled = { tier, version: edition.version }
  if (what === 'withdraw') {
    return (
      <ConfirmChange
        title={t`Remove the shadow limits of ${name}?`}
        action={t`Remove`}
        failure={failure}
        effects={[t`Gateways stop evaluating them.`, t`Today’s limits stay.`]}
        isDangerous={false}
        onConfirm={async () => {
          await withdrawLimits(settled)
          showDone(t`Shadow limits removed`)
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmChange
      title={t`Enforce the shadow limits of ${name}?`}
      action={t`Enforce`}
      failure={failure}
      effects={[
        t`They become the limits of the tier, at every gateway, within seconds.`,
        t`The history of the tiers can restore today’s limits.`,
      ]}
      isDangerous
      onConfirm={async () => {
        await enforceLimits(settled)
        showDone(t`The limits are enforced`)
      }}
      onClose={onClose}
    />
  )
}
