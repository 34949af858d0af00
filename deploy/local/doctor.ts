import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDisk, checkFolder, checkNode, checkPorts } from './check-before-start.ts'
import { cacheFolder, dataFolder, REPOSITORY } from './folders.ts'
import { checkExternalServers } from './external-servers.ts'
import { findJava } from './servers/java.ts'
import { readArguments } from './processes/read-arguments.ts'
import { readLauncherLock } from './processes/launcher-lock.ts'
import { isFetched, MAVEN_REMEDY } from './servers/maven.ts'
import { measureMemory, measureProcessor, type Share } from './measure-processes.ts'
import { readPorts } from './ports/ports.ts'
import { findPostgresProgram } from './servers/postgres-program.ts'
import { findInstalledRedis } from './servers/redis-binary.ts'
import { runOnce } from './processes/run-once.ts'
import { StartProblem } from './start-problem.ts'
import { findUnprivileged } from './servers/unprivileged.ts'

// npm run doctor: lists everything that prevents the platform from starting, each with a solution.
const USAGE = `Usage: npm run doctor [-- --venues]

Lists everything that prevents npm start from starting, each with a solution. --venues tries to connect to every venue.
`
const { values } = readArguments(USAGE, { venues: { type: 'boolean', default: false } })
type Finding = { title: string; result: string; problems: StartProblem[] }
type Check = { title: string; run: () => Promise<string> }

const MAVEN_TIMEOUT_MS = 20_000
const VENUES_TIMEOUT_MS = 20_000
const PROCESSOR_MS = 10_000
/** One symbol of each feed, to check that the feed can be reached. */
const EVERY_FEED = 'binance:BTC-USDT,BTC-USDT-PERP,BTC-USD-PERP coinbase:BTC-USD kraken:BTC-USD okx:BTC-USDT'
const env = process.env
const dir = dataFolder()
const cache = cacheFolder()

const checks: Check[] = [
  { title: 'Node', run: async () => okOr(checkNode(), process.versions.node) },
  { title: 'System', run: async () => `${process.platform} on ${process.arch}` },
  {
    title: 'PostgreSQL',
    run: async () => (env.DATABASE_URL ? 'external (DATABASE_URL)' : findPostgresProgram() && 'from npm, 18'),
  },
  { title: 'User', run: async () => describeUser() },
  {
    title: 'Java',
    run: async () => (env.KAFKA_BROKERS ? 'not needed: KAFKA_BROKERS is set' : (await findJava()).version),
  },
  { title: 'Maven', run: async () => describeMaven() },
  { title: 'Redis', run: async () => describeRedis() },
  { title: 'Data folder', run: async () => okOr(checkFolder(dir, 'TAPELINE_DIR'), describeData()) },
  { title: 'Cache', run: async () => okOr(checkFolder(cache, 'TAPELINE_CACHE_DIR'), cache) },
  { title: 'Disk', run: async () => okOr(checkDisk(dir), 'enough free space') },
  { title: 'Ports', run: async () => describePorts() },
  { title: 'Own servers', run: async () => describeExternal() },
  { title: 'Venues', run: async () => describeVenues() },
  { title: 'Memory', run: async () => describeMemory() },
  { title: 'Processor', run: async () => describeProcessor() },
]

const findings = await Promise.all(checks.map(examine))
for (const { title, result, problems } of findings) {
  if (problems.length === 0) process.stdout.write(`ok       ${title.padEnd(12)} ${result}\n`)
  for (const problem of problems)
    process.stdout.write(
      `problem  ${title.padEnd(12)} ${problem.message}\n         ${' '.repeat(12)} ${problem.remedy}\n`,
    )
}
const count = findings.reduce((sum, { problems }) => sum + problems.length, 0)
process.stdout.write(
  count === 0
    ? '\nNo problems found; npm start can run.\n'
    : `\n${count} ${count === 1 ? 'problem' : 'problems'} to fix before npm start.\n`,
)
process.exitCode = count === 0 ? 0 : 1

async function examine({ title, run }: Check): Promise<Finding> {
  try {
    return { title, result: await run(), problems: [] }
  } catch (error) {
    if (error instanceof StartProblem) return { title, result: '', problems: [error] }
    if (error instanceof AggregateError)
      return { title, result: '', problems: error.errors.filter((each) => each instanceof StartProblem) }
    throw error
  }
}

function okOr(problem: StartProblem | undefined, result: string): string {
  if (problem !== undefined) throw problem
  return result
}

