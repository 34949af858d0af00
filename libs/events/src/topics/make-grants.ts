import { aclsOf } from './grants.ts'
import { createKafka } from '../kafka.ts'

// Creates the ACLs of every process on a Kafka with authentication; connects as its administrator. Idempotent.
const brokers = process.env.KAFKA_BROKERS
if (brokers === undefined) {
  process.stderr.write('grants: KAFKA_BROKERS is missing\n')
  process.exit(1)
}
const log = { debug: () => {}, info: () => {}, warn: line, error: line }
const admin = createKafka({ brokers, clientId: 'tapeline-grants', log }).admin()
await admin.connect()
const acl = aclsOf(process.env.KAFKA_TOPIC_PREFIX ?? '')
await admin.createAcls({ acl }).finally(() => admin.disconnect())
process.stdout.write(`grants: ${acl.length} in place\n`)

function line(fields: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}
