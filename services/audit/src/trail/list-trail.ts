import type { UserActor } from '@tapeline/contracts/actor'
import {
  type ListTrailQuery,
  PLATFORM_TRAIL,
  type TrailEntry,
  type TrailPage,
  type TrailChange,
} from '@tapeline/contracts/audit/trail'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { readTime } from '../lists/read-time.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import { readCursor, signCursor } from '../lists/cursor.ts'
import { PLATFORM_SCOPE } from '../streams/append-stream-events.ts'
import { listEntries, type TrailScan } from './trail-queries.ts'
import { trailTarget } from './trail-target.ts'
import { isDeepStrictEqual } from 'node:util'

const CALL = 'audit-trail'

/**
 * A page of an account's trail, newest first: the caller's own, or any for an admin.
 * @throws AppError when the account does not exist or the caller may not read it
 */
export async function listTrail(
  deps: Pick<Deps, 'db' | 'cursorKey' | 'settings'>,
  actor: UserActor,
  query: ListTrailQuery,
): Promise<TrailPage> {
  const { filter, limit, after } = readCursor(deps, CALL, query)
  const scan = scanOf(actor, filter)
  const rows = await listEntries(deps.db, { ...scan, after }, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const names =
    scan.scope === PLATFORM_SCOPE ? new Map<string, string>() : await listKeyNames(deps.db, scan.scope, keyIdsOf(page))
  const isLast = rows.length <= limit || last === undefined
  return {
    entries: page.map((row) => presentEntry(row, names)),
    next_cursor: isLast ? null : signCursor(deps.cursorKey, CALL, filter, { time: last.place, id: last.id }),
  }
}

/** @throws AppError when the account does not exist or the caller may not read it */
export function scanOf(actor: UserActor, filter: Omit<ListTrailQuery, 'cursor' | 'limit'>): Omit<TrailScan, 'after'> {
  const { account = actor.userId, from, to, type, subject } = filter
  if (account.toLowerCase() !== actor.userId && actor.role !== 'admin') {
    throw new AppError('account.not_found', 'There is no such account.')
  }
  return {
    scope: account === PLATFORM_TRAIL ? PLATFORM_SCOPE : account.toLowerCase(),
    ...(from === undefined ? {} : { from: readTime('/from', from) }),
    ...(to === undefined ? {} : { to: readTime('/to', to) }),
    ...(type === undefined ? {} : { type }),
    ...(filter.actor === undefined ? {} : { actorId: filter.actor }),
    ...(subject === undefined ? {} : { subject }),
  }
}

/** Ids that may be those of keys: subjects, and actors that are keys. */
export const keyIdsOf = (rows: readonly TrailRow[]) => [
  ...new Set(rows.flatMap(({ subject, actor_kind, actor_id }) => [subject, ...keyActor(actor_kind, actor_id)])),
]

function keyActor(kind: string, id: string | null): string[] {
  return kind === 'api_key' && id !== null ? [id] : []
}

type TrailRow = Awaited<ReturnType<typeof listEntries>>[number]

export function presentEntry(row: TrailRow, keyNames: ReadonlyMap<string, string>): TrailEntry {
  const { id, time, type, subject, actor_kind, actor_id, network, before, after, reason, details, hash } = row
  return {
    id,
    time: time.toISOString(),
    type,
    subject,
    actor: { kind: actor_kind, id: actor_id, ...nameOf(keyNames, keyActor(actor_kind, actor_id)) },
    network,
    target: trailTarget(row, keyNames),
    before,
    after,
    changes: trailChanges(row),
    reason,
    details,
    hash: hash.toString('hex'),
  }
}

function nameOf(keyNames: ReadonlyMap<string, string>, [keyId = '']: string[]): { name?: string } {
  const name = keyNames.get(keyId)
  return name === undefined ? {} : { name }
}

type State = { before: unknown; after: unknown; details: unknown }

/** Fields that differ; nested objects by field (`rate_limits.requestsPerMinute`), lists as a whole. */
function trailChanges({ before, after, details }: State): TrailChange[] {
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
