import type { ColumnType, Kysely } from 'kysely'
import { sql } from 'kysely'

/** Next offset to apply per partition; written in the same transaction as the effect. */
export type ConsumerOffsetTable = { topic: string; partition: number; next_offset: string }

/** Messages that could not be parsed or applied, with the reason. */
export type DeadLetterTable = {
  topic: string
  partition: number
  message_offset: string
  reason: string
  payload: string
  created_at: ColumnType<Date, Date, never>
}
export type ConsumerTables = { consumer_offset: ConsumerOffsetTable; dead_letter: DeadLetterTable }

/** Creates the consumer's tables; called by the first migration of every consuming service. */
export async function createConsumerTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table consumer_offset (
      topic text not null,
      partition integer not null,
      next_offset bigint not null,
      primary key (topic, partition)
    )`.execute(db)
  await sql`
    create table dead_letter (
      topic text not null,
      partition integer not null,
      message_offset bigint not null,
      reason text not null,
      payload text not null,
      created_at timestamptz not null,
      primary key (topic, partition, message_offset)
    )`.execute(db)
}
