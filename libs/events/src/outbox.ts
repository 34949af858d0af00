import type { Event } from '@tapeline/contracts/event'
import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { SqlClient } from '@tapeline/database/work-signals'
import type { Transaction } from 'kysely'
import { insertOutboxRow, insertOutboxRowOn, type OutboxRow } from './outbox-queries.ts'
import { withTrace } from './trace-events.ts'

/** A version that gateways compare on every request; the relay writes it to Redis independently of Kafka. */
export type VersionChange = { accountId: string; field: string; version: number }

/** Saves an event in the transaction of its change, so that neither exists without the other. */
export async function recordEvent(
  trx: Transaction<OutboxTables>,
  event: Event<unknown>,
  change?: VersionChange,
  ...furtherChanges: VersionChange[]
): Promise<void> {
  const row = rowOf(event)
  await insertOutboxRow(trx, { ...row, ...versionOf(change) })
  // These rows are marked as sent, so that Kafka receives the event once and Redis every version.
  for (const further of furtherChanges) {
    await insertOutboxRow(trx, { ...row, ...versionOf(further), sent_at: row.created_at })
  }
}

/** As `recordEvent`, on a pg client: its transaction must be the one of the change. */
export async function recordEventOn(client: SqlClient, event: Event<unknown>): Promise<void> {
  await insertOutboxRowOn(client, { ...rowOf(event), ...versionOf(undefined) })
}

function rowOf(event: Event<unknown>): Omit<OutboxRow, keyof ReturnType<typeof versionOf>> {
  return {
    topic: topicOf(event),
    subject: event.subject,
    envelope: JSON.stringify(withTrace(event)),
    created_at: new Date(event.time),
  }
}

function versionOf(change: VersionChange | undefined) {
  return {
    version_account: change?.accountId ?? null,
    version_field: change?.field ?? null,
    version: change === undefined ? null : String(change.version),
  }
}

function topicOf(event: Event<unknown>): string {
  return event.source.slice('/tapeline/'.length)
}
