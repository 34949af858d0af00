import { settings } from '../../platform.ts'
import { useUser } from '../../session/use-session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { PushHere } from './PushHere.tsx'
import { Choice, SettingsSection, Switch } from './Rows.tsx'
import { FREQUENCY_OPTIONS } from './setting-words.ts'

export function NotificationSettings() {
  const { email } = useUser()
  const { emailNotifications, pushNotifications, notificationFrequency } = useSettings()
  return (
    <SettingsSection
      title="Notifications"
      lead="Quota at 70, 80 and 100 percent, expiring keys, a key used from a new network, trials, incidents."
    >
      <Switch
        label="Email notifications"
        sub={
          <>
            to <span className="mono">{email}</span>
          </>
        }
        isOn={emailNotifications}
        onChange={(isOn) => settings.change({ emailNotifications: isOn })}
      />
      <Switch
        label="Push notifications"
        sub="to every browser that you turned them on in"
        isOn={pushNotifications}
        onChange={(isOn) => settings.change({ pushNotifications: isOn })}
      />
      {pushNotifications && <PushHere />}
      <Choice
        label="Frequency"
        sub={
          notificationFrequency === 'immediate' ? 'One by one, as they happen' : 'All together, at your reminder hour'
        }
        options={FREQUENCY_OPTIONS}
        value={notificationFrequency}
        onChoose={(frequency) => settings.change({ notificationFrequency: frequency })}
      />
    </SettingsSection>
  )
}
