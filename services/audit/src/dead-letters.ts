import { randomUUIDv7 } from 'node:crypto'
import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { readConfig, secret } from '@tapeline/service/read-config'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { domainSubscriptions, marketSubscriptions, subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const { KAFKA_TOPIC_PREFIX, USAGE_ROWS_RETENTION_DAYS } = Config.properties
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX,
  USAGE_ROWS_RETENTION_DAYS,
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
  const deps = { db, now: () => new Date(), newId: () => randomUUIDv7(), retention, settings: fixedSettings() }
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
