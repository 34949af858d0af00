import type { UserSettings } from '@tapeline/contracts/config/settings'
import { settingNames, type SettingName, type SettingsChange } from '../../settings/user-settings.ts'
import { zoneName } from './time-zones.ts'

export const LABELS: Record<SettingName, string> = {
  theme: 'Theme',
  language: 'Language',
  timezone: 'Timezone',
  dashboardDefaultView: 'Default view',
  dashboardItemsPerPage: 'Items per page',
  dashboardCompactMode: 'Compact mode',
  emailNotifications: 'Email notifications',
  pushNotifications: 'Push notifications',
  notificationFrequency: 'Frequency',
}

export const THEME_OPTIONS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const
export const LANGUAGE_OPTIONS = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'fr', label: 'Français' },
] as const
export const VIEW_OPTIONS = [
  { value: 'overview', label: 'Overview' },
  { value: 'api-keys', label: 'API Keys' },
  { value: 'metrics', label: 'Metrics' },
] as const
export const ITEM_OPTIONS = [
  { value: '10', label: '10' },
  { value: '20', label: '20' },
  { value: '50', label: '50' },
] as const
export const FREQUENCY_OPTIONS = [
  { value: 'immediate', label: 'Immediate' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
] as const

const WORDS = new Map<string, string>(
  [...THEME_OPTIONS, ...LANGUAGE_OPTIONS, ...VIEW_OPTIONS, ...FREQUENCY_OPTIONS].map(({ value, label }) => [
    value,
    label,
  ]),
)

/** Analytics and reports lead to metrics. */
export function shownView(view: UserSettings['dashboardDefaultView']): 'overview' | 'api-keys' | 'metrics' {
  return view === 'overview' || view === 'api-keys' ? view : 'metrics'
}

/** "Timezone, UTC to London": what is not saved yet, at most two of them. */
export function describeChanges(before: UserSettings, changed: SettingsChange): string {
  const names = settingNames(changed)
  const told = names.slice(0, 2).map((name) => {
    return `${LABELS[name]}, ${wordFor(name, before)} to ${wordFor(name, { ...before, ...changed })}`
  })
  return names.length > 2 ? `${told.join('; ')} and ${names.length - 2} more` : told.join('; ')
}

export function wordFor(name: SettingName, settings: UserSettings): string {
  const value = settings[name]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (name === 'timezone') return zoneName(settings.timezone)
  return WORDS.get(String(value)) ?? String(value)
}
