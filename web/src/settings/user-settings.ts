import type { SavedSettings, UserSettings } from '@tapeline/contracts/config/settings'

/** Default settings, identical to the server's. */
export const DEFAULTS: UserSettings = {
  theme: 'dark',
  language: 'en',
  timezone: 'UTC',
  dashboardDefaultView: 'overview',
  dashboardItemsPerPage: 20,
  dashboardCompactMode: false,
  emailNotifications: true,
  pushNotifications: true,
  notificationFrequency: 'daily',
}

export type SettingName = keyof UserSettings
export type SettingsChange = Partial<UserSettings>

export function settingNames(of: SettingsChange): SettingName[] {
  return Object.keys(of).filter((name): name is SettingName => Object.hasOwn(DEFAULTS, name))
}

/** The fields of `requested` that differ from `current`. */
export function differenceFrom(current: UserSettings, requested: SettingsChange): SettingsChange {
  return Object.fromEntries(
    settingNames(requested).flatMap((name) => (requested[name] === current[name] ? [] : [[name, requested[name]]])),
  )
}

/** Settings from the user's details, as an object or a JSON string; undefined if they are missing. */
export function settingsOfDetails(configs: {
  user_settings?: unknown
  user_settings_version?: number
}): SavedSettings | undefined {
  if (configs.user_settings_version === undefined) return undefined
  const stored = objectOf(configs.user_settings)
  if (stored === undefined) return undefined
  // The service has validated the values; unknown names are kept.
  const values = Object.fromEntries(settingNames(stored).map((name) => [name, stored[name]]))
  return { user_settings: { ...DEFAULTS, ...values }, version: configs.user_settings_version }
}

function objectOf(saved: unknown): SettingsChange | undefined {
  if (typeof saved === 'object' && saved !== null) return saved
  if (typeof saved !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(saved)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}
