import { t } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import type { FlagChange, FlagHistory } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { formatDateTime } from '../../../format/date.ts'
import { formatCount } from '../../../format/number.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { ConflictDialog } from '../ConflictDialog.tsx'
import { SidePanel } from '../SidePanel.tsx'
import { showDone } from '../show-done.ts'
import { whoChanged } from '../who-changed.ts'
import { describeChange } from './describe-change.ts'
import { mayChange } from './flag-groups.ts'
import { flagHistoryQuery, reachQuery, readFlagAgain, undoFlag } from './flags.queries.ts'
import { isConflict } from './use-flag-switch.ts'

type FlagHistoryPanelProps = { flagId: string; reader: Role; onClose: () => void }

export function FlagHistoryPanel({ flagId, reader, onClose }: FlagHistoryPanelProps) {
  const history = useQuery(flagHistoryQuery(flagId))
  const { undo, isBusy, conflict, dropConflict } = useUndo(flagId)
  const flag = history.data?.flag
  return (
    <SidePanel title={flag?.flag_key ?? t`History`} isCode closeLabel={t`Close history`} onClose={onClose}>
      <HistoryFailure flagId={flagId} />
      {flag !== undefined && <Reach flag_key={flag.flag_key} role={flag.role} rollout_percent={flag.rollout_percent} />}
      {history.data !== undefined && (
        <Changes history={history.data} reader={reader} isBusy={isBusy} onUndo={(version) => void undo(version)} />
      )}
      <p className="panel-foot">{footerText(history.data)}</p>
      {conflict !== undefined && (
        <ConflictDialog
          name={flag?.flag_key ?? t`The flag`}
          conflict={conflict}
          onTakeTheirs={() => {
            dropConflict()
            void readFlagAgain(flagId)
          }}
        />
      )}
    </SidePanel>
  )
}

function footerText(history: FlagHistory | undefined): string {
  return history?.changes.length === 0 ? t`No changes yet.` : t`Every change is recorded with its author and reason.`
}

type ChangesProps = { history: FlagHistory; reader: Role; isBusy: boolean; onUndo: (version: number) => void }

function Changes({ history: { flag, changes }, reader, isBusy, onUndo }: ChangesProps) {
  if (changes.length === 0) return null
  return (
    <ol>
      {changes.map((change, at) => (
        <Change key={change.version} change={change}>
          {at === 0 && mayChange(reader, flag.role) && (
            <Button
              size="small"
              isBusy={isBusy}
              icon={<Undo2 className="icon" aria-hidden="true" />}
              onClick={() => onUndo(change.version)}
            >
              {t`Undo`}
            </Button>
          )}
        </Change>
      ))}
    </ol>
  )
}

function HistoryFailure({ flagId }: { flagId: string }) {
  const history = useQuery(flagHistoryQuery(flagId))
  if (!history.isError || history.data !== undefined) return null
  return (
    <ErrorPanel
      title={t`The history could not be loaded`}
      requestId={history.error instanceof ApiError ? history.error.requestId : undefined}
      onRetry={() => void history.refetch()}
      isRetrying={history.isFetching}
    >
      {history.error.message}
    </ErrorPanel>
  )
}

function useUndo(flagId: string) {
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<ApiError>()

  async function undo(version: number): Promise<void> {
    setBusy(true)
    try {
      const flag = await undoFlag(flagId, version)
      showDone(t`${flag.flag_key} was restored to its previous value`)
    } catch (error) {
      if (isConflict(error)) setConflict(error)
      else
        showToast({
          type: 'error',
          title: t`Failed to update feature flag`,
          message: error instanceof Error ? error.message : String(error),
        })
    }
    setBusy(false)
  }

  return { undo, isBusy, conflict, dropConflict: () => setConflict(undefined) }
}

function Reach(reach: { flag_key: string; role: Role; rollout_percent: number }) {
  const { data } = useQuery(reachQuery(reach))
  return (
    <dl className="blast">
      <dt>{t`Accounts it applies to when on`}</dt>
      <dd className="mono">{data === undefined ? '–' : t`${formatCount(data.accounts)} of ${formatCount(data.of)}`}</dd>
    </dl>
  )
}

function Change({ change, children }: { change: FlagChange; children: ReactNode }) {
  const user = useUser()
  const { timezone } = useSettings()
  const { title, details } = describeChange(change, timezone)
  return (
    <li>
      <b className="medium">{title}</b>
      <span className="when">{formatDateTime(change.changed_at, timezone)}</span>
      <div className="more">
        <p>
          {whoChanged(change.changed_by, user.id)}
          {change.reason !== null && `, “${change.reason}”`}
        </p>
        {details.map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
        {children}
      </div>
    </li>
  )
}
