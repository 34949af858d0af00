import type { UsageRow } from '@tapeline/contracts/audit/http'

/** The area of a scope, and the calls that need it. */
const AREAS = [
  { area: 'keys', calls: ['/api/v1/internal/api-keys'] },
  {
    area: 'usage',
    calls: [
      '/api/v1/internal/apikeyaudit',
      '/api/v1/internal/usage-forecast',
      '/api/v1/internal/statements',
      '/api/v1/internal/api-keys/usage',
    ],
  },
  { area: 'requests', calls: ['/api/v1/internal/requests'] },
  { area: 'webhooks', calls: ['/api/v1/internal/webhooks'] },
  { area: 'audit', calls: ['/api/v1/internal/audit-trail'] },
  { area: 'trades', calls: ['/api/v1/trades'] },
  { area: 'l2events', calls: ['/api/v1/l2events', '/api/v1/quotes'] },
  { area: 'files', calls: ['/api/v1/files'] },
  { area: 'stream', calls: ['/api/v1/stream'] },
] as const
/** A scope that exists for its area; the others have only one of the two. */
const WITH_WRITE: readonly string[] = ['keys', 'webhooks']
const WITHOUT_READ: readonly string[] = ['webhooks']

export type ScopeUse = {
  area: string
  /** Undefined where no such scope exists. */
  read: boolean | undefined
  write: boolean | undefined
  requests: number
}

/** What the key may do, area by area, against the requests of the last 30 days by endpoint. */
export function scopeUse(scopes: readonly string[], rows: readonly UsageRow[]): ScopeUse[] {
  return AREAS.map(({ area }) => ({
    area,
    read: WITHOUT_READ.includes(area) ? undefined : scopes.includes(`${area}:read`),
    write: WITH_WRITE.includes(area) ? scopes.includes(`${area}:write`) : undefined,
    requests: rows.filter(({ key }) => areaOf(key) === area).reduce((sum, { total }) => sum + total, 0),
  }))
}

/** Scopes that the key has and did not need. */
export function unusedScopes(scopes: readonly string[], rows: readonly UsageRow[]): string[] {
  const used = new Set(rows.map(({ key }) => areaOf(key)))
  return scopes.filter((scope) => !used.has(AREAS.find(({ area }) => scope.startsWith(`${area}:`))?.area))
}

/** Area of the longest path that leads to the endpoint. */
function areaOf(endpoint: string): (typeof AREAS)[number]['area'] | undefined {
  const fitting = AREAS.flatMap(({ area, calls }) =>
    calls.filter((call) => endpoint === call || endpoint.startsWith(`${call}/`)).map((call) => ({ area, call })),
  )
  return fitting.toSorted((one, other) => other.call.length - one.call.length)[0]?.area
}
