import { type Event, newEvent } from '@tapeline/contracts/event'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { type ConsumerTables, createConsumerTables } from '@tapeline/database/consumer-tables'
import type { Migrations } from '@tapeline/database/migrate'
import { createOutboxTable, type OutboxTables } from '@tapeline/database/outbox-table'
import type { Generated } from 'kysely'

/** Tables of a test service that publishes key events and stores the names of those it receives. */
export type NoteTables = OutboxTables & ConsumerTables & { note: { position: Generated<string>; text: string } }

export const noteMigrations: Migrations = {
  '0001-create-notes': {
    async up(db) {
      await createOutboxTable(db)
      await createConsumerTables(db)
      await db.schema
        .createTable('note')
        .addColumn('position', 'bigserial')
        .addColumn('text', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

/** An `api-key.created` event with this key name. */
export function keyCreated(subject: string, name: string): Event<unknown> {
  return newEvent(apiKeyCreated, {
    id: crypto.randomUUID(),
    time: new Date(),
    subject,
    account: subject,
    actor: { kind: 'service', service: 'api-key' },
    data: { key_id: crypto.randomUUID(), kid: 'abcdefghijkl', account_id: subject, name, version: 1 },
  })
}

/**
 * The key name in an event made by `keyCreated`.
 * @throws Error for any other value
 */
export function nameOf(event: unknown): string {
  if (typeof event !== 'object' || event === null || !('data' in event)) throw new Error('not an event')
  const { data } = event
  if (typeof data !== 'object' || data === null || !('name' in data)) throw new Error('an event without a name')
  return String(data.name)
}
