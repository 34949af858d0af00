import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackupRole } from './containers/backup-role.ts'
import { readForPreparation } from './containers/passwords.ts'
import { withRetries } from './containers/with-retries.ts'
import { demoAccountsFile, makeDemoAccounts } from './local/demo-accounts.ts'
import { dataFolder, REPOSITORY } from './local/folders.ts'
import { readPorts } from './local/ports/ports.ts'
import { createDatabases, makeTopics, migrateServices, seedServices } from './local/prepare-databases.ts'
import { runOnce } from './local/processes/run-once.ts'
import { readSecrets } from './local/secrets.ts'

const GRANTS_TIMEOUT_MS = 60_000

// Prepares everything that containers need before the first process starts; idempotent.
const dir = dataFolder()
mkdirSync(dir, { recursive: true, mode: 0o700 })
const secretsDir = required('SECRETS_DIR')
const passwords = readForPreparation(secretsDir)
makeDemoAccounts(dir, passwords.demo)
const around = {
  dir,
  ports: readPorts({}),
  secrets: readSecrets(secretsDir),
  addresses: {
    databaseUrl: required('DATABASE_URL'),
    redisUrl: required('REDIS_URL'),
    kafkaBrokers: required('KAFKA_BROKERS'),
  },
  databasePrefix: 'tapeline_',
  topicPrefix: '',
  gateways: 1,
  streamPorts: [],
}
const logAs = (what: string) => (text: string) => console.log(`${what}: ${text}`)

await step('databases', async () => {
  await createDatabases(around)
  await makeBackupRole(around.addresses.databaseUrl, around.databasePrefix, passwords.backup)
  return migrateServices(around, logAs('databases'))
})
await step('topics', () => makeTopics(around))
await step('kafka', grantRights)
await step('seed', () => seedServices(around, logAs('seed')))
logAs('demo accounts')(demoAccountsFile(dir))

/** Steps are idempotent: they are retried while a server is starting. */
async function step(what: string, work: () => Promise<string>): Promise<void> {
  logAs(what)(await withRetries(what, work, { log: console.log }))
}

async function grantRights(): Promise<string> {
  const script = join(REPOSITORY, 'libs', 'events', 'src', 'topics', 'make-grants.ts')
  const { code, output } = await runOnce(process.execPath, [script], { timeoutMs: GRANTS_TIMEOUT_MS })
  if (code !== 0) throw new Error(`rights at Kafka: ${output.trim()}`)
  return output.trim()
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
