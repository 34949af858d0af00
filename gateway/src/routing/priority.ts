import type { Tier } from '@tapeline/contracts/actor'
import { probePaths } from './route-table.ts'
import type { Route } from './route.ts'

/** Most urgent first. */
export const PRIORITIES = ['vital', 'pro', 'basic', 'free', 'export'] as const
export type Priority = (typeof PRIORITIES)[number]

const CHANGES = new Set<string | undefined>(['PUT', 'PATCH', 'DELETE'])

export type PrioritizedRequest = {
  readonly route: Route | undefined
  readonly path: string
  readonly request: { readonly method?: string | undefined }
  /** `lastPlan` is undefined until the caller's plan is loaded. */
  readonly caller: { readonly account: { readonly lastPlan: { tier: Tier } | undefined } } | undefined
}

/** How urgent a request is: by its route and method, else by its caller's tier. A request without a caller counts as free. */
export function priorityOf({ route, path, request, caller }: PrioritizedRequest): Priority {
  if (route === undefined) return probePaths.has(path) ? 'vital' : 'free'
  if (route.priority === 'vital') return 'vital'
  if (route.priority === 'vital changes' && CHANGES.has(request.method)) return 'vital'
  if (path.endsWith('/export')) return 'export'
  // A caller whose plan is not loaded yet may be on the highest tier.
  return caller === undefined ? 'free' : (caller.account.lastPlan?.tier ?? 'pro')
}
