import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { waitForLock } from '../processes/lock-file.ts'
import type { Report } from '../report.ts'
import { runOnce } from '../processes/run-once.ts'
import { StartProblem } from '../start-problem.ts'

export type MavenPart = 'kafka' | 'redis'

export const MAVEN_REMEDY = 'Install it: sudo apt-get install -y maven (it is needed for the first start only).'
const POM = join(import.meta.dirname, 'pom.xml')
const DOWNLOAD_TIMEOUT_MS = 600_000
/** One lock for all clones of this user: Maven's repository does not support concurrent writers. */
export const MAVEN_LOCK = join(tmpdir(), `tapeline-maven-${process.getuid?.() ?? 0}.lock`)

/** Fetched once per clone, all parts in one call; after that Maven is never called again. */
export async function fetchFromMaven(cacheDir: string, parts: MavenPart[], report: Report): Promise<void> {
  const isComplete = (): boolean => parts.every((part) => isFetched(cacheDir, part))
  if (isComplete()) return
  mkdirSync(cacheDir, { recursive: true })
  const release = await waitForLock(MAVEN_LOCK, DOWNLOAD_TIMEOUT_MS, (holder) =>
    report(`waiting for the download of process ${holder}`),
  )
  try {
    if (!isComplete()) await download(cacheDir, parts, report)
  } finally {
    release()
  }
}

export function isFetched(cacheDir: string, part: MavenPart): boolean {
  return existsSync(mavenFolder(cacheDir, part))
}

/** The pom's hash is in the name, so a changed version is another folder. */
export function mavenFolder(cacheDir: string, part: MavenPart): string {
  const hash = createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12)
  return join(cacheDir, `${part}-${hash}`)
}

async function download(cacheDir: string, parts: MavenPart[], report: Report): Promise<void> {
  const out = join(cacheDir, `maven.part-${process.pid}`)
  report('Maven is looking up what is needed')
  try {
    const profile = parts.includes('redis') ? ['-Predis'] : []
    const args = ['-B', '-f', POM, `-Dout=${out}`, ...profile, ...localRepository(cacheDir), 'process-resources']
    const { code, output } = await runOnce('mvn', args, {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      onLine: countDownloads(report),
    })
    if (code === 127) throw new StartProblem('Kafka is fetched by Maven; mvn was not found.', MAVEN_REMEDY)
    if (code !== 0) {
      throw new StartProblem(
        `Maven could not fetch ${parts.join(' and ')}: ${firstError(output)}`,
        'Check the network and ~/.m2/settings.xml, then start again.',
      )
    }
    for (const part of ['kafka', 'redis'] as const) {
      if (existsSync(join(out, part)) && !isFetched(cacheDir, part)) {
        renameSync(join(out, part), mavenFolder(cacheDir, part))
      }
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** A user without a writable home, as in many containers, gets a repository next to the cache. */
function localRepository(cacheDir: string): string[] {
  const home = userInfo().homedir
  try {
    accessSync(existsSync(join(home, '.m2')) ? join(home, '.m2') : home, constants.W_OK)
    return []
  } catch {
    return [`-Dmaven.repo.local=${join(cacheDir, 'm2')}`]
  }
}

function countDownloads(report: Report): (line: string) => void {
  let files = 0
  let bytes = 0
  return (line) => {
    const size = parseDownloadedBytes(line)
    if (size === undefined) return
    files += 1
    bytes += size
    report(`${files} files, ${(bytes / 1e6).toFixed(1)} MB fetched`)
  }
}

/** "Downloaded from x: …/a.jar (6.7 MB at 56 MB/s)" → 6,700,000. */
export function parseDownloadedBytes(line: string): number | undefined {
  const match = /Downloaded from .* \(([\d.]+) ?(B|kB|MB) at /.exec(line)
  if (match === null) return undefined
  const unit = { B: 1, kB: 1e3, MB: 1e6 }[match[2] ?? 'B'] ?? 1
  return Math.round(Number(match[1]) * unit)
}

function firstError(output: string): string {
  const line = output.split('\n').find((text) => text.includes('[ERROR]'))
  return (line ?? output.trim().split('\n').at(-1) ?? 'no output').replace(/^.*\[ERROR\]\s*/, '').slice(0, 240)
}
