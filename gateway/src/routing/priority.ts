import type { Tier } from '@tapeline/contracts/actor'
import type { Route } from './route-table.ts'

/** Most urgent first. */
export const PRIORITIES = ['vital', 'pro', 'basic', 'free', 'export'] as const
export type Priority = (typeof PRIORITIES)[number]

/** Health of the platform, and sign-in. */
const VITAL = new Set(['/api/v1/health', '/api/v1/internal/user/login', '/api/v1/internal/user/refresh'])
/** Changes on these routes end a key, a session or a right. */
const VITAL_CHANGES = new Set(['/api/v1/internal/api-keys/*', '/api/v1/internal/user/*', '/api/v1/admin/users/*'])
const CHANGES = new Set<string | undefined>(['PUT', 'PATCH', 'DELETE'])
const PROBES = new Set(['/livez', '/readyz', '/startupz'])

export type PrioritizedRequest = {
  readonly route: Route | undefined
  readonly path: string
  readonly request: { readonly method?: string | undefined }
  /** `lastPlan` is undefined until the caller's plan is loaded. */
  readonly caller: { readonly account: { readonly lastPlan: { tier: Tier } | undefined } } | undefined
}

/** How urgent a request is: by its route and method, else by its caller's tier. A request without a caller counts as free. */
export function priorityOf({ route, path, request, caller }: PrioritizedRequest): Priority {
  if (route === undefined) return PROBES.has(path) ? 'vital' : 'free'
  if (VITAL.has(route.pattern)) return 'vital'
  if (CHANGES.has(request.method) && VITAL_CHANGES.has(route.pattern)) return 'vital'
  if (path.endsWith('/export')) return 'export'
  // A caller whose plan is not loaded yet may be on the highest tier.
  return caller === undefined ? 'free' : (caller.account.lastPlan?.tier ?? 'pro')
}
