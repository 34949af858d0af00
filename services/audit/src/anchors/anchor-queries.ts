import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Anchor } from './anchor-object.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Added to the wait, so that its end is reported as that of the lock. */
const STATEMENT_MARGIN_MS = 5_000

/** Waits for writers and keeps new ones out until the transaction ends, so that all lower positions are decided. */
export async function lockWriters(trx: Trx, waitMs: number): Promise<void> {
  // `statement_timeout` includes the wait for a lock.
  await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, true),
    set_config('statement_timeout', ${`${waitMs + STATEMENT_MARGIN_MS}ms`}, true)`.execute(trx)
  await sql`lock table audit_trail in share row exclusive mode`.execute(trx)
}

export async function findLastPosition(db: Db): Promise<string> {
  const row = await db
    .selectFrom('audit_trail')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirst()
  return row?.last ?? '0'
}

/** Chains with entries of a release that hashed all fields together. */
export async function listUnsaltedScopes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_trail')
    .select('scope')
    .distinct()
    .where('personal_hash', 'is', null)
    .orderBy('scope')
    .execute()
  return rows.map(({ scope }) => scope)
}

/** Entries of all accounts behind a position, up to another, in order. */
export function listByPosition(db: Db, { after, through }: { after: string; through?: string }, limit: number) {
  return db
    .selectFrom('audit_trail')
    .selectAll()
    .where('position', '>', after)
    .$if(through !== undefined, (entries) => entries.where('position', '<=', through ?? ''))
    .orderBy('position')
    .limit(limit)
    .execute()
}

export async function findPositionOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('audit_trail').select('position').where('id', '=', id).executeTakeFirst()
  return row?.position
}

export function findLastAnchor(db: Db) {
  return db.selectFrom('trail_anchor').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
}

export async function insertAnchor(db: Db, { header, signature, sha256 }: Anchor): Promise<void> {
  await db
    .insertInto('trail_anchor')
    .values({
      number: header.number,
      from_position: header.from,
      through_position: header.through,
      entries: header.entries,
      sha256,
      key_id: signature.key_id,
      made_at: header.made_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Heads of chains by scope. */
export async function listHeads(db: Db): Promise<Map<string, Buffer>> {
  const rows = await db.selectFrom('audit_trail_head').selectAll().execute()
  return new Map(rows.map(({ scope, hash }) => [scope, hash]))
}
