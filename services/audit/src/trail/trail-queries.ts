import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Place } from '../lists/cursor.ts'
import type { HashedEntry, Hashes } from './hash-entry.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export async function listKnownEntries(trx: Trx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await trx.selectFrom('audit_trail').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks and returns the newest hash of each chain until the transaction ends, so that a chain has one writer at a
 * time.
 */
export async function lockHeads(trx: Trx, scopes: readonly string[], first: Buffer): Promise<Map<string, Buffer>> {
  await sql`
    insert into audit_trail_head (scope, hash)
    select scope, ${first} from unnest(${scopes}::text[]) scope order by scope
    on conflict do nothing`.execute(trx)
  const rows = await trx
    .selectFrom('audit_trail_head')
    .selectAll()
    .where('scope', 'in', scopes)
    .orderBy('scope')
    .forUpdate()
    .execute()
  return new Map(rows.map(({ scope, hash }) => [scope, hash]))
}

export async function insertEntries(trx: Trx, entries: readonly HashedEntry[]): Promise<void> {
  await trx
    .insertInto('audit_trail')
    .values(
      entries.map(({ before, after, details, ...entry }) => ({
        ...entry,
        before: before === null ? null : JSON.stringify(before),
        after: after === null ? null : JSON.stringify(after),
        details: JSON.stringify(details),
      })),
    )
    .execute()
}

export async function moveHead(trx: Trx, scope: string, hash: Buffer): Promise<void> {
  await trx.updateTable('audit_trail_head').set({ hash }).where('scope', '=', scope).execute()
}

export async function replaceHashes(trx: Trx, id: string, hashes: Hashes): Promise<void> {
  await trx.updateTable('audit_trail').set(hashes).where('id', '=', id).execute()
}

export type TrailScan = {
  scope: string
  from?: Date
  to?: Date
  type?: string
  actorId?: string
  subject?: string
  after: Place | undefined
}

/** The next entries, newest first. */
export function listEntries(db: Db, { scope, from, to, type, actorId, subject, after }: TrailScan, limit: number) {
  let query = db
    .selectFrom('audit_trail')
    .selectAll()
    .select(sql<string>`time::text`.as('place'))
  if (from !== undefined) query = query.where('time', '>=', from)
  if (to !== undefined) query = query.where('time', '<', to)
  if (type !== undefined) query = query.where(isOfType(type))
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (subject !== undefined) query = query.where('subject', '=', subject)
  if (after !== undefined) query = query.where(isBehind(after))
  return query.where('scope', '=', scope).orderBy('time', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

function isBehind({ time, id }: Place) {
  return sql<boolean>`(time, id) < (${time}::timestamptz, ${id}::uuid)`
}

/** The type itself, or a prefix of it up to a dot. */
function isOfType(type: string) {
  return sql<boolean>`(type = ${type} or starts_with(type, ${`${type}.`}))`
}

/** A chain in order, after a position. */
export function listChain(db: Db, scope: string, behind: string, limit: number) {
  return db
    .selectFrom('audit_trail')
    .selectAll()
    .where('scope', '=', scope)
    .where('position', '>', behind)
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function findHead(db: Db, scope: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('audit_trail_head').select('hash').where('scope', '=', scope).executeTakeFirst()
  return row?.hash
}

export async function listScopes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('audit_trail_head').select('scope').orderBy('scope').execute()
  return rows.map(({ scope }) => scope)
}
