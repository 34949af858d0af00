import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
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
    <Panel title={t`Account Overview`}>
      <dl className="lines">
        <Line label={t`Status`}>
          <StateBadge tone={isActive ? 'ok' : 'bad'}>{isActive ? t`Active` : user.status}</StateBadge>
        </Line>
        <Line label={t`Plan`}>{PLAN_NAMES[user.subscriptionTier]}</Line>
        <Line label={t`Last login`}>
          {user.lastLoginAt === null ? (
            <span className="faint">{t`Never`}</span>
          ) : (
            <>
              <span className="mono">{formatDateTime(user.lastLoginAt, timezone)}</span>{' '}
              <span className="faint">{timezone}</span>
            </>
          )}
        </Line>
      </dl>
      {user.isSuperuser && (
        <div className="foot">
          <p className="banner admin">
            <Shield className="icon" aria-hidden="true" />
            <span>
              <b className="medium">{t`Admin Access`}</b>{' '}
              <span className="muted">{t`for flags and configuration`}</span>
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
        <Trans>
          Email notifications <span className="muted">A daily summary of usage and expiring keys</span>
        </Trans>
      </Checkbox>
      {reminderEnabled && (
        <div className="sub">
          <Field label={t`Time`}>
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
          <Field label={t`Method`}>
            {(control) => (
              <Select
                {...control}
                value={reminderMethod}
                onChange={(event) =>
                  edit.change({ reminderMethod: event.currentTarget.value === 'push' ? 'push' : 'email' })
                }
              >
                <option value="email">{t`Email`}</option>
                <option value="push">{t`Push`}</option>
              </Select>
            )}
          </Field>
          <p className="hint">
            <Trans>
              In {timeZone}, the time zone from your{' '}
              <Link className="link" to={paths.settings}>
                Settings
              </Link>
              .
            </Trans>
          </p>
        </div>
      )}
    </div>
  )
}
