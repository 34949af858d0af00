import type { Role } from '@tapeline/contracts/actor'
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { SessionEndReason } from '@tapeline/contracts/identity/events'
import type { RefreshTokenTable, SessionTable, Tables } from '../tables.ts'

export async function insertSession(trx: Transaction<Tables>, row: Insertable<SessionTable>): Promise<void> {
  await trx.insertInto('session').values(row).execute()
}

export async function insertRefreshToken(trx: Transaction<Tables>, row: Insertable<RefreshTokenTable>): Promise<void> {
  await trx.insertInto('refresh_token').values(row).execute()
}

export type LockedRefreshToken = {
  session_id: string
  user_id: string
  role: Role
  status: string
  used_at: Date | null
  sealed_successor: Buffer | null
  is_remembered: boolean
  session_created_at: Date
  expires_at: Date
  ended_at: Date | null
}

/** No owner: the token identifies the session. Both are locked, so that a family has one successor at a time. */
export function lockRefreshToken(trx: Transaction<Tables>, hash: Buffer): Promise<LockedRefreshToken | undefined> {
  return trx
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .innerJoin('user_account', 'user_account.id', 'session.user_id')
    .select([
      'refresh_token.session_id',
      'refresh_token.used_at',
      'refresh_token.sealed_successor',
      'session.user_id',
      'session.is_remembered',
      'session.created_at as session_created_at',
      'session.expires_at',
      'session.ended_at',
      'user_account.role',
      'user_account.status',
    ])
    .where('refresh_token.hash', '=', hash)
    .forUpdate(['refresh_token', 'session'])
    .executeTakeFirst()
}

export async function markRefreshTokenUsed(
  trx: Transaction<Tables>,
  hash: Buffer,
  { at, encryptedSuccessor }: { at: Date; encryptedSuccessor: Buffer },
): Promise<void> {
  await trx
    .updateTable('refresh_token')
    .set({ used_at: at, sealed_successor: encryptedSuccessor })
    .where('hash', '=', hash)
    .execute()
}

/** After the grace period a used token reveals nothing, even together with the database. */
export async function clearSuccessors(trx: Transaction<Tables>, sessionId: string, usedBefore: Date): Promise<void> {
  await trx
    .updateTable('refresh_token')
    .set({ sealed_successor: null })
    .where('session_id', '=', sessionId)
    .where('used_at', '<', usedBefore)
    .where('sealed_successor', 'is not', null)
    .execute()
}

export async function markSessionUsed(
  trx: Transaction<Tables>,
  sessionId: string,
  { at, expiresAt, network }: { at: Date; expiresAt: Date; network: string | undefined },
): Promise<void> {
  await trx
    .updateTable('session')
    .set({ last_used_at: at, expires_at: expiresAt, ...(network === undefined ? {} : { network }) })
    .where('id', '=', sessionId)
    .execute()
}

/** False when it had already ended, or belongs to another user. */
export async function markSessionEnded(
  trx: Transaction<Tables>,
  userId: string,
  { sessionId, at, reason }: { sessionId: string; at: Date; reason: SessionEndReason },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ ended_at: at, end_reason: reason })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns their ids; locked in a fixed order, so that concurrent calls do not deadlock. */
export async function endOpenSessions(
  trx: Transaction<Tables>,
  userId: string,
  { at, reason, exceptId }: { at: Date; reason: SessionEndReason; exceptId?: string },
): Promise<string[]> {
  const ended = await trx
    .updateTable('session')
    .set({ ended_at: at, end_reason: reason })
    .where('user_id', '=', userId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('session')
        .select('id')
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .$if(exceptId !== undefined, (found) => found.where('id', '!=', exceptId ?? ''))
        .orderBy('id')
        .forUpdate(),
    )
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

export type SessionRow = Selectable<SessionTable>

/** Ordered by last use, newest first. */
export function listOpenSessions(
  db: Kysely<Tables>,
  userId: string,
  { at, limit }: { at: Date; limit: number },
): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function findOpenSession(
  db: Kysely<Tables>,
  userId: string,
  { sessionId, at }: { sessionId: string; at: Date },
): Promise<{ is_remembered: boolean } | undefined> {
  return db
    .selectFrom('session')
    .select('is_remembered')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

export async function countOpenSessions(db: Kysely<Tables>, userId: string, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('session')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Browsers and networks of the account's sessions: open ones, and those that ended last. */
export async function listUsedDevices(
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<Pick<SessionRow, 'user_agent' | 'network'>[]> {
  const sessions = db.selectFrom('session').select(['user_agent', 'network']).where('user_id', '=', userId)
  // Two statements, because the indexes by user are partial.
  const open = await sessions.where('ended_at', 'is', null).limit(limit).execute()
  const ended = await sessions.where('ended_at', 'is not', null).orderBy('ended_at', 'desc').limit(limit).execute()
  return [...open, ...ended]
}

export type EndedSession = { id: string; ended_at: Date | null }

/** Newest first. */
export function listEndedSessions(
  db: Kysely<Tables>,
  userId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<EndedSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'ended_at'])
    .where('user_id', '=', userId)
    .where('ended_at', '>', since)
    .orderBy('ended_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** No owner: the job deletes all old sessions. Refresh tokens are deleted by cascade. */
export async function deleteEndedSessions(db: Kysely<Tables>, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('session')
        .select('id')
        .where((or) => or.or([or('expires_at', '<', before), or('ended_at', '<', before)]))
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
