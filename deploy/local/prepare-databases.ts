import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabaseIfAbsent, findDatabaseNote, noteOnDatabase, upsertRole, withServer } from './database-queries.ts'
import { demoAccountsFile, readDemoAccounts } from './demo-accounts.ts'
import { REPOSITORY } from './folders.ts'
import { outputTail } from './output-tail.ts'
import { type BaseEnvironment, databaseName, serviceEnvironment } from './processes/process-environment.ts'
import type { Report } from './report.ts'
import { runOnce } from './processes/run-once.ts'
import { SERVICES, type ServiceName } from './secrets.ts'
import { sourceHash } from './source-hash.ts'
import { StartProblem } from './start-problem.ts'

type Task = 'migrate' | 'seed'

const MIGRATE_TIMEOUT_MS = 120_000
/** The first seed writes two days of simulated history. */
const SEED_TIMEOUT_MS = 300_000
const LIBRARIES = [
  'libs/contracts/src',
  'libs/database/src',
  'libs/events/src',
  'libs/service/src',
  'package-lock.json',
]

/** One database and one role per service. */
export async function createDatabases({ addresses, secrets, databasePrefix }: BaseEnvironment): Promise<void> {
  await withServer(addresses.databaseUrl, async (client) => {
    for (const service of SERVICES) {
      const name = databaseName(service, databasePrefix)
      await upsertRole(client, name, secrets.databasePasswords[service] ?? '')
      await createDatabaseIfAbsent(client, name)
    }
  })
}

/** Runs the migrations of all services in parallel, except those that this source version has already run. */
export async function migrateServices(environment: BaseEnvironment, report: Report): Promise<string> {
  const done = await Promise.all(
    SERVICES.map(async (service) => runUnlessNoted(service, 'migrate', environment, report)),
  )
  return summarise(done, 'migrated')
}

/** The demo accounts and reference data. api-key comes last: it writes the demo key into the file the others read. */
export async function seedServices(environment: BaseEnvironment, report: Report): Promise<string> {
  const others = SERVICES.filter((service) => service !== 'api-key')
  const done = await Promise.all(others.map(async (service) => runUnlessNoted(service, 'seed', environment, report)))
  done.push(await runUnlessNoted('api-key', 'seed', environment, report))
  return summarise(done, 'seeded')
}

/**
 * For the local Kafka, recorded in its folder, so that the record is lost together with the topics; the topics of an
 * external Kafka are always checked.
 */
export async function makeTopics({ dir, ports, addresses, topicPrefix }: BaseEnvironment): Promise<string> {
  const script = join(REPOSITORY, 'libs', 'events', 'src', 'topics', 'make-topics.ts')
  const isOwn = addresses.kafkaBrokers === `127.0.0.1:${ports.kafka}`
  const note = join(dir, 'kafka', 'tapeline-topics')
  const version = `${sourceHash(['libs/contracts/src', 'libs/events/src'])} ${topicPrefix}`
  if (isOwn && existsSync(note) && readFileSync(note, 'utf8') === version) return 'up to date'
  const env = { ...process.env, KAFKA_BROKERS: addresses.kafkaBrokers, KAFKA_TOPIC_PREFIX: topicPrefix }
  const output = await runScript('topics', script, { env, timeoutMs: MIGRATE_TIMEOUT_MS })
  if (isOwn) writeFileSync(note, version)
  return (
    output
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^topics: /, '') ?? ''
  )
}

async function runUnlessNoted(
  service: ServiceName,
  task: Task,
  environment: BaseEnvironment,
  report: Report,
): Promise<boolean> {
  const script = join(REPOSITORY, 'services', service, 'src', `${task}.ts`)
  if (!existsSync(script)) return false
  const { databaseUrl } = environment.addresses
  const database = databaseName(service, environment.databasePrefix)
  const hash = hashFor(service, task, environment.dir)
  const note = parseNote(await withServer(databaseUrl, async (client) => findDatabaseNote(client, database)))
  if (note[task] === hash && !(task === 'seed' && service === 'api-key' && isDemoKeyMissing(environment.dir)))
    return false
  const env = { ...serviceEnvironment(service, environment), DEMO_ACCOUNTS_FILE: demoAccountsFile(environment.dir) }
  const timeoutMs = task === 'seed' ? SEED_TIMEOUT_MS : MIGRATE_TIMEOUT_MS
  await runScript(`${service} ${task}`, script, { env, timeoutMs, onLine: (line) => report(line.slice(0, 100)) })
  await withServer(databaseUrl, async (client) => {
    const before = parseNote(await findDatabaseNote(client, database))
    await noteOnDatabase(client, database, JSON.stringify({ ...before, [task]: hash }))
  })
  return true
}

function hashFor(service: ServiceName, task: Task, dir: string): string {
  const source = sourceHash([`services/${service}/src`, ...LIBRARIES])
  return task === 'migrate' ? source : `${source}-${readDemoAccounts(dir).accounts[0]?.id ?? ''}`
}

function isDemoKeyMissing(dir: string): boolean {
  return readDemoAccounts(dir).api_key === null
}

function parseNote(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

type ScriptOptions = { env: NodeJS.ProcessEnv; timeoutMs: number; onLine?: (line: string) => void }

async function runScript(title: string, script: string, options: ScriptOptions): Promise<string> {
  const { code, output } = await runOnce(process.execPath, [script], {
    ...options,
    cwd: REPOSITORY,
  })
  if (code !== 0) {
    throw new StartProblem(
      `${title} failed:\n${outputTail(title, output.split('\n'))}\n`,
      'No existing data was changed. Fix the cause and start again.',
    )
  }
  return output
}

function summarise(done: boolean[], verb: string): string {
  const count = done.filter(Boolean).length
  return count === 0 ? 'up to date' : `${count} ${verb}`
}
