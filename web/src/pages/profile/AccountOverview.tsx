import { Shield } from 'lucide-react'
import { formatDateTime } from '../../format/date.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { Line, Panel } from './Lines.tsx'
import { REMINDER_HOURS } from './profile-draft.ts'
import type { ProfileEdit } from './use-profile-edit.ts'

const PLAN_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const

export function AccountOverview({ user, edit }: { user: ClientUser; edit: ProfileEdit }) {
  const isActive = user.status === 'active'
  const { timezone } = useSettings()
  return (
    <Panel title="Account Overview">
      <dl className="lines">
        <Line label="Status">
          <StateBadge tone={isActive ? 'ok' : 'bad'}>{isActive ? 'Active' : user.status}</StateBadge>
        </Line>
        <Line label="Plan">{PLAN_NAMES[user.subscriptionTier]}</Line>
        <Line label="Last login">
          {user.lastLoginAt === null ? (
            <span className="t3">Never</span>
          ) : (
            <>
              <span className="mono">{formatDateTime(user.lastLoginAt, timezone)}</span>{' '}
              <span className="t3">{timezone}</span>
            </>
          )}
        </Line>
      </dl>
      {user.isSuperuser && (
        <div className="foot">
          <p className="banner admin">
            <Shield className="i" aria-hidden="true" />
            <span>
              <b className="med">Admin Access</b> <span className="t2">for flags and configuration</span>
            </span>
          </p>
        </div>
      )}
      <Reminder edit={edit} timeZone={timezone} />
    </Panel>
  )
}

function Reminder({ edit, timeZone }: { edit: ProfileEdit; timeZone: string }) {
  const { reminderEnabled, reminderTime, reminderMethod } = edit.shown
  return (
    <div className="reminder">
      <Checkbox
        checked={reminderEnabled}
        onChange={(event) => edit.change({ reminderEnabled: event.currentTarget.checked })}
      >
        Email notifications <span className="t2">A daily summary of usage and expiring keys</span>
      </Checkbox>
      {reminderEnabled && (
        <div className="sub">
          <Field label="Time">
            {(control) => (
              <Select
                {...control}
                className="mono"
                value={reminderTime}
                onChange={(event) => edit.change({ reminderTime: Number(event.currentTarget.value) })}
              >
                {REMINDER_HOURS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Method">
            {(control) => (
              <Select
                {...control}
                value={reminderMethod}
                onChange={(event) =>
                  edit.change({ reminderMethod: event.currentTarget.value === 'push' ? 'push' : 'email' })
                }
              >
                <option value="email">Email</option>
                <option value="push">Push</option>
              </Select>
            )}
          </Field>
          <p className="hint">
            By the clock of {timeZone}, which is set in{' '}
            <Link className="link" to={paths.settings}>
              Settings
            </Link>
            .
          </p>
        </div>
      )}
    </div>
  )
}
