import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { formatClock } from '../../format/date.ts'
import { settings } from '../../platform.ts'
import { useSettings, useSettingsState } from '../../settings/use-settings.ts'
import { DEFAULTS, differenceFrom, settingNames } from '../../settings/user-settings.ts'
import { Button } from '../../ui/Button.tsx'

export function SettingsHead() {
  const { savedAtMs, beforeReset } = useSettingsState()
  const now = useSettings()
  const areDefaults = settingNames(differenceFrom(now, DEFAULTS)).length === 0
  return (
    <div className="pagebar">
      <p>
        {t`Changes are saved automatically after a second.`}
        {savedAtMs !== undefined && (
          <>
            {' '}
            <span className="faint">·</span>{' '}
            <Trans>
              last saved <span className="mono">{formatClock(savedAtMs, now.timezone)}</span>
            </Trans>
          </>
        )}
      </p>
      <div className="actions">
        {beforeReset !== undefined && <Button onClick={settings.undoReset}>{t`Undo the reset`}</Button>}
        <Button onClick={settings.reset} isDisabled={areDefaults}>
          {t`Reset to defaults`}
        </Button>
      </div>
    </div>
  )
}
