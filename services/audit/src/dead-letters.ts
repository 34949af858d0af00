import { randomUUIDv7 } from 'node:crypto'
import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { runDeadLetterProcess } from '@tapeline/service/process/run-dead-letter-process'
import { openStore } from '@tapeline/objects/open-store'
import { readConfig, secret } from '@tapeline/service/read-config'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { domainSubscriptions, marketSubscriptions, subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

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

// node src/dead-letters.ts list | replay | discard <topic> <partition> <offset>: events that could not be applied.
const config = readConfig(Environment, process.env)
const service = { name: 'audit', databaseUrl: config.DATABASE_URL, topicPrefix: config.KAFKA_TOPIC_PREFIX }
await runDeadLetterProcess<Tables>(service, (db) => {
  const retention = { rowDays: config.USAGE_ROWS_RETENTION_DAYS }
  // Late events are looked up in archived days.
  const store = config.LAKE_URL === '' ? undefined : openStore(config)
  const deps = { db, now: () => new Date(), newId: () => randomUUIDv7(), retention, settings: fixedSettings(), store }
  return {
    subscriptions: [...subscriptions(deps), ...domainSubscriptions(deps), ...marketSubscriptions(deps)],
    strictTopics: [usageRequestServed.topic],
  }
})
