import { type Static, Type } from 'typebox'
import { VersionOrNone } from './version.ts'

/** What an account chose for its pages and letters. A time zone is any IANA name. */
export const UserSettings = Type.Object(
  {
    theme: Type.Enum(['light', 'dark', 'system']),
    language: Type.Enum(['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'zh', 'ja', 'ko']),
    timezone: Type.String({ minLength: 1, maxLength: 64 }),
    /** Where sign-in leads; analytics and reports lead to metrics. */
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

/** What holds until somebody chose something else. */
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

/** `PUT /api/v1/internal/user/settings`: as a JSON string or the object; what is absent stays as it is. */
export const SaveSettings = Type.Object(
  {
    user_settings: Type.Union([
      Type.String({ maxLength: SETTINGS_TEXT_MAX }),
      Type.Record(Type.String(), Type.Unknown()),
    ]),
    /** The version that was edited; with an older one nothing is overwritten. */
    version: Type.Optional(VersionOrNone),
  },
  { additionalProperties: false },
)
export type SaveSettings = Static<typeof SaveSettings>

/** `GET /api/v1/internal/user/settings` too. Version 0: nothing was chosen yet. */
export const SavedSettings = Type.Object({
  user_settings: UserSettings,
  version: Type.Integer(),
  /** Redis could not be told of another time zone at once. */
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type SavedSettings = Static<typeof SavedSettings>
