import type { TrailChange } from '@tapeline/contracts/audit/trail'
import { isDeepStrictEqual } from 'node:util'

type State = { before: unknown; after: unknown; details: unknown }

/** Fields that differ; nested objects by field (`rate_limits.requestsPerMinute`), lists as a whole. */
export function trailChanges({ before, after, details }: State): TrailChange[] {
  const [was, is] = [flatten(before), flatten(after)]
  const changes = [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
  return [...changes, ...replacement(details)]
}

/** A regenerated key has another kid; the event contains both without a before and after. */
function replacement(details: unknown): TrailChange[] {
  const { kid, replaced_kid } = recordOf(details)
  return typeof replaced_kid === 'string' && typeof kid === 'string'
    ? [{ field: 'kid', before: replaced_kid, after: kid }]
    : []
}

function flatten(state: unknown, path: readonly string[] = []): Map<string, unknown> {
  const isRecord = typeof state === 'object' && state !== null && !Array.isArray(state)
  if (!isRecord)
    return path.length === 0 && (state === null || state === undefined) ? new Map() : new Map([[path.join('.'), state]])
  return new Map(Object.entries(state).flatMap(([name, value]) => [...flatten(value, [...path, name])]))
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
