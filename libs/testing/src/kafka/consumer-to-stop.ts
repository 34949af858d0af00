import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { createKafka } from '@tapeline/events/kafka'
import { on } from '@tapeline/events/subscription'
import { nameOf, type NoteTables } from '../note-tables.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { DATABASE_URL = '', KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '', GROUP = '' } = process.env
const { PAUSE_MS = '0', STOP_AT_CONNECTION = '0' } = process.env
const STUCK_CHECK_MS = 500
const EXIT_STUCK = 3
const pool = createPool({ url: DATABASE_URL, connectionsMax: 3, applicationName: 'consumer-under-test' })

/** With a batch in memory and its transaction not begun, the process stops itself until it receives SIGCONT. */
let connections = 0
pool.on('acquire', () => {
  connections += 1
  if (connections !== Number(STOP_AT_CONNECTION)) return
  process.stdout.write('stops\n')
  process.kill(process.pid, 'SIGSTOP')
})

/** A consumer to be stopped in the middle of its work: prints each name before and after it is stored. */
const consumer = startConsumer<NoteTables>({
  kafka: createKafka({ brokers: KAFKA_BROKERS, clientId: 'consumer-under-test', log }),
  db: connectDatabase(pool),
  group: GROUP,
  topicPrefix: KAFKA_TOPIC_PREFIX,
  subscriptions: [
    on(apiKeyCreated, async (trx, event) => {
      process.stdout.write(`begins ${nameOf(event)}\n`)
      await new Promise((resolve) => setTimeout(resolve, Number(PAUSE_MS)))
      await trx
        .insertInto('note')
        .values({ text: nameOf(event) })
        .execute()
      process.stdout.write(`noted ${nameOf(event)}\n`)
    }),
  ],
  log,
  now: () => new Date(),
})
// As a service process does; it is started again then.
setInterval(() => {
  if (consumer.progress.isStuck()) process.exit(EXIT_STUCK)
}, STUCK_CHECK_MS)
process.stdin.on('close', () => process.exit(0)).resume()
