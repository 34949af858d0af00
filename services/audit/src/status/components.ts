import type { Component } from '@tapeline/contracts/audit/status'
import { unknownKey } from './unknown-key.ts'

/** Counted routes by the part of the platform that answers them: prefixes of patterns. */
export const COUNTED_ROUTES: readonly { prefix: string; component: Component }[] = [
  { prefix: '/api/v1/trades', component: 'market-data' },
  { prefix: '/api/v1/l2events', component: 'market-data' },
  { prefix: '/api/v1/instruments', component: 'market-data' },
  { prefix: '/api/v1/health', component: 'gateway' },
]

const REFRESH_CHARACTERS = 43

export type Knock = { component: Component; path: string; body?: object; apiKey?: () => string }

/** Public paths through which the prober sees that a part answers: what is below 500 is an answer. */
export const PROBED_PATHS: readonly Knock[] = [
  { component: 'gateway', path: '/api/v1/health' },
  { component: 'market-data', path: '/api/v1/sample' },
  { component: 'config', path: '/api/v1/internal/subscription/pricing' },
  // Nobody's token: identity looks for it and refuses.
  {
    component: 'identity',
    path: '/api/v1/internal/user/refresh',
    body: { refreshToken: 'x'.repeat(REFRESH_CHARACTERS) },
  },
  // Nobody's key: the gateway asks api-key for it, and turns it away when there is none.
  { component: 'api-key', path: '/api/v1/limits', apiKey: unknownKey },
  { component: 'audit', path: '/api/v1/status' },
]
