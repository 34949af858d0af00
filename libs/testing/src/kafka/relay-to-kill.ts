import { connectDatabase, createPool } from '@tapeline/database/connect'
import { createKafka } from '@tapeline/events/kafka'
import { startRelay } from '@tapeline/events/relay'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { DATABASE_URL = '', KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = process.env

/** The relay that the test kills. */
startRelay({
  db: connectDatabase(createPool({ url: DATABASE_URL, connectionsMax: 3, applicationName: 'relay-under-test' })),
  kafka: createKafka({ brokers: KAFKA_BROKERS, clientId: 'relay-under-test', log }),
  topicPrefix: KAFKA_TOPIC_PREFIX,
  log,
  now: () => new Date(),
  raiseVersion: async () => true,
})
process.stdin.on('close', () => process.exit(0)).resume()