function allOf(problems: StartProblem[], result: string): string {
  if (problems.length > 0) throw new AggregateError(problems)
  return result
}

function describeUser(): string {
  if (process.getuid?.() !== 0) return 'not root'
  if (env.DATABASE_URL) return 'root'
  const { runAs } = findUnprivileged(join(dir, 'postgres'), findPostgresProgram())
  return runAs === undefined ? 'root; PostgreSQL runs in a user namespace' : 'root; PostgreSQL runs as nobody'
}

async function describeMaven(): Promise<string> {
  const needsKafka = !env.KAFKA_BROKERS && !isFetched(cache, 'kafka')
  const needsRedis = !env.REDIS_URL && (await findInstalledRedis()) === undefined && !isFetched(cache, 'redis')
  if (!needsKafka && !needsRedis) return 'not needed: the servers are installed'
  const { code, output } = await runOnce('mvn', ['-v'], { timeoutMs: MAVEN_TIMEOUT_MS })
  if (code !== 0) throw new StartProblem('Maven was not found; the first start fetches Kafka with it.', MAVEN_REMEDY)
  return /Apache Maven ([\d.]+)/.exec(output)?.[1] ?? 'found'
}

async function describeRedis(): Promise<string> {
  if (env.REDIS_URL) return 'external (REDIS_URL)'
  const version = await findInstalledRedis()
  return version === undefined ? 'fetched by Maven (6.2)' : `redis-server ${version}`
}

function describeData(): string {
  const version = join(dir, 'postgres', 'PG_VERSION')
  if (existsSync(join(dir, 'postgres')) && !env.DATABASE_URL) {
    if (!existsSync(version) || readFileSync(version, 'utf8').trim() !== '18') {
      throw new StartProblem(
        `${join(dir, 'postgres')} is not a data folder of PostgreSQL 18.`,
        `Restore it, or start with empty data: mv ${dir} ${dir}.damaged`,
      )
    }
    if (!existsSync(join(dir, 'secrets.json')))
      throw new StartProblem(
        `${dir} has data but no secrets.json with its passwords.`,
        `Restore it, or start with empty data: mv ${dir} ${dir}.damaged`,
      )
  }
  return `${dir}${existsSync(version) ? '' : ' (new)'}`
}

async function describePorts(): Promise<string> {
  const ports = readPorts(env)
  const { holder } = readLauncherLock(dir)
  const problems = await checkPorts(dir, ports, env)
  return allOf(
    problems,
    holder === undefined
      ? `free: ${Object.values(ports).join(', ')}`
      : `Tapeline already runs from here (process ${holder.pid})`,
  )
}

async function describeExternal(): Promise<string> {
  const configured = ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS'].filter((name) => env[name])
  const result = configured.length === 0 ? 'none configured' : `${configured.join(', ')}: reachable`
  return allOf(await checkExternalServers(env), result)
}

/** The service has the addresses of the feeds; its script prints a line per feed that cannot be reached. */
async function describeVenues(): Promise<string> {
  if (!env.CONNECT && !values.venues) return 'CONNECT is not set; npm run doctor -- --venues tries every feed'
  const script = join(REPOSITORY, 'services', 'market-data', 'src', 'check-venues.ts')
  const { code, output } = await runOnce(process.execPath, [script], {
    timeoutMs: VENUES_TIMEOUT_MS,
    env: { ...env, CONNECT: env.CONNECT || EVERY_FEED },
  })
  const lines = output.split('\n').filter((line) => line !== '')
  if (code === 0) return lines.join(', ')
  throw new AggregateError(
    lines.map(
      (line) => new StartProblem(line, 'Check the network, CONNECT and CONNECT_ADDRESSES (docs/connecting.md).'),
    ),
  )
}

function describeMemory(): string {
  const { holder } = readLauncherLock(dir)
  if (holder === undefined) return 'the platform is not running'
  const shares = measureMemory(dir, holder.pid)
  return `${sumOf(shares)} MB (PSS): ${listOf(shares)}`
}

async function describeProcessor(): Promise<string> {
  const { holder } = readLauncherLock(dir)
  if (holder === undefined) return 'the platform is not running'
  const shares = await measureProcessor(dir, holder.pid, PROCESSOR_MS)
  return `${sumOf(shares).toFixed(1)} % of one core during ${PROCESSOR_MS / 1_000} s: ${listOf(shares)}`
}

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { value }) => sum + value, 0)
}

function listOf(shares: readonly Share[]): string {
  return shares.map(({ name, value }) => `${name} ${value}`).join(', ')
}
