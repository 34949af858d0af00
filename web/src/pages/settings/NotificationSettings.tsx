import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { settings } from '../../platform.ts'
import { useUser } from '../../session/use-session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { BrowserPushField } from './BrowserPushField.tsx'
import { Choice, SettingsSection, Switch } from './Rows.tsx'
import { FREQUENCY_OPTIONS } from './setting-words.ts'

export function NotificationSettings() {
  const { email } = useUser()
  const { emailNotifications, pushNotifications, notificationFrequency } = useSettings()
  return (
    <SettingsSection
      title={t`Notifications`}
      lead={t`Quota at 70, 80 and 100 percent, your own alerts, expiring and leaked keys, a key used from a new network, trials.`}
    >
      <Switch
        label={t`Email notifications`}
        sub={
          <>
            <Trans>
              to <span className="mono">{email}</span>
            </Trans>
          </>
        }
        isOn={emailNotifications}
        onChange={(isOn) => settings.change({ emailNotifications: isOn })}
      />
      <Switch
        label={t`Push notifications`}
        sub={t`to every browser in which you turned them on`}
        isOn={pushNotifications}
        onChange={(isOn) => settings.change({ pushNotifications: isOn })}
      />
      {pushNotifications && <BrowserPushField />}
      <Choice
        label={t`Frequency`}
        sub={
          notificationFrequency === 'immediate' ? t`One by one, as they happen` : t`All together, at your reminder hour`
        }
        options={FREQUENCY_OPTIONS}
        value={notificationFrequency}
        onChoose={(frequency) => settings.change({ notificationFrequency: frequency })}
      />
    </SettingsSection>
  )
}
