import type { UserSettings } from '@tapeline/contracts/config/settings'
import { paths } from '../paths.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

/** The page after sign-up: the one on which the first key is created. */
export function firstPage(user: ClientUser): string {
  return hasFlag(user, FLAGS.apiKeys) ? paths.apiKeys : paths.profile
}

/** The page after sign-in, by the default view; falls back to the profile when the account lacks that page. */
export function landingOf(user: ClientUser, view: UserSettings['dashboardDefaultView']): string {
  switch (view) {
    case 'overview':
      return paths.profile
    case 'api-keys':
      return firstPage(user)
    case 'metrics':
    case 'analytics':
    case 'reports':
      return hasFlag(user, FLAGS.audit) ? paths.metrics : paths.profile
  }
}
