import type { Component } from '@tapeline/contracts/audit/status'
import { unknownKey } from './unknown-key.ts'

/** Components by prefix of the counted routes that they serve. */
const COUNTED_ROUTES: readonly { prefix: string; component: Component }[] = [
  { prefix: '/api/v1/trades', component: 'market-data' },
  { prefix: '/api/v1/l2events', component: 'market-data' },
  { prefix: '/api/v1/instruments', component: 'market-data' },
  { prefix: '/api/v1/health', component: 'gateway' },
]

export function componentOf(route: string): Component | undefined {
  return COUNTED_ROUTES.find(({ prefix }) => route.startsWith(prefix))?.component
}

const REFRESH_CHARACTERS = 43

export type ProbedPath = { component: Component; path: string; body?: object; apiKey?: () => string }

/** Public paths that the prober requests per component: every status below 500 counts as up. */
export const PROBED_PATHS: readonly ProbedPath[] = [
  { component: 'gateway', path: '/api/v1/health' },
  { component: 'market-data', path: '/api/v1/sample' },
  { component: 'config', path: '/api/v1/internal/subscription/pricing' },
  // An unknown token: identity looks it up and rejects it.
  {
    component: 'identity',
    path: '/api/v1/internal/user/refresh',
    body: { refreshToken: 'x'.repeat(REFRESH_CHARACTERS) },
  },
  // An unknown key: the gateway looks it up in api-key and rejects it.
  { component: 'api-key', path: '/api/v1/limits', apiKey: unknownKey },
  { component: 'audit', path: '/api/v1/status' },
]
