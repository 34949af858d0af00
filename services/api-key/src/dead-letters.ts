import { randomUUIDv7 } from 'node:crypto'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { readConfig, secret } from '@tapeline/service/read-config'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { accountSubscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX: Config.properties.KAFKA_TOPIC_PREFIX,
})

// node src/dead-letters.ts list
// replay: lists or replays the account events that could not be applied. Audit stores those of usage.
const config = readConfig(Environment, process.env)
const pool = createPool({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'api-key-dead-letters',
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    db: connectDatabase<Tables>(pool),
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    subscriptions: accountSubscriptions({ now: () => new Date(), newId: () => randomUUIDv7() }),
    print: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  await pool.end()
}
