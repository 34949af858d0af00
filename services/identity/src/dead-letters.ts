import { randomUUIDv7 } from 'node:crypto'
import { runDeadLetterProcess } from '@tapeline/service/process/run-dead-letter-process'
import { readSecrets } from '@tapeline/service/encryption'
import { readConfig, secret } from '@tapeline/service/read-config'
import { Type } from 'typebox'
import { Config } from './config.ts'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

const { KAFKA_TOPIC_PREFIX, IDENTITY_SECRET } = Config.properties
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  KAFKA_TOPIC_PREFIX,
  IDENTITY_SECRET,
})

// node src/dead-letters.ts list | replay | discard <topic> <partition> <offset>: events that could not be applied.
const config = readConfig(Environment, process.env)
const service = { name: 'identity', databaseUrl: config.DATABASE_URL, topicPrefix: config.KAFKA_TOPIC_PREFIX }
await runDeadLetterProcess<Tables>(service, () => ({
  subscriptions: subscriptions({
    now: () => new Date(),
    newId: () => randomUUIDv7(),
    secret: readSecrets(config.IDENTITY_SECRET),
  }),
}))
