import { t } from '@lingui/core/macro'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { diffValues } from '../diff-values.ts'
import { showDone } from '../show-done.ts'
import { ConfirmChange } from '../ConfirmChange.tsx'
import { TierDifferences } from './TierDifferences.tsx'
import { pastTiersQuery, restoreTiers } from './tiers.queries.ts'

type RestoreDialogProps = { version: number; newest: TierEdition; onClose: () => void }

/** An older version as a new one. The history is kept. */
export function RestoreDialog({ version, newest, onClose }: RestoreDialogProps) {
  const past = useQuery(pastTiersQuery({ version }))
  return (
    <ConfirmChange
      title={t`Restore version ${version}`}
      action={t`Restore`}
      failure={t`The tiers could not be restored. Please try again.`}
      effects={[
        t`Every gateway enforces it within a second; the pricing page follows.`,
        t`It becomes version ${newest.version + 1}. The history is kept.`,
      ]}
      isChanged={past.data !== undefined}
      isDangerous={false}
      onConfirm={async () => {
        const saved = await restoreTiers({ version: newest.version, to: version })
        showDone(t`The tiers are as in version ${version}, now version ${saved.version}`)
      }}
      onClose={onClose}
    >
      {past.data === undefined ? (
        <p className="muted">{past.isError ? past.error.message : t`Loading differences`}</p>
      ) : (
        <TierDifferences changes={diffValues(newest.tiers, past.data.tiers)} tiers={newest.tiers} />
      )}
    </ConfirmChange>
  )
}
