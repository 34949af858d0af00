import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { settings } from '../../platform.ts'
import { useSettingsState } from '../../settings/use-settings.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Waiting } from '../../ui/Skeleton.tsx'
import { Appearance } from './Appearance.tsx'
import { DashboardSettings } from './DashboardSettings.tsx'
import { NotificationSettings } from './NotificationSettings.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SettingsHead } from './SettingsHead.tsx'
import './settings.css'

/** Specification §2: every change applies at once and is saved automatically a second later. */
export function SettingsPage() {
  const { saved, failure } = useSettingsState()
  useEffect(() => {
    // Another tab may have saved in the meantime.
    void settings.load()
  }, [])
  if (saved === undefined && failure === undefined) {
    return (
      <div className="settings-waiting">
        <Waiting label={t`Loading settings...`} />
        <p className="muted">{t`Loading settings...`}</p>
      </div>
    )
  }
  if (saved === undefined) {
    return (
      <section className="panel settings-failed">
        <ErrorPanel
          title={t`Failed to load settings`}
          requestId={failure?.requestId}
          onRetry={() => void settings.load()}
        >
          {failure?.status === 0 ? t`API not available` : failure?.message}{' '}
          {t`The defaults apply until they are loaded.`}
        </ErrorPanel>
      </section>
    )
  }
  return (
    <div className="settings">
      <SettingsHead />
      <Appearance />
      <DashboardSettings />
      <NotificationSettings />
      <SaveBar />
    </div>
  )
}
