import { mkdirSync } from 'node:fs'
import { dataFolder } from './folders.ts'
import { launcherLock } from './processes/launcher-lock.ts'
import { takeLock } from './processes/lock-file.ts'
import { readArguments } from './processes/read-arguments.ts'
import { readPorts } from './ports/ports.ts'
import { createDatabases, makeTopics, migrateServices } from './prepare-databases.ts'
import type { Addresses } from './processes/process-environment.ts'
import { readSecrets } from './secrets.ts'
import { startServers } from './servers/servers.ts'
import { StartProblem } from './start-problem.ts'
import { stopLeftovers } from './processes/stop-leftovers.ts'
import { openTerminal } from './terminal.ts'

// npm run migrate: databases, roles, tables and topics; on the running platform, on given servers, or on started ones.
readArguments(
  `Usage: npm run migrate

Creates or updates the databases, roles, tables and Kafka topics of the platform in TAPELINE_DIR (.tapeline), running or not.
For other servers, set DATABASE_URL, REDIS_URL and KAFKA_BROKERS.
`,
  {},
)
const dir = dataFolder()
const ports = readPorts(process.env)
const terminal = openTerminal({ isJson: false, out: process.stdout, onDisconnected: () => process.exit(1) })
try {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = takeLock(launcherLock(dir))
  if (lock.taken) {
    await stopLeftovers(dir, terminal.notice)
    const servers = await startServers({ dir, ports, env: process.env, step: terminal.step })
    await migrate(servers).finally(servers.stop)
    lock.release()
  } else {
    await migrate(addressesOfRunning())
  }
} catch (error) {
  process.stderr.write(`${error instanceof StartProblem ? error.line : String(error)}\n`)
  process.exitCode = 1
}
terminal.end()

async function migrate(addresses: Addresses): Promise<void> {
  const environment = {
    dir,
    ports,
    addresses,
    secrets: readSecrets(dir),
    databasePrefix: process.env.DATABASE_PREFIX || 'tapeline_',
    topicPrefix: process.env.KAFKA_TOPIC_PREFIX || '',
    gateways: 1,
    streamPorts: [],
  }
  await terminal.step('Databases', async (report) => {
    await createDatabases(environment)
    report(await migrateServices(environment, report))
  })
  await terminal.step('Kafka topics', async (report) => report(await makeTopics(environment)))
}

function addressesOfRunning(): Addresses {
  const password = readSecrets(dir).postgresPassword
  return {
    databaseUrl: process.env.DATABASE_URL || `postgres://postgres:${password}@127.0.0.1:${ports.postgres}`,
    redisUrl: process.env.REDIS_URL || `redis://127.0.0.1:${ports.redis}`,
    kafkaBrokers: process.env.KAFKA_BROKERS || `127.0.0.1:${ports.kafka}`,
  }
}
