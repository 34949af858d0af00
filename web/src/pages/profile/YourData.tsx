import { t } from '@lingui/core/macro'
import type { AccountExport } from '@tapeline/contracts/identity/account-deletion'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { formatDateTime } from '../../format/date.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { DeleteAccountDialog } from './dialogs.tsx'
import { Line, Panel } from './Lines.tsx'
import { exportQuery, readExport, requestExport } from './profile.queries.ts'

const FILE_NAME = 'tapeline-account.json'

/** Data export and account deletion. */
export function YourData() {
  const { timezone } = useSettings()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <Panel title={t`Your data`}>
      <dl className="lines">
        <ExportLine timeZone={timezone} />
        <Line
          label={t`Account`}
          action={
            <Button size="small" onClick={() => setConfirming(true)}>
              {t`Delete account`}
            </Button>
          }
        >
          <span className="muted">{t`Closed immediately, deleted after seven days`}</span>
        </Line>
      </dl>
      {isConfirming && <DeleteAccountDialog timeZone={timezone} onClose={() => setConfirming(false)} />}
    </Panel>
  )
}

function ExportLine({ timeZone }: { timeZone: string }) {
  const [isRequested, setRequested] = useState(false)
  const newest = useQuery({ ...exportQuery, enabled: isRequested }).data ?? null
  const [isBusy, setBusy] = useState(false)
  const isReady = newest?.state === 'ready'

  async function press(): Promise<void> {
    setBusy(true)
    try {
      if (isReady)
        saveFile(FILE_NAME, new Blob([JSON.stringify(await readExport(), null, 2)], { type: 'application/json' }))
      else await requestExport()
      setRequested(true)
    } catch (error) {
      const message = error instanceof ApiError ? error.message : t`Please try again.`
      showToast({ type: 'error', title: isReady ? t`The download failed` : t`The export was not started`, message })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Line
      label={t`Export`}
      action={
        <Button size="small" isBusy={isBusy || newest?.state === 'running'} onClick={() => void press()}>
          {isReady ? t`Download` : t`Export my data`}
        </Button>
      }
    >
      <span className="muted" aria-live="polite">
        {wordsFor(newest, timeZone)}
      </span>
    </Line>
  )
}

function wordsFor(newest: AccountExport | null, timeZone: string): string {
  switch (newest?.state) {
    case undefined:
      return t`One file with your profile, sessions, plan, settings, API keys and 90 days of usage`
    case 'running':
      return t`In preparation; you receive an email when it is ready`
    case 'failed':
      return t`The last one failed. Please try again`
    case 'ready':
      return newest.expires_at === null ? t`Ready` : t`Ready until ${formatDateTime(newest.expires_at, timeZone)}`
  }
}
