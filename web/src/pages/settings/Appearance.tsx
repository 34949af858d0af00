import { useId } from 'react'
import { formatClock, formatDateTime } from '../../format/date.ts'
import { chooseTheme, settings } from '../../platform.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTheme } from '../../theme/use-theme.ts'
import { Select } from '../../ui/Input.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Choice, SettingsSection } from './Rows.tsx'
import { LANGUAGE_OPTIONS, THEME_OPTIONS } from './setting-words.ts'
import { offsetOf, zoneLabel, zoneOptions } from './time-zones.ts'

const HERE = new Intl.DateTimeFormat().resolvedOptions().timeZone

export function Appearance() {
  const { language } = useSettings()
  const theme = useTheme()
  return (
    <SettingsSection
      title="Appearance"
      lead="How dates and times look to you, and where your days begin. The API always answers in UTC."
    >
      <Choice label="Theme" options={THEME_OPTIONS} value={theme} onChoose={chooseTheme} />
      <Choice
        label="Language"
        sub="Of mails and pushes; these pages are in English so far"
        options={LANGUAGE_OPTIONS}
        value={LANGUAGE_OPTIONS.find(({ value }) => value === language)?.value ?? 'en'}
        onChoose={(chosen) => settings.change({ language: chosen })}
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
          <label htmlFor={id}>Timezone</label>
          <span className="sub">
            now <span className="mono">{formatClock(nowMs, timezone)}</span> there
          </span>
        </span>
        <Select id={id} value={timezone} onChange={(event) => settings.change({ timezone: event.currentTarget.value })}>
          {zoneOptions(timezone, HERE).map((zone) => (
            <option key={zone} value={zone}>
              {zoneLabel(zone, nowMs)}
            </option>
          ))}
        </Select>
      </div>
      <div className="preview">
        <p className="t13 t2">With these settings</p>
        <dl>
          <div>
            <dt>A request now</dt>
            <dd className="mono">
              {formatDateTime(nowMs, timezone)} <span className="t3">{offsetOf(timezone, nowMs)}</span>
            </dd>
          </div>
          <div>
            <dt>Requests today</dt>
            <dd className="mono">
              since 00:00 <span className="t3">{offsetOf(timezone, nowMs)}</span>
            </dd>
          </div>
        </dl>
      </div>
    </>
  )
}
