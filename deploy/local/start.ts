import { parseArgs } from 'node:util'
import { archiveSettings, findArchive } from './backup/archive.ts'
import { checkBeforeStart } from './check-before-start.ts'
import { dataFolder } from './folders.ts'
import { endGuarded, killGuarded } from './processes/guard.ts'
import { startPlatform, type Platform } from './platform.ts'
import { readPorts } from './ports/ports.ts'
import { StartProblem } from './start-problem.ts'
import { formatSummary } from './summary.ts'
import { openTerminal } from './terminal.ts'

// npm start. With --watch (npm run dev) every process restarts when its source changes; --json prints the raw log lines.
const { values } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})

/** npm forwards Ctrl-C a second time; only a later one means "stop immediately". */
const SAME_SIGNAL_MS = 1_000
const PARENT_CHECK_MS = 1_000
const STOP_DEADLINE_MS = 9_500

const startedMs = Date.now()
let platform: Platform | undefined
let stoppingSinceMs: number | undefined
const terminal = openTerminal({
  isJson: values.json,
  out: process.stdout,
  onDisconnected: () => requestStop('output closed'),
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal))
stopWithNpm()
process.on('unhandledRejection', (error) => fail(error))
process.on('uncaughtException', (error) => fail(error))

try {
  await start()
} catch (error) {
  await fail(error)
}

async function start(): Promise<void> {
  const dir = dataFolder()
  const ports = readPorts(process.env)
  const archive = findArchive(process.env)
  terminal.write(`Tapeline starts from ${dir}`)
  await checkBeforeStart(dir, ports, process.env)
  platform = await startPlatform({
    dir,
    ports,
    servers: process.env,
    databasePrefix: process.env.DATABASE_PREFIX || 'tapeline_',
    topicPrefix: process.env.KAFKA_TOPIC_PREFIX || '',
    isWatching: values.watch,
    postgresSettings: archive === undefined ? {} : archiveSettings(archive),
    step: terminal.step,
    onLine: terminal.log,
    onNotice: (text) => {
      if (stoppingSinceMs === undefined) terminal.notice(text)
    },
  })
  const { accounts, apiKey, processes } = platform
  const names = processes.map(({ name }) => name)
  terminal.write(
    formatSummary({ accounts, apiKey, ports, dir, processes: names, seconds: (Date.now() - startedMs) / 1000 }),
  )
  terminal.followLogs()
}

function requestStop(reason: string): void {
  const now = Date.now()
  if (stoppingSinceMs !== undefined) {
    if (now - stoppingSinceMs > SAME_SIGNAL_MS) exitAtOnce()
    return
  }
  stoppingSinceMs = now
  terminal.end()
  terminal.write(`\n  Stopping (${reason}). Press Ctrl-C again to stop immediately.`)
  setTimeout(exitAtOnce, STOP_DEADLINE_MS).unref()
  // During startup only the guard tracks all processes.
  const stopped = platform === undefined ? endGuarded() : platform.stop()
  void stopped
    .catch(() => killGuarded())
    .then(() => {
      terminal.write(`  Stopped after ${((Date.now() - now) / 1000).toFixed(1)} s`)
      process.exit(reason === 'SIGINT' ? 130 : 0)
    })
}

/** npm forwards no signal when it is killed with SIGKILL; its orphan detects that by its new parent. */
function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) requestStop('npm is gone')
  }, PARENT_CHECK_MS)
  watch.unref()
}

function exitAtOnce(): never {
  killGuarded()
  process.exit(1)
}

async function fail(error: unknown): Promise<void> {
  if (stoppingSinceMs !== undefined) return
  stoppingSinceMs = Date.now()
  terminal.end()
  const text =
    error instanceof StartProblem ? error.line : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`\nTapeline cannot run: ${text}\n`)
  await (platform === undefined ? endGuarded() : platform.stop()).catch(() => killGuarded())
  process.exit(1)
}
