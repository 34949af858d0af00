import { randomUUIDv7 } from 'node:crypto'
import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { openStore } from '@tapeline/objects/open-store'
import { readConfig, secret } from '@tapeline/service/read-config'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { domainSubscriptions, marketSubscriptions, subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const { KAFKA_TOPIC_PREFIX, USAGE_ROWS_RETENTION_DAYS, LAKE_URL, LAKE_ACCESS_KEY_ID, LAKE_SECRET_ACCESS_KEY } =
  Config.properties
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX,
  USAGE_ROWS_RETENTION_DAYS,
  LAKE_URL,
  LAKE_ACCESS_KEY_ID,
  LAKE_SECRET_ACCESS_KEY,
})

// node src/dead-letters.ts list
// replay: lists or replays the events that could not be applied.
const config = readConfig(Environment, process.env)
const pool = createPool({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'audit-dead-letters',
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  const db = connectDatabase<Tables>(pool)
  const retention = { rowDays: config.USAGE_ROWS_RETENTION_DAYS }
  // Late events are looked up in archived days.
  const store = config.LAKE_URL === '' ? undefined : openStore(config)
  const deps = { db, now: () => new Date(), newId: () => randomUUIDv7(), retention, settings: fixedSettings(), store }
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    db,
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    subscriptions: [...subscriptions(deps), ...domainSubscriptions(deps), ...marketSubscriptions(deps)],
    strictTopics: [usageRequestServed.topic],
    print: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  await pool.end()
}
