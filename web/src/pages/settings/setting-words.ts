import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { UserSettings } from '@tapeline/contracts/config/settings'
import { i18n } from '../../language/i18n.ts'
import { settingNames, type SettingName, type SettingsChange } from '../../settings/user-settings.ts'
import { zoneName } from './time-zones.ts'

export const LABELS: Record<SettingName, MessageDescriptor> = {
  theme: msg`Theme`,
  language: msg`Language`,
  timezone: msg`Timezone`,
  dashboardDefaultView: msg`Default view`,
  dashboardItemsPerPage: msg`Items per page`,
  dashboardCompactMode: msg`Compact mode`,
  emailNotifications: msg`Email notifications`,
  pushNotifications: msg`Push notifications`,
  notificationFrequency: msg`Frequency`,
}

export const THEME_OPTIONS = [
  { value: 'light', label: msg`Light` },
  { value: 'dark', label: msg`Dark` },
  { value: 'system', label: msg`System` },
] as const
export const LANGUAGE_OPTIONS = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'fr', label: 'Français' },
] as const
export const VIEW_OPTIONS = [
  { value: 'overview', label: msg`Overview` },
  { value: 'api-keys', label: msg`API Keys` },
  { value: 'metrics', label: msg`Metrics` },
] as const
export const ITEM_OPTIONS = [
  { value: '10', label: '10' },
  { value: '20', label: '20' },
  { value: '50', label: '50' },
] as const
export const FREQUENCY_OPTIONS = [
  { value: 'immediate', label: msg`Immediate` },
  { value: 'daily', label: msg`Daily` },
  { value: 'weekly', label: msg`Weekly` },
] as const

const WORDS = new Map<string, MessageDescriptor | string>(
  [...THEME_OPTIONS, ...LANGUAGE_OPTIONS, ...VIEW_OPTIONS, ...FREQUENCY_OPTIONS].map(({ value, label }) => [
    value,
    label,
  ]),
)

/** Analytics and reports open the metrics page. */
export function shownView(view: UserSettings['dashboardDefaultView']): 'overview' | 'api-keys' | 'metrics' {
  return view === 'overview' || view === 'api-keys' ? view : 'metrics'
}

/** "Timezone, UTC to London": unsaved changes, at most two of them. */
export function describeChanges(before: UserSettings, changed: SettingsChange): string {
  const names = settingNames(changed)
  const described = names.slice(0, 2).map((name) => {
    const [was, willBe] = [wordFor(name, before), wordFor(name, { ...before, ...changed })]
    return t`${i18n._(LABELS[name])}, ${was} to ${willBe}`
  })
  return names.length > 2 ? t`${described.join('; ')} and ${names.length - 2} more` : described.join('; ')
}

export function wordFor(name: SettingName, settings: UserSettings): string {
  const value = settings[name]
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  if (name === 'timezone') return zoneName(settings.timezone)
  return wordOf(WORDS.get(String(value)) ?? String(value))
}

/** Languages are shown by their own name, everything else in the language of the page. */
export function wordOf(label: MessageDescriptor | string): string {
  return typeof label === 'string' ? label : i18n._(label)
}
