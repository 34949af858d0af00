import { type Kysely, sql, type Transaction } from 'kysely'
import type { Role } from '@tapeline/contracts/actor'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export type UserToRemind = {
  id: string
  email: string
  email_verified: boolean
  role: Role
  reminder_time: number
  reminder_method: 'email' | 'push'
  /** null: no reminder is planned, or one for another hour. */
  due_at: Date | null
  told_day: string | null
}

/** No owner: all users with reminders enabled and possible whose reminder is due or not planned yet. Ordered by id. */
export function listUsersToRemind(
  db: Db,
  { now, after, limit }: { now: Date; after: string; limit: number },
): Promise<UserToRemind[]> {
  return db
    .selectFrom('user_account')
    .leftJoin('reminder', (join) =>
      join
        .onRef('reminder.user_id', '=', 'user_account.id')
        .onRef('reminder.hour', '=', 'user_account.reminder_time')
        .on('reminder.due_at', 'is not', null),
    )
    .leftJoin('reminder as last', 'last.user_id', 'user_account.id')
    .select([
      'user_account.id',
      'user_account.email',
      'user_account.email_verified',
      'user_account.role',
      'user_account.reminder_time',
      'user_account.reminder_method',
      'reminder.due_at',
      sql<string | null>`last.told_day::text`.as('told_day'),
    ])
    .where('user_account.reminder_enabled', '=', true)
    .where('user_account.status', '=', 'active')
    .where((eb) =>
      eb.or([eb('user_account.email_verified', '=', true), eb('user_account.reminder_method', '=', 'push')]),
    )
    .where('user_account.id', '>', after)
    .where((eb) => eb.or([eb('reminder.due_at', 'is', null), eb('reminder.due_at', '<=', now)]))
    .orderBy('user_account.id')
    .limit(limit)
    .execute()
}

/** No owner: deletes the plans of users who have disabled reminders, cannot receive them, or are inactive. */
export async function clearPlans(db: Db): Promise<void> {
  await db
    .updateTable('reminder')
    .from('user_account')
    .set({ due_at: null })
    .whereRef('user_account.id', '=', 'reminder.user_id')
    .where('reminder.due_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('user_account.reminder_enabled', '=', false),
        eb('user_account.status', '!=', 'active'),
        eb.and([eb('user_account.email_verified', '=', false), eb('user_account.reminder_method', '=', 'email')]),
      ]),
    )
    .execute()
}

/** The next reminder is then scheduled again. */
export async function clearPlan(db: Db, userId: string): Promise<void> {
  await db.updateTable('reminder').set({ due_at: null }).where('user_id', '=', userId).execute()
}

export type Plan = { hour: number; dueAt: Date }

export async function planReminder(db: Db, userId: string, { hour, dueAt }: Plan): Promise<void> {
  await db
    .insertInto('reminder')
    .values({ user_id: userId, hour, due_at: dueAt })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hour, due_at: dueAt }))
    .execute()
}

/** False when the user already has a reminder for this day, or a later one. */
export async function markReminded(
  trx: Trx,
  userId: string,
  { day, hour, dueAt }: Plan & { day: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('reminder')
    .set({ hour, due_at: dueAt, told_day: day })
    .where('user_id', '=', userId)
    .where(sql<boolean>`coalesce(told_day < ${day}::date, true)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
