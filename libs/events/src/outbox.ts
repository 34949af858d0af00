import type { Event } from '@tapeline/contracts/event'
import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { Transaction } from 'kysely'
import { insertOutboxRow } from './outbox-queries.ts'
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
  const row = {
    topic: topicOf(event),
    subject: event.subject,
    envelope: JSON.stringify(withTrace(event)),
    created_at: new Date(event.time),
  }
  await insertOutboxRow(trx, { ...row, ...versionOf(change) })
  // Rows marked as sent: Kafka gets the event once, Redis every version.
  for (const further of furtherChanges) {
    await insertOutboxRow(trx, { ...row, ...versionOf(further), sent_at: row.created_at })
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
