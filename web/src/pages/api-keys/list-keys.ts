import type { ApiKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'

export const STATES = ['active', 'off'] as const
export const SORTS = ['newest', 'name', 'requests', 'last-used', 'expiry'] as const
type State = (typeof STATES)[number]
export type Sort = (typeof SORTS)[number]

/** In the address: part of a name, a description or a prefix, whether they work, and the order. */
export type KeysFilter = { find: string; state: State | undefined; sort: Sort }

export function readKeysFilter(search: URLSearchParams): KeysFilter {
  return {
    find: search.get('find') ?? '',
    state: STATES.find((state) => state === search.get('state')),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'newest',
  }
}

export function writeKeysFilter({ find, state, sort }: KeysFilter): URLSearchParams {
  return new URLSearchParams({
    ...(find === '' ? {} : { find }),
    ...(state === undefined ? {} : { state }),
    ...(sort === 'newest' ? {} : { sort }),
  })
}

/** The keys that fit, in order; of equals the newest first. */
export function listKeys(
  keys: readonly ApiKey[],
  rows: readonly UsageRow[],
  { find, state, sort }: KeysFilter,
): ApiKey[] {
  const words = find.trim().toLowerCase()
  const usage = (key: ApiKey): UsageRow | undefined => rows.find((row) => row.key === key.id)
  const value: Record<Sort, (key: ApiKey) => number> = {
    newest: () => 0,
    name: () => 0,
    requests: (key) => -(usage(key)?.total ?? 0),
    'last-used': (key) => -timeOf(usage(key)?.last_at ?? null, 0),
    expiry: (key) => timeOf(key.expires_at, Infinity),
  }
  const byName = (one: ApiKey, other: ApiKey): number => (sort === 'name' ? one.name.localeCompare(other.name) : 0)
  return keys
    .filter((key) => `${key.name} ${key.description ?? ''} ${key.prefix}`.toLowerCase().includes(words))
    .filter((key) => state === undefined || (state === 'active') === (key.status === 'active'))
    .toSorted(
      (one, other) =>
        byName(one, other) ||
        orderOf(value[sort](one), value[sort](other)) ||
        Date.parse(other.created_at) - Date.parse(one.created_at),
    )
}

function orderOf(one: number, other: number): number {
  return one === other ? 0 : one - other
}

function timeOf(time: string | null, none: number): number {
  return time === null ? none : Date.parse(time)
}
