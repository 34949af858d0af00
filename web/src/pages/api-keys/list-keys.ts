import type { ApiKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'

export const STATES = ['active', 'off'] as const
/** Days of the last-use filter. */
export const UNUSED_DAYS = [7, 30, 90] as const
const DAY_MS = 86_400_000
export const SORTS = ['newest', 'name', 'requests', 'last-used', 'unused', 'expiry'] as const
type State = (typeof STATES)[number]
export type Sort = (typeof SORTS)[number]

/** In the URL: part of a name, description or prefix, the state, and the order. */
export type KeysFilter = {
  find: string
  state: State | undefined
  sort: Sort
  tag: string | undefined
  /** Only keys that are at least this many days old and were not used for as long. */
  unused: (typeof UNUSED_DAYS)[number] | undefined
}

export function readKeysFilter(search: URLSearchParams): KeysFilter {
  return {
    find: search.get('find') ?? '',
    state: STATES.find((state) => state === search.get('state')),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'newest',
    tag: search.get('tag') ?? undefined,
    unused: UNUSED_DAYS.find((days) => String(days) === search.get('unused')),
  }
}

export function writeKeysFilter({ find, state, sort, tag, unused }: KeysFilter): URLSearchParams {
  return new URLSearchParams({
    ...(find === '' ? {} : { find }),
    ...(state === undefined ? {} : { state }),
    ...(sort === 'newest' ? {} : { sort }),
    ...(tag === undefined ? {} : { tag }),
    ...(unused === undefined ? {} : { unused: String(unused) }),
  })
}

/** The matching keys in order; among equals, the newest first. */
export function listKeys(
  keys: readonly ApiKey[],
  rows: readonly UsageRow[],
  { find, state, sort, tag, unused }: KeysFilter,
): ApiKey[] {
  const words = find.trim().toLowerCase()
  const usage = (key: ApiKey): UsageRow | undefined => rows.find((row) => row.key === key.id)
  const value: Record<Sort, (key: ApiKey) => number> = {
    newest: () => 0,
    name: () => 0,
    requests: (key) => -(usage(key)?.total ?? 0),
    'last-used': (key) => -timeOf(usage(key)?.last_at ?? null, 0),
    unused: ({ last_used_at, created_at }) => timeOf(last_used_at ?? created_at, 0),
    expiry: (key) => timeOf(key.expires_at, Infinity),
  }
  const byName = (one: ApiKey, other: ApiKey): number => (sort === 'name' ? one.name.localeCompare(other.name) : 0)
  return keys
    .filter((key) => textOf(key).includes(words))
    .filter((key) => tag === undefined || key.tags.includes(tag))
    .filter((key) => unused === undefined || isUnused(key, Date.now() - unused * DAY_MS))
    .filter((key) => state === undefined || (state === 'active') === (key.status === 'active'))
    .toSorted(
      (one, other) =>
        byName(one, other) ||
        orderOf(value[sort](one), value[sort](other)) ||
        Date.parse(other.created_at) - Date.parse(one.created_at),
    )
}

/**
 * Of the listed keys, those that are still to be revoked: neither used since they were listed nor revoked by an earlier
 * attempt. `used`: how many were used and stay.
 */
export function stillUnused(listed: readonly ApiKey[], now: readonly ApiKey[]): { unused: ApiKey[]; used: number } {
  const current = listed.flatMap((before) =>
    now.filter(({ id, status }) => id === before.id && status !== 'revoked').map((after) => ({ before, after })),
  )
  const unused = current.filter(({ before, after }) => before.last_used_at === after.last_used_at)
  return { unused: unused.map(({ after }) => after), used: current.length - unused.length }
}

function textOf({ name, description, prefix, tags, owner_note }: ApiKey): string {
  return [name, description, prefix, ...tags, owner_note].join(' ').toLowerCase()
}

function isUnused({ created_at, last_used_at }: ApiKey, sinceMs: number): boolean {
  return Date.parse(last_used_at ?? created_at) < sinceMs
}

function orderOf(one: number, other: number): number {
  return one === other ? 0 : one - other
}

function timeOf(time: string | null, none: number): number {
  return time === null ? none : Date.parse(time)
}
