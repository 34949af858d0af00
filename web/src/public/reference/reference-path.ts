import { paths } from '../../paths.ts'

/** Groups of the API reference, in its order; each has a page. The OpenAPI document names them as tags. */
export const referenceGroups = {
  api: [
    'market-data',
    'limits',
    'keys',
    'usage',
    'requests',
    'sign-in',
    'account',
    'google',
    'plan',
    'settings',
    'notifications',
    'webhooks',
  ],
  admin: ['admin-flags', 'admin-configs', 'admin-tiers', 'admin-users', 'admin-venues'],
} as const

/** The reference page of a group of calls, at one of them if named. */
export function referencePath(group: string, operationId?: string): string {
  const path = `${paths.apiDocs}/${group}`
  return operationId === undefined ? path : `${path}#${operationId}`
}
