import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { readConfig, secret } from '@tapeline/service/read-config'
import { randomUUIDv7 } from 'node:crypto'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 60_000
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX: Config.properties.KAFKA_TOPIC_PREFIX,
})

// node src/dead-letters.ts list | replay: prints the dead letters, or processes them again.
const config = readConfig(Environment, process.env)
const pool = createPool({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'config-dead-letters',
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    db: connectDatabase<Tables>(pool),
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    subscriptions: subscriptions({ now: () => new Date(), newId: () => randomUUIDv7() }),
    print: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  await pool.end()
}
