import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely, Transaction } from 'kysely'

type Db = Kysely<ConsumerTables>
type Trx = Transaction<ConsumerTables>

export type LetterPlace = { topic: string; partition: number; message_offset: string }

/** A page of dead letters in topic order, starting after a position. */
export function listDeadLetters(db: Db, after: LetterPlace | undefined, limit: number) {
  return db
    .selectFrom('dead_letter')
    .select(['topic', 'partition', 'message_offset', 'reason', 'created_at'])
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('topic', 'partition', 'message_offset'),
          '>',
          eb.tuple(after?.topic ?? '', after?.partition ?? 0, after?.message_offset ?? ''),
        ),
      ),
    )
    .orderBy('topic')
    .orderBy('partition')
    .orderBy('message_offset')
    .limit(limit)
    .execute()
}

/**
 * Locks a dead letter and returns its payload in base64; undefined when another transaction has it locked or it is
 * gone.
 */
export async function lockDeadLetter(trx: Trx, place: LetterPlace): Promise<string | undefined> {
  const row = await trx
    .selectFrom('dead_letter')
    .select('payload')
    .where('topic', '=', place.topic)
    .where('partition', '=', place.partition)
    .where('message_offset', '=', place.message_offset)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.payload
}

/** Deletes a dead letter that was applied or discarded; undefined when it is gone. */
export function deleteDeadLetter(db: Db, place: LetterPlace) {
  return db
    .deleteFrom('dead_letter')
    .where('topic', '=', place.topic)
    .where('partition', '=', place.partition)
    .where('message_offset', '=', place.message_offset)
    .returning(['reason', 'created_at'])
    .executeTakeFirst()
}

/** Replaces the reason after another failed attempt. */
export async function setDeadLetterReason(db: Db, place: LetterPlace, reason: string): Promise<void> {
  await db
    .updateTable('dead_letter')
    .set({ reason })
    .where('topic', '=', place.topic)
    .where('partition', '=', place.partition)
    .where('message_offset', '=', place.message_offset)
    .execute()
}
