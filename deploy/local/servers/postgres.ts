import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { lastErrorLine, logEnd } from './log-tail.ts'
import { stopGroup, stopLeftover } from '../processes/pid-file.ts'
import { isListening } from '../ports/port-owner.ts'
import { PortInUse } from '../ports/port-in-use.ts'
import { findPostgresProgram } from './postgres-program.ts'
import { commandLineOf, identify } from '../processes/process-identity.ts'
import { runChild } from '../processes/run-child.ts'
import { runOnce } from '../processes/run-once.ts'
import type { ServerOptions, ServerProcess } from './server-process.ts'
import { StartProblem } from '../start-problem.ts'
import { findUnprivileged, type Unprivileged } from './unprivileged.ts'
import { waitForServer } from './wait-for-server.ts'

export type PostgresOptions = ServerOptions & {
  password: string
  /** PostgreSQL's own, for example `{ max_connections: '300', fsync: 'off' }`. */
  settings?: Record<string, string>
  /** Environment of PostgreSQL and the commands it runs; by default, that of this process. */
  env?: NodeJS.ProcessEnv
  readyTimeoutMs?: number
}

const MAJOR = '18'
const SUPERUSER = 'postgres'
const DEFAULT_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '150',
  shared_preload_libraries: 'pg_stat_statements',
  log_min_messages: 'warning',
  // DETAIL names the values of the row that violates a constraint: an e-mail address, for example.
  log_error_verbosity: 'terse',
}
const INITDB_TIMEOUT_MS = 60_000
/** Long enough to replay the log of a killed predecessor. */
const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000

export async function startPostgres(options: PostgresOptions): Promise<ServerProcess> {
  const { dir, port, password } = options
  await stopLeftover(dir, 'postgres', 'SIGINT')
  const program = findPostgresProgram()
  const data = join(dir, 'postgres')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const account = findUnprivileged(data, program)
  await initialiseOnce(options, { program, data, account })
  await clearPostmasterPid(data)
  const log = join(dir, 'logs', 'postgres.log')
  const from = logEnd(log)
  const settings = Object.entries({ ...DEFAULT_SETTINGS, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = await runChild({
    name: 'postgres',
    ...account.wrap(join(program, 'bin', 'postgres'), ['-D', data, '-p', String(port), ...settings]),
    ...(account.runAs === undefined ? {} : { runAs: account.runAs }),
    dir,
    marker: data,
    stopSignal: 'SIGINT',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    ...(options.env === undefined ? {} : { env: options.env }),
    output: { file: log },
  })
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}`
  let refusal: unknown
  const isReady = async (): Promise<boolean> => {
    if (!(await isListening(child.pid, port))) return false
    refusal = await refusalOf(url)
    return refusal === undefined || isWrongPassword(refusal)
  }
  const state = await waitForServer(child, isReady, options.readyTimeoutMs ?? READY_TIMEOUT_MS)
  if (state !== 'ready') {
    await child.kill()
    const errorLine = lastErrorLine(log, from, /FATAL|PANIC|could not/)
    if (/could not (bind|create any TCP)/.test(errorLine)) throw new PortInUse('postgres', port)
    throw damaged(data, errorLine, log)
  }
  if (refusal !== undefined) {
    await child.stop()
    throw damaged(data, 'its password is not the one in secrets.json', log)
  }
  return { url, port, pid: child.pid, child, version: MAJOR, stop: child.stop }
}

type Place = { program: string; data: string; account: Unprivileged }

/** Created under a temporary name and renamed, so that an interrupted start leaves no incomplete folder. */
async function initialiseOnce(
  { dir, password, report }: PostgresOptions,
  { program, data, account }: Place,
): Promise<void> {
  if (existsSync(data) && readdirSync(data).length > 0) return refuseForeignFolder(data)
  report?.('creating the data folder')
  const temporary = `${data}.new`
  const passwordFile = join(dir, 'postgres.password')
  rmSync(temporary, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
  mkdirSync(temporary, { mode: 0o700 })
  if (account.runAs !== undefined) chownSync(temporary, account.runAs.uid, account.runAs.gid)
  const options = [
    '-D',
    temporary,
    '-U',
    SUPERUSER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
  ]
  const { command, args } = account.wrap(join(program, 'bin', 'initdb'), options)
  writeFileSync(passwordFile, password, { mode: account.runAs === undefined ? 0o600 : 0o644 })
  try {
    const { code, output } = await runOnce(command, args, {
      timeoutMs: INITDB_TIMEOUT_MS,
      ...(account.runAs === undefined ? {} : { runAs: account.runAs }),
    })
    if (code !== 0)
      throw new StartProblem(
        `PostgreSQL could not create ${data}: ${explainInitdb(output)}`,
        'Check that the disk has room and the folder is writable.',
      )
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(temporary, data)
}

function refuseForeignFolder(data: string): void {
  const version = existsSync(join(data, 'PG_VERSION'))
    ? readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    : undefined
  if (version === undefined) throw damaged(data, 'it has no PG_VERSION')
  if (version !== MAJOR)
    throw new StartProblem(
      `${data} was written by PostgreSQL ${version}; Tapeline uses ${MAJOR}.`,
      'Set TAPELINE_DIR to a new folder, or move this one away.',
    )
}

function damaged(data: string, errorLine: string, log?: string): StartProblem {
  const where = log === undefined ? '' : ` (log: ${log})`
  return new StartProblem(
    `PostgreSQL cannot use ${data}: ${errorLine}${where}.`,
    `Restore it from a backup, or start with empty data: mv ${data} ${data}.damaged`,
  )
}

/** After a crash the file may contain the pid of an unrelated process, and PostgreSQL would refuse to start. */
async function clearPostmasterPid(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const identity = Number.isInteger(pid) && pid > 0 ? identify(pid) : undefined
  if (identity !== undefined && commandLineOf(pid).includes(data)) await stopGroup(identity, 'SIGINT')
  rmSync(file, { force: true })
}

async function refusalOf(url: string): Promise<unknown> {
  const client = new Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => undefined)
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28P01'
}

function explainInitdb(output: string): string {
  const lines = output.trim().split('\n')
  return lines.find((line) => /error|could not|fatal/i.test(line)) ?? lines.at(-1) ?? 'it logged nothing'
}
