import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { TierEdition, TierHistory } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { formatDateTime } from '../../../format/date.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../../ui/Skeleton.tsx'
import { Differences } from '../Differences.tsx'
import { whoChanged } from '../who-changed.ts'
import { CompareTiers } from './CompareTiers.tsx'
import { TiersAt } from './TiersAt.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { HISTORY_MAX, tierHistoryQuery } from './tiers.queries.ts'

/** Every version with its changes, author and reason; any of them can be restored. */
export function TierHistoryPanel({ newest }: { newest: TierEdition }) {
  const history = useQuery(tierHistoryQuery)
  const [restored, setRestored] = useState<number>()
  if (history.data === undefined && history.isError) {
    return (
      <section className="panel">
        <ErrorPanel
          title={t`The history could not be loaded`}
          requestId={history.error instanceof ApiError ? history.error.requestId : undefined}
          onRetry={() => void history.refetch()}
          isRetrying={history.isFetching}
        >
          {history.error.message}
        </ErrorPanel>
      </section>
    )
  }
  return (
    <div className="tier-past">
      <TiersAt newest={newest} onRestore={setRestored} />
      {newest.version > 1 && <CompareTiers newest={newest.version} />}
      <section className="panel hist tier-hist" aria-labelledby="tier-history">
        <div className="panel-head">
          <h2 id="tier-history">{t`Versions`}</h2>
        </div>
        {history.data === undefined ? (
          <Skeleton label={t`Loading the history`}>
            <div className="panel-body flag-bones">
              <Bone widthPx={280} />
              <Bone widthPx={240} />
            </div>
          </Skeleton>
        ) : (
          <Versions history={history.data} onRestore={setRestored} />
        )}
      </section>
      {restored !== undefined && (
        <RestoreDialog version={restored} newest={newest} onClose={() => setRestored(undefined)} />
      )}
    </div>
  )
}

function Versions({
  history: { editions },
  onRestore,
}: {
  history: TierHistory
  onRestore: (version: number) => void
}) {
  const user = useUser()
  const { timezone } = useSettings()
  return (
    <>
      <ol>
        {editions.map(({ version, written_by, written_at, reason, changes }, at) => (
          <li key={version}>
            <b className="medium">
              <Trans>Version {version}</Trans>
            </b>
            <span className="when">{formatDateTime(written_at, timezone)}</span>
            <div className="more">
              <p>
                {whoChanged(written_by, user.id)}
                {reason !== null && `, “${reason}”`}
              </p>
              {version === 1 ? <p>{t`The first version.`}</p> : <Differences changes={changes} />}
              {(at > 0 || version > 1) && (
                <Button
                  size="small"
                  icon={<Undo2 className="icon" aria-hidden="true" />}
                  onClick={() => onRestore(at === 0 ? version - 1 : version)}
                >
                  {at === 0 ? t`Undo` : t`Restore version ${version}`}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {editions.length === HISTORY_MAX && (
        <p className="panel-foot">
          <Trans>The newest {HISTORY_MAX} versions. Find earlier ones by date.</Trans>
        </p>
      )}
    </>
  )
}
