import type { Exchange } from './exchange.ts'

/** Most urgent first. */
export const PRIORITIES = ['vital', 'pro', 'basic', 'free', 'export'] as const
export type Priority = (typeof PRIORITIES)[number]

/** What tells whether the platform lives, and what lets people in or shuts somebody out. */
const VITAL = new Set(['/api/v1/health', '/api/v1/internal/user/login', '/api/v1/internal/user/refresh'])
/** Behind these, changes end something: a key, a session, a right. */
const VITAL_CHANGES = new Set(['/api/v1/internal/api-keys/*', '/api/v1/internal/user/*', '/api/v1/admin/users/*'])
const CHANGES = new Set<string | undefined>(['PUT', 'PATCH', 'DELETE'])
const PROBES = new Set(['/livez', '/readyz', '/startupz'])

/** How urgent a request is: by what it does, else by its caller's tier. Who is not known counts as free. */
export function priorityOf({ route, path, request, caller }: Exchange): Priority {
  if (route === undefined) return PROBES.has(path) ? 'vital' : 'free'
  if (VITAL.has(route.pattern)) return 'vital'
  if (CHANGES.has(request.method) && VITAL_CHANGES.has(route.pattern)) return 'vital'
  if (path.endsWith('/export')) return 'export'
  // A caller whose plan is not loaded yet may be anybody's best customer.
  return caller === undefined ? 'free' : (caller.account.plan?.tier ?? 'pro')
}
