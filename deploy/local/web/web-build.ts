import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, REPOSITORY } from '../folders.ts'
import { waitForLock } from '../processes/lock-file.ts'
import type { Report } from '../report.ts'
import { outputTail } from '../output-tail.ts'
import { runOnce } from '../processes/run-once.ts'
import { sourceHash } from '../source-hash.ts'
import { StartProblem } from '../start-problem.ts'

const BUILD_TIMEOUT_MS = 180_000
const BUILDS_MAX = 3
/** A running platform keeps serving the pages it was started with. */
const OLD_BUILD_MS = 86_400_000
const SOURCES = ['web', 'libs/contracts/src', 'docs/benchmarks', 'gateway/golden', 'package-lock.json']

/** The folder of the built pages; built only when the sources changed. */
export async function buildWeb(report: Report): Promise<string | undefined> {
  const web = join(REPOSITORY, 'web')
  if (!existsSync(join(web, 'index.html'))) return undefined
  const folder = join(cacheFolder(), `web-${sourceHash(SOURCES)}`)
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  const release = await waitForLock(join(cacheFolder(), 'web.lock'), BUILD_TIMEOUT_MS, (holder) =>
    report(`waiting for the build of process ${holder}`),
  )
  try {
    if (!existsSync(folder)) await build(web, folder, report)
    report('built')
    return folder
  } finally {
    release()
  }
}

async function build(web: string, folder: string, report: Report): Promise<void> {
  const temporary = `${folder}.part-${process.pid}`
  report('vite build')
  const vite = join(REPOSITORY, 'node_modules', 'vite', 'bin', 'vite.js')
  const env = { ...process.env, NODE_ENV: 'production', VITE_ENVIRONMENT: process.env.VITE_ENVIRONMENT || 'local' }
  const args = [vite, 'build', '--configLoader', 'native', '--outDir', temporary, '--emptyOutDir', '--logLevel', 'warn']
  const { code, output } = await runOnce(process.execPath, args, { timeoutMs: BUILD_TIMEOUT_MS, cwd: web, env })
  if (code !== 0) {
    rmSync(temporary, { recursive: true, force: true })
    throw new StartProblem(
      `The pages could not be built:\n${outputTail('web', output.split('\n'))}\n`,
      'Run npm run check for details.',
    )
  }
  renameSync(temporary, folder)
  deleteOldBuilds()
}

function deleteOldBuilds(): void {
  const builds = readdirSync(cacheFolder())
    .filter((name) => /^web-[0-9a-f]{16}$/.test(name))
    .map((name) => join(cacheFolder(), name))
    .map((folder) => ({ folder, builtMs: statSync(folder).mtimeMs }))
    .sort((one, other) => other.builtMs - one.builtMs)
  const old = builds.slice(BUILDS_MAX).filter(({ builtMs }) => Date.now() - builtMs > OLD_BUILD_MS)
  for (const { folder } of old) rmSync(folder, { recursive: true, force: true })
}
