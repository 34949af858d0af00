import { Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useState } from 'react'
import { useSearchParams } from '../../../router.ts'
import { Button } from '../../../ui/Button.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { UnsavedGuard } from '../../UnsavedGuard.tsx'
import { isOtherTab } from '../is-other-tab.ts'
import { proposedEdits } from './proposed-limits.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import { TierForm } from './TierForm.tsx'
import { TierHistoryPanel } from './TierHistoryPanel.tsx'
import { placeOf, TierList, type TierPlace } from './TierList.tsx'
import './tiers.css'
import { WithTiers } from './WithTiers.tsx'
import { useTierEdits } from './use-tier-edits.ts'

/** The one source of limits, prices and features: edited here, enforced by every gateway. */
export function TiersTab() {
  return <WithTiers waiting={<TiersSkeleton />}>{(newest) => <Tiers newest={newest} />}</WithTiers>
}

function Tiers({ newest }: { newest: TierEdition }) {
  const [search, setSearch] = useSearchParams()
  const [isReviewed, setReviewed] = useState(false)
  const editing = useTierEdits(newest, proposedEdits(search, newest.tiers))
  const place = placeOf(search.get('tier'))
  const count = Object.keys(editing.edits).length

  function open(next: TierPlace): void {
    setSearch({ tab: 'tiers', tier: next }, { replace: true })
  }

  function showRefused(refused: Readonly<Record<string, string>>): void {
    setReviewed(false)
    const [first] = Object.keys(refused)
    if (first === undefined || first === 'form') return
    open(placeOf(first.split('/')[1] ?? null))
    // The field may be of a tier that is shown only now.
    setTimeout(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus())
  }

  return (
    <>
      <UnsavedGuard isDirty={count > 0} isLost={isOtherTab} />
      <div className="pagebar">
        <p>
          <Trans>
            Version <b className="mono">{newest.version}</b> <span className="faint">·</span> changes apply at every
            gateway within one second
          </Trans>
        </p>
        {count > 0 && (
          <div className="actions">
            <Button isDisabled={editing.isSaving} onClick={editing.drop}>
              {t`Discard`}
            </Button>
            <Button variant="primary" onClick={() => setReviewed(true)}>
              {plural(count, { one: 'Review # change', other: 'Review # changes' })}
            </Button>
          </div>
        )}
      </div>
      <div className="config-split">
        <TierList place={place} tiers={editing.on.tiers} edits={editing.edits} errors={editing.errors} onOpen={open} />
        {place === 'history' ? (
          <TierHistoryPanel newest={newest} />
        ) : (
          <TierForm key={place} place={place} editing={editing} />
        )}
      </div>
      {isReviewed && <ReviewDialog editing={editing} onClose={() => setReviewed(false)} onRefused={showRefused} />}
    </>
  )
}

function TiersSkeleton() {
  return (
    <Skeleton label={t`Loading tiers`}>
      <section className="panel panel-body flag-bones admin-first">
        {[0, 1, 2, 3].map((row) => (
          <Bone key={row} widthPx={280} />
        ))}
      </section>
    </Skeleton>
  )
}
