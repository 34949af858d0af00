import { type Static, Type } from 'typebox'
import { VersionOrNone } from './version.ts'

/** Preferences of an account for pages and mails. A time zone is any IANA name. */
export const UserSettings = Type.Object(
  {
    theme: Type.Enum(['light', 'dark', 'system']),
    language: Type.Enum(['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'zh', 'ja', 'ko']),
    timezone: Type.String({ minLength: 1, maxLength: 64 }),
    /** The page opened after sign-in; analytics and reports open metrics. */
    dashboardDefaultView: Type.Enum(['overview', 'api-keys', 'metrics', 'analytics', 'reports']),
    dashboardItemsPerPage: Type.Enum([10, 20, 50]),
    dashboardCompactMode: Type.Boolean(),
    emailNotifications: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    notificationFrequency: Type.Enum(['immediate', 'daily', 'weekly']),
  },
  { additionalProperties: false },
)
export type UserSettings = Static<typeof UserSettings>

/** Apply until the account saves other values. */
export const DEFAULT_SETTINGS: UserSettings = {
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

const SETTINGS_TEXT_MAX = 4_096

/** Fields to change. The service validates their values and names every invalid one. */
export const SettingsChange = Type.Object({
  theme: Type.Optional(Type.Unknown()),
  language: Type.Optional(Type.Unknown()),
  timezone: Type.Optional(Type.Unknown()),
  dashboardDefaultView: Type.Optional(Type.Unknown()),
  dashboardItemsPerPage: Type.Optional(Type.Unknown()),
  dashboardCompactMode: Type.Optional(Type.Unknown()),
  emailNotifications: Type.Optional(Type.Unknown()),
  pushNotifications: Type.Optional(Type.Unknown()),
  notificationFrequency: Type.Optional(Type.Unknown()),
})

/** `PUT /api/v1/internal/user/settings`: a JSON string or the object; absent fields keep their value. */
export const SaveSettings = Type.Object(
  {
    user_settings: Type.Union([Type.String({ maxLength: SETTINGS_TEXT_MAX }), SettingsChange]),
    /** The version that was edited; an older one is rejected, so that no change is overwritten. */
    version: Type.Optional(VersionOrNone),
  },
  { additionalProperties: false },
)
export type SaveSettings = Static<typeof SaveSettings>

/** Also the response of `GET /api/v1/internal/user/settings`. Version 0: nothing was saved yet. */
export const SavedSettings = Type.Object({
  user_settings: UserSettings,
  version: Type.Integer(),
  /** Present when the new time zone could not be written to Redis. */
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type SavedSettings = Static<typeof SavedSettings>
