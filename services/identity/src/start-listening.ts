import type { OutboxTables } from '@tapeline/database/outbox-table'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { type RelayOptions, startRelay } from '@tapeline/events/relay'
import type { Foundation } from '@tapeline/service/process/start-service-process'
import type { Kysely } from 'kysely'
import type { Deps } from './deps.ts'
import { subscriptions } from './subscriptions.ts'

/** Starts the relay, and the consumer of notifications, reports and changed settings. */
export function startListening(
  deps: Pick<Deps, 'db' | 'raiseVersion' | 'now' | 'newId' | 'secret'>,
  relayDb: Kysely<OutboxTables>,
  events: Foundation['events'] & Pick<RelayOptions, 'signals'>,
) {
  const relay = startRelay({ ...events, db: relayDb, raiseVersion: deps.raiseVersion })
  const notices = startConsumer({ ...events, db: deps.db, group: 'identity', subscriptions: subscriptions(deps) })
  return {
    isStuck: () => notices.progress.isStuck(),
    stop: () => Promise.all([notices.stop(), relay.stop()]),
  }
}
