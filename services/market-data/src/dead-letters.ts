import { createPool } from '@tapeline/database/connect'
import { runDeadLetterCommand } from '@tapeline/events/dead-letters/dead-letter-command'
import { readConfig, secret } from '@tapeline/service/read-config'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { createDeps } from './deps.ts'
import { subscriptions } from './subscriptions.ts'

/** A command can wait longer for a busy PostgreSQL than a request can. */
const CONNECT_TIMEOUT_MS = 30_000
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
  applicationName: 'market-data-dead-letters',
  connectTimeoutMs: CONNECT_TIMEOUT_MS,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  // This command signs no cursors.
  const deps = createDeps(pool, () => new Date(), '')
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    db: deps.db,
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    subscriptions: subscriptions(deps),
    print: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  await pool.end()
}
