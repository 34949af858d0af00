import type { AccountProfile } from '@tapeline/contracts/config/http'
import { DEFAULT_SETTINGS } from '@tapeline/contracts/config/settings'
import { settingsOf } from '../mail/language.ts'

export const FREQUENCIES = ['immediate', 'daily', 'weekly'] as const
export type Frequency = (typeof FREQUENCIES)[number]
export type NotificationSettings = { byMail: boolean; byPush: boolean; frequency: Frequency }

/** A user's notification settings; missing or invalid ones have their defaults. */
export function notificationSettings({ configs }: AccountProfile): NotificationSettings {
  const { emailNotifications, pushNotifications, notificationFrequency } = settingsOf(configs.user_settings)
  return {
    byMail: emailNotifications !== false,
    byPush: pushNotifications !== false,
    frequency: FREQUENCIES.find((one) => one === notificationFrequency) ?? DEFAULT_SETTINGS.notificationFrequency,
  }
}
