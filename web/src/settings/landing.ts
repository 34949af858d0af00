import type { UserSettings } from '@tapeline/contracts/config/settings'
import { paths } from '../paths.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

/** Where sign-in leads by the default view; a page that the account does not have is not led to. */
export function landingOf(user: ClientUser, view: UserSettings['dashboardDefaultView']): string {
  switch (view) {
    case 'overview':
      return paths.profile
    case 'api-keys':
      return hasFlag(user, FLAGS.apiKeys) ? paths.apiKeys : paths.profile
    case 'metrics':
    case 'analytics':
    case 'reports':
      return hasFlag(user, FLAGS.audit) ? paths.metrics : paths.profile
  }
}
