import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely, Transaction } from 'kysely'

type Db = Kysely<ConsumerTables>
type Trx = Transaction<ConsumerTables>

/** Locks and returns the next offset to apply. A zombie with an old batch waits here and then finds it applied. */
export async function lockNextOffset(trx: Trx, topic: string, partition: number): Promise<bigint> {
  const known = await selectLocked(trx, topic, partition)
  if (known !== undefined) return known
  await trx
    .insertInto('consumer_offset')
    .values({ topic, partition, next_offset: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await selectLocked(trx, topic, partition)) ?? 0n
}

async function selectLocked(trx: Trx, topic: string, partition: number): Promise<bigint | undefined> {
  const row = await trx
    .selectFrom('consumer_offset')
    .select('next_offset')
    .where('topic', '=', topic)
    .where('partition', '=', partition)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : BigInt(row.next_offset)
}

/** The first offset that has not been applied; undefined for a partition without a record. */
export async function findNextOffset(db: Db, topic: string, partition: number): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('consumer_offset')
    .select('next_offset')
    .where('topic', '=', topic)
    .where('partition', '=', partition)
    .executeTakeFirst()
  return row === undefined ? undefined : BigInt(row.next_offset)
}

/** Moves the position of a partition; in the transaction that applied the messages before `nextOffset`. */
export async function markApplied(db: Db, topic: string, partition: number, nextOffset: bigint): Promise<void> {
  await db
    .updateTable('consumer_offset')
    .set({ next_offset: String(nextOffset) })
    .where('topic', '=', topic)
    .where('partition', '=', partition)
    .execute()
}

export type DeadLetter = {
  topic: string
  partition: number
  message_offset: string
  reason: string
  payload: string
  created_at: Date
}

/** Stores messages that could not be applied; messages already stored are unchanged. */
export async function insertDeadLetters(trx: Trx, letters: DeadLetter[]): Promise<void> {
  await trx
    .insertInto('dead_letter')
    .values(letters)
    .onConflict((conflict) => conflict.columns(['topic', 'partition', 'message_offset']).doNothing())
    .execute()
}

/** Number of dead letters of all topics. */
export async function countDeadLetters(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('dead_letter')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Next offsets by `topic/partition`. */
export async function listNextOffsets(db: Db): Promise<Map<string, bigint>> {
  const rows = await db.selectFrom('consumer_offset').selectAll().execute()
  return new Map(rows.map(({ topic, partition, next_offset }) => [`${topic}/${partition}`, BigInt(next_offset)]))
}
