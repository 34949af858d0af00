import type { NotificationAbout } from '@tapeline/contracts/audit/notification-data'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Place } from '../lists/cursor.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export type NewNotification = {
  id: string
  accountId: string
  about: NotificationAbout
  /** The cause. Within one cause only a higher level is inserted after a lower one. */
  scope: string
  level: number
  title: string
  text: string
  createdAt: Date
}

/** False when the account already has a notification of this cause at this level or a higher one. */
export async function insertNotification(trx: Trx, one: NewNotification): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into notification (id, account_id, kind, scope, level, title, text, data, created_at)
    select ${one.id}::uuid, ${one.accountId}::uuid, ${one.about.kind}, ${one.scope}, ${one.level}::smallint, ${one.title},
      ${one.text}, ${JSON.stringify(one.about.data)}::jsonb, ${one.createdAt.toISOString()}::timestamptz
    where not exists (
      select from notification
      where account_id = ${one.accountId}::uuid and scope = ${one.scope} and level >= ${one.level}::smallint
    )
    on conflict do nothing
    returning id`.execute(trx)
  return rows.length > 0
}

export type NotificationScan = { accountId: string; isUnread: boolean; after: Place | undefined }

/** The next page, newest first. */
export function listNotificationRows(db: Db, { accountId, isUnread, after }: NotificationScan, limit: number) {
  let query = db
    .selectFrom('notification')
    .selectAll()
    .select(sql<string>`created_at::text`.as('place'))
  if (isUnread) query = query.where('read_at', 'is', null)
  if (after !== undefined) {
    query = query.where(sql<boolean>`(created_at, id) < (${after.time}::timestamptz, ${after.id}::uuid)`)
  }
  return query
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countUnread(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function hasNotification(db: Db, accountId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('notification')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns how many were unread; notifications read earlier keep their time. */
export async function markNotificationsRead(db: Db, accountId: string, id: string | null, at: Date): Promise<number> {
  let query = db.updateTable('notification').set({ read_at: at.toISOString() })
  if (id !== null) query = query.where('id', '=', id)
  const { numUpdatedRows } = await query
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** No owner in the condition: the job deletes for all accounts. Returns the number of deleted rows. */
export async function deleteNotificationsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notification where id in (
      select id from notification where created_at < ${before.toISOString()}::timestamptz limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
