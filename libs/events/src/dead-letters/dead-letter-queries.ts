import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

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

/** Each is decoded: a statement for all of them could take longer than PostgreSQL allows one. */
const SEARCHED_ROWS = 1_000

/**
 * Deletes the dead letters about an account that is deleted: events whose `account` is the id, and messages without an
 * `account` that contain the id. An event about another account or the platform stays, also if this account caused it.
 */
export async function deleteDeadLettersOf<Tables extends ConsumerTables>(
  trx: Transaction<Tables>,
  accountId: string,
  searchedRows = SEARCHED_ROWS,
): Promise<void> {
  // As text without white space. `escape`, because a payload need not be UTF-8.
  const text = sql`regexp_replace(encode(decode(payload, 'base64'), 'escape'), '\\s', '', 'g')`
  for (let isAfter = sql`true`; ;) {
    const through = await findPageEnd(trx, isAfter, searchedRows)
    const isThrough = through === undefined ? sql`true` : sql`${PLACE} <= (${placeOf(through)})`
    await sql`
      delete from dead_letter
      where ${isAfter} and ${isThrough} and position(${accountId} in ${text}) > 0
        and (position(${`"account":"${accountId}"`} in ${text}) > 0 or position('"account":' in ${text}) = 0)`.execute(
      trx,
    )
    if (through === undefined) return
    isAfter = sql`${PLACE} > (${placeOf(through)})`
  }
}

const PLACE = sql`(topic, partition, message_offset)`

function placeOf({ topic, partition, message_offset: offset }: LetterPlace): RawBuilder<unknown> {
  return sql`${topic}::text, ${partition}::integer, ${offset}::bigint`
}

/** The last of the first `limit` letters that meet the condition; undefined: there are fewer. */
async function findPageEnd<Tables extends ConsumerTables>(
  trx: Transaction<Tables>,
  isAfter: RawBuilder<unknown>,
  limit: number,
): Promise<LetterPlace | undefined> {
  const { rows } = await sql<LetterPlace>`
    select topic, partition, message_offset from dead_letter
    where ${isAfter} order by topic, partition, message_offset offset ${limit - 1} limit 1`.execute(trx)
  return rows[0]
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
