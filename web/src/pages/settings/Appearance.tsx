import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { formatClock, formatDateTime } from '../../format/date.ts'
import { chooseTheme, settings, setLanguage } from '../../platform.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTheme } from '../../theme/use-theme.ts'
import { Select } from '../../ui/Input.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Choice, SettingsSection } from './Rows.tsx'
import { LANGUAGE_OPTIONS, THEME_OPTIONS } from './setting-words.ts'
import { offsetOf, zoneLabel, zoneOptions } from './time-zones.ts'

const THIS_BROWSER = new Intl.DateTimeFormat().resolvedOptions().timeZone

export function Appearance() {
  const { language } = useSettings()
  const theme = useTheme()
  return (
    <SettingsSection
      title={t`Appearance`}
      lead={t`How dates and times are displayed, and when your days begin. The API always uses UTC.`}
    >
      <Choice label={t`Theme`} options={THEME_OPTIONS} value={theme} onChoose={chooseTheme} />
      <Choice
        label={t`Language`}
        sub={t`Of these pages, mails and push notifications`}
        options={LANGUAGE_OPTIONS}
        value={LANGUAGE_OPTIONS.find(({ value }) => value === language)?.value ?? 'en'}
        onChoose={setLanguage}
      />
      <TimeZone />
    </SettingsSection>
  )
}

function TimeZone() {
  const id = useId()
  const { timezone } = useSettings()
  const nowMs = useNow()
  return (
    <>
      <div className="opt-row">
        <span>
          <label htmlFor={id}>{t`Timezone`}</label>
          <span className="sub">
            <Trans>
              now <span className="mono">{formatClock(nowMs, timezone)}</span> there
            </Trans>
          </span>
        </span>
        <Select id={id} value={timezone} onChange={(event) => settings.change({ timezone: event.currentTarget.value })}>
          {zoneOptions(timezone, THIS_BROWSER).map((zone) => (
            <option key={zone} value={zone}>
              {zoneLabel(zone, nowMs)}
            </option>
          ))}
        </Select>
      </div>
      <div className="preview">
        <p className="small muted">{t`With these settings`}</p>
        <dl>
          <div>
            <dt>{t`A request made now`}</dt>
            <dd className="mono">
              {formatDateTime(nowMs, timezone)} <span className="faint">{offsetOf(timezone, nowMs)}</span>
            </dd>
          </div>
          <div>
            <dt>{t`Requests today`}</dt>
            <dd className="mono">
              <Trans>
                since 00:00 <span className="faint">{offsetOf(timezone, nowMs)}</span>
              </Trans>
            </dd>
          </div>
        </dl>
      </div>
    </>
  )
}
