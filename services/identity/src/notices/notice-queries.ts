import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { NoticeTable } from '../notice-tables.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type NoticeRow = Selectable<NoticeTable>

/** False when it exists already, or the account is deleted. */
export async function insertNotice(trx: Trx, row: Insertable<NoticeTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('notice')
    .columns(['id', 'user_id', 'kind', 'title', 'text', 'data', 'raised_at', 'look_at'])
    .expression((eb) =>
      eb
        .selectFrom('user_account')
        .select([
          sql<string>`${row.id}::uuid`.as('id'),
          'user_account.id as user_id',
          sql<string>`${row.kind}`.as('kind'),
          sql<string>`${row.title}`.as('title'),
          sql<string>`${row.text}`.as('text'),
          sql<string>`${row.data}::jsonb`.as('data'),
          sql<Date>`${row.raised_at}::timestamptz`.as('raised_at'),
          sql<Date>`${row.look_at}::timestamptz`.as('look_at'),
        ])
        .where('user_account.id', '=', row.user_id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** No owner: all users with a notice that is due. */
export async function listUsersWithNotices(
  db: Db,
  now: Date,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<string[]> {
  const rows = await db
    .selectFrom('notice')
    .select('user_id')
    .distinct()
    .where('settled_at', 'is', null)
    .where('look_at', '<=', now)
    .$if(after !== undefined, (users) => users.where('user_id', '>', after ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** No owner: when the next notice of any user is due. */
export async function findNextNotice(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('notice')
    .select(({ fn }) => fn.min('look_at').as('due'))
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  return row?.due ?? undefined
}

/** Oldest first. Concurrent transactions wait, and the second finds none. */
export function lockWaitingNotices(trx: Trx, userId: string, limit: number): Promise<NoticeRow[]> {
  return trx
    .selectFrom('notice')
    .selectAll()
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .orderBy('raised_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

type Settled = { ids: string[]; at: Date; outcome: 'told' | 'unwanted' }

export async function markNoticesSettled(trx: Trx, userId: string, { ids, at, outcome }: Settled): Promise<void> {
  await trx
    .updateTable('notice')
    .set({ settled_at: at, outcome })
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
}

/** All waiting notices of a user. */
export async function setCheckTime(trx: Trx, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('notice')
    .set({ look_at: at })
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .execute()
}

/** No owner: the job deletes all old notices. Returns their number: fewer than the limit means that none is left. */
export async function deleteNoticesSettledBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('notice')
    .where('id', 'in', (old) => old.selectFrom('notice').select('id').where('settled_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
