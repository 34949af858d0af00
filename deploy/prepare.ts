import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoAccountsFile, makeDemoAccounts } from './local/demo-accounts.ts'
import { dataFolder } from './local/folders.ts'
import { readPorts } from './local/ports.ts'
import { createDatabases, makeTopics, migrateServices, seedServices } from './local/prepare-databases.ts'
import { gatewayEnvironment, inheritedEnvironment, serviceEnvironment } from './local/process-environment.ts'
import { readSecrets, SERVICES } from './local/secrets.ts'

/** Also set for this process itself. */
const OF_SERVERS = /^(DATABASE|REDIS|KAFKA)_/

// What containers need before the first process starts; running it again changes nothing that is there.
const dir = dataFolder()
mkdirSync(dir, { recursive: true, mode: 0o700 })
makeDemoAccounts(dir)
const ports = readPorts({})
const around = {
  dir,
  ports,
  secrets: readSecrets(dir),
  addresses: {
    databaseUrl: required('DATABASE_URL'),
    redisUrl: required('REDIS_URL'),
    kafkaBrokers: required('KAFKA_BROKERS'),
  },
  databasePrefix: 'tapeline_',
  topicPrefix: '',
  gateways: 1,
}
const say = (what: string) => (text: string) => console.log(`${what}: ${text}`)

await createDatabases(around)
say('databases')(await migrateServices(around, say('databases')))
say('topics')(await makeTopics(around))
say('seed')(await seedServices(around, say('seed')))
for (const service of SERVICES) writeEnvironment(service, serviceEnvironment(service, around))
writeEnvironment('gateway', gatewayEnvironment(1, ports.gateway, around))
say('demo accounts')(demoAccountsFile(dir))

/** Only what is the process's own; Node reads it with --env-file. */
function writeEnvironment(name: string, environment: NodeJS.ProcessEnv): void {
  const inherited = inheritedEnvironment()
  const own = Object.entries(environment).filter(([key]) => inherited[key] === undefined || OF_SERVERS.test(key))
  const lines = own.map(([key, value]) => `${key}="${value}"\n`)
  writeFileSync(join(dir, `${name}.env`), lines.join(''), { mode: 0o600 })
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
