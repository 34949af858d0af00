import type { Event } from '@tapeline/contracts/event'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'

let nextOffset = 1

/** Stores an event, or any other payload, as a dead letter. */
export async function storeDeadLetter<Tables extends ConsumerTables>(
  database: Kysely<Tables>,
  payload: Event<unknown> | string | Buffer,
): Promise<void> {
  const db = database as unknown as Kysely<ConsumerTables>
  const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
  await db
    .insertInto('dead_letter')
    .values({
      topic: 'identity',
      partition: 0,
      message_offset: String(nextOffset),
      reason: 'stored by a test',
      payload: Buffer.from(bytes).toString('base64'),
      created_at: new Date(),
    })
    .execute()
  nextOffset += 1
}

/** Payloads of all dead letters as text, in the order in which they were stored. */
export async function storedDeadLetters<Tables extends ConsumerTables>(database: Kysely<Tables>): Promise<string[]> {
  const db = database as unknown as Kysely<ConsumerTables>
  const rows = await db.selectFrom('dead_letter').select('payload').orderBy('message_offset').execute()
  return rows.map(({ payload }) => Buffer.from(payload, 'base64').toString())
}
