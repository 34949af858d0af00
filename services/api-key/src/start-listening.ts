import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { type RelayOptions, startRelay } from '@tapeline/events/relay'
import type { Foundation } from '@tapeline/service/process/start-service-process'
import type { Kysely } from 'kysely'
import type { Deps } from './deps.ts'
import { accountSubscriptions, usageSubscriptions } from './subscriptions.ts'

/** The last use may be recorded a second late: few large batches use less CPU than many small ones. */
const IN_COMPANY = { minBytes: 262_144, maxWaitTimeInMs: 1_000 }

/** Starts the relay and the consumers of account and usage events, which are independent of each other. */
export function startListening(
  deps: Deps,
  relayDb: Kysely<OutboxTables>,
  events: Foundation['events'] & Pick<RelayOptions, 'signals'>,
) {
  const relay = startRelay({ ...events, db: relayDb, raiseVersion: deps.raiseVersion })
  const accounts = startConsumer({
    ...events,
    db: deps.db,
    group: 'api-key',
    subscriptions: accountSubscriptions(deps),
  })
  const usage = startConsumer({
    ...events,
    db: deps.db,
    group: 'api-key-usage',
    subscriptions: usageSubscriptions(deps),
    // Audit stores the dead letters of this topic.
    isOnlooker: true,
    fetch: IN_COMPANY,
  })
  return {
    isStuck: () => accounts.progress.isStuck() || usage.progress.isStuck(),
    stop: () => Promise.all([accounts.stop(), usage.stop(), relay.stop()]),
  }
}
