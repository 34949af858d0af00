import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { IdempotentCreationTable, Tables } from '../tables.ts'

type Trx = Transaction<Tables>
type Owned = { userId: string; idempotencyKey: string }

/** False while another transaction processes a request with this key. */
export async function tryLockIdempotencyKey(trx: Trx, { userId, idempotencyKey }: Owned): Promise<boolean> {
  const name = `creation ${userId} ${idempotencyKey}`
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(trx)
  return rows[0]?.locked === true
}

export function findAnswer(trx: Trx, { userId, idempotencyKey }: Owned, since: Date) {
  return trx
    .selectFrom('idempotent_creation')
    .select(['fingerprint', 'answer'])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('created_at', '>', since)
    .executeTakeFirst()
}

type Answer = Omit<Insertable<IdempotentCreationTable>, 'user_id' | 'idempotency_key'>

/** Replaces an expired response. */
export async function saveAnswer(trx: Trx, { userId, idempotencyKey }: Owned, answer: Answer): Promise<void> {
  await trx
    .insertInto('idempotent_creation')
    .values({ user_id: userId, idempotency_key: idempotencyKey, ...answer })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doUpdateSet(answer))
    .execute()
}

/** No owner in the condition: the job deletes the expired responses of all users. */
export async function deleteAnswersBefore(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotent_creation')
    .where('created_at', '<=', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteAnswersOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('idempotent_creation').where('user_id', '=', userId).execute()
}
