import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import { appendStreamEvents, PLATFORM_SCOPE } from '../streams/append-stream-events.ts'
import { isUuid } from '../is-uuid.ts'
import type { Tables } from '../tables.ts'
import { type Entry, type HashedEntry, hashNewEntry, NO_HASH } from './hash-entry.ts'
import { insertEntries, listKnownEntries, lockHeads, moveHead } from './trail-queries.ts'

/** Idempotent: each event id is stored once, and only new events are published to open streams. */
export async function recordInTrail(trx: Transaction<Tables>, events: readonly Event<unknown>[]): Promise<void> {
  const byId = new Map(events.map((event) => [event.id.toLowerCase(), event]))
  const existing = await listKnownEntries(trx, [...byId.keys()])
  const entries = [...byId].filter(([id]) => !existing.has(id)).map(([id, event]) => entryOf(id, event))
  if (entries.length === 0) return
  const scopes = [...new Set(entries.map(({ scope }) => scope))].toSorted()
  await appendStreamEvents(
    trx,
    entries.map(({ scope, type, subject, time }) => ({
      scope,
      name: 'change' as const,
      data: { type, subject: scope === PLATFORM_SCOPE ? null : subject, time },
    })),
  )
  const heads = await lockHeads(trx, scopes, NO_HASH)
  await insertEntries(trx, chained(entries, heads))
  for (const [scope, hash] of heads) await moveHead(trx, scope, hash)
}

/** Reason why an event cannot be stored in the trail, if any. */
export function trailFault({ id, account, time }: Event<unknown>): string | undefined {
  if (!isUuid(id)) return 'id is not a UUID'
  if (account !== null && !isUuid(account)) return 'account is not a UUID'
  return Number.isNaN(Date.parse(time)) ? 'time is not a time' : undefined
}

function chained(entries: readonly Entry[], heads: Map<string, Buffer>): HashedEntry[] {
  return entries.map((entry) => {
    const hashes = hashNewEntry(heads.get(entry.scope) ?? NO_HASH, entry)
    heads.set(entry.scope, hashes.hash)
    return { ...entry, ...hashes }
  })
}

function entryOf(id: string, event: Event<unknown>): Entry {
  const { before = null, after = null, reason = null, ...details } = fieldsOf(event.data)
  return {
    id,
    scope: event.account?.toLowerCase() ?? PLATFORM_SCOPE,
    time: new Date(event.time).toISOString(),
    account_id: event.account,
    actor_kind: event.actorkind,
    actor_id: event.actorid,
    network: event.network,
    type: event.type,
    subject: event.subject,
    before,
    after,
    reason: typeof reason === 'string' ? reason : null,
    details,
  }
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? { ...data } : {}
}
