import { createHash } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchFromMaven, mavenFolder } from './maven.ts'
import type { Report } from '../report.ts'
import { runOnce } from '../processes/run-once.ts'
import { StartProblem } from '../start-problem.ts'

export type RedisBinary = { command: string; version: string }

const REMEDY = 'Install it: sudo apt-get install -y redis-server (or set REDIS_URL to a Redis of your own).'
const VERSION_TIMEOUT_MS = 5_000

/** Contents of com.github.codemonstur:embedded-redis:1.4.4; a binary with another hash is not started. */
const PINNED: Partial<Record<NodeJS.Architecture, { file: string; sha256: string }>> = {
  x64: {
    file: 'redis-server-6.2.6-v5-linux-amd64',
    sha256: '1f716094e08a25faee2bc7626feb9e13464ed89018ac5c376c5e9cff06bdcf52',
  },
  arm64: {
    file: 'redis-server-6.2.7-linux-arm64',
    sha256: '036a23aa65bfb31d2a048aa96c170b38c2fbd4f1de68ef0f9c3133dd4b1474cd',
  },
}

/** The machine's own redis-server when it is 6.2 or newer, else the pinned one from Maven. */
export async function findRedisBinary(cacheDir: string, report: Report): Promise<RedisBinary> {
  const installed = await findInstalledRedis()
  if (installed !== undefined) return { command: 'redis-server', version: installed }
  const pinned = PINNED[process.arch]
  if (pinned === undefined)
    throw new StartProblem(`Redis 6.2 or newer was not found, and no binary is available for ${process.arch}.`, REMEDY)
  await fetchFromMaven(cacheDir, ['redis'], report)
  const command = join(mavenFolder(cacheDir, 'redis'), pinned.file)
  const sha256 = createHash('sha256').update(readFileSync(command)).digest('hex')
  if (sha256 !== pinned.sha256)
    throw new StartProblem(
      `The fetched Redis binary ${command} has an unexpected SHA-256 (${sha256}) and is not used.`,
      REMEDY,
    )
  chmodSync(command, 0o755)
  const version = await readVersion(command)
  if (version === undefined)
    throw new StartProblem(
      'The fetched Redis binary cannot run on this system (it needs glibc 2.34 and OpenSSL 3).',
      REMEDY,
    )
  return { command, version }
}

/** The version of the machine's own redis-server, if it is recent enough to be used. */
export async function findInstalledRedis(): Promise<string | undefined> {
  const version = await readVersion('redis-server')
  return version !== undefined && isRecentRedis(version) ? version : undefined
}

export function isRecentRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 2)
}

export function parseRedisVersion(output: string): string | undefined {
  return / v=(\d+\.\d+\.\d+)/.exec(output)?.[1]
}

async function readVersion(command: string): Promise<string | undefined> {
  const { code, output } = await runOnce(command, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS })
  return code === 0 ? parseRedisVersion(output) : undefined
}
