import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../format/date.ts'
import { useUser } from '../../../session/use-session.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { showToast } from '../../../ui/toasts/Toasts.tsx'
import { showDone } from '../show-done.ts'
import { VersionField } from '../VersionField.tsx'
import { whoChanged } from '../who-changed.ts'
import { configDiffQuery, configHistoryQuery, undoConfig } from './configs.queries.ts'
import { Differences } from '../Differences.tsx'
import { brokenBy } from './use-config-drafts.ts'

type ConfigHistoryPanelProps = { configKey: string; version: number }

export function ConfigHistoryPanel({ configKey, version }: ConfigHistoryPanelProps) {
  const user = useUser()
  const { timezone } = useSettings()
  const history = useQuery(configHistoryQuery(configKey))
  const [isBusy, setBusy] = useState(false)
  const changes = history.data?.changes ?? []

  async function undo(): Promise<void> {
    setBusy(true)
    try {
      await undoConfig(configKey, version)
      showDone(t`${configKey} was restored to its previous value`)
    } catch (error) {
      showToast({ type: 'error', title: t`Failed to update configuration`, message: brokenBy(error) })
    }
    setBusy(false)
  }

  if (history.isError && history.data === undefined) {
    return <ErrorPanel title={t`The history could not be loaded`} onRetry={() => void history.refetch()} />
  }
  return (
    <div className="hist config-hist">
      {changes.length > 0 && (
        <ol aria-label={t`History of ${configKey}`}>
          {changes.map((change, at) => (
            <li key={change.version}>
              <b className="medium">
                <Trans>Version {change.version}</Trans>
              </b>
              <span className="when">{formatDateTime(change.changed_at, timezone)}</span>
              <div className="more">
                <p>
                  {whoChanged(change.changed_by, user.id)}
                  {change.reason !== null && `, “${change.reason}”`}
                </p>
                <Differences changes={change.changes} />
                {at === 0 && (
                  <Button
                    size="small"
                    isBusy={isBusy}
                    icon={<Undo2 className="icon" aria-hidden="true" />}
                    onClick={() => void undo()}
                  >
                    {t`Undo`}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      {history.data !== undefined && changes.length === 0 && <p className="flag-note">{t`No changes yet.`}</p>}
      {changes.length > 0 && <Compare configKey={configKey} newest={version} />}
    </div>
  )
}

/** Compares any two versions; 0 is the default before the first stored version. */
function Compare({ configKey, newest }: { configKey: string; newest: number }) {
  const [from, setFrom] = useState(0)
  const [to, setTo] = useState(newest)
  const diff = useQuery(configDiffQuery(configKey, from, to))
  return (
    <div className="config-changes">
      <h3>{t`Compare versions`}</h3>
      <div className="two-fields">
        <VersionField
          label={t`From`}
          newest={newest}
          value={from}
          onChoose={setFrom}
          none={t`before anything was stored`}
        />
        <VersionField label={t`To`} newest={newest} value={to} onChoose={setTo} none={t`before anything was stored`} />
      </div>
      {diff.isError && <p className="muted">{diff.error.message}</p>}
      {diff.data !== undefined && <Differences changes={diff.data.changes} />}
    </div>
  )
}
