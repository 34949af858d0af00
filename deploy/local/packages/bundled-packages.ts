import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheFolder } from '../folders.ts'
import { waitForLock } from '../processes/lock-file.ts'
import { runOnce } from '../processes/run-once.ts'
import type { Report } from '../report.ts'
import { sourceHash } from '../source-hash.ts'

const TIMEOUT_MS = 60_000

/**
 * Bundles the packages that consist of hundreds of modules, once per version: loading them takes a process 0.5 s of
 * CPU time, their bundles 0.03 s. Without the bundler, a development dependency, processes load the packages themselves.
 */
export async function bundlePackages(report: Report): Promise<void> {
  const folder = bundleFolder()
  if (existsSync(folder)) return
  mkdirSync(cacheFolder(), { recursive: true })
  const release = await waitForLock(`${folder}.lock`, TIMEOUT_MS, (holder) => report(`waiting for process ${holder}`))
  const temporary = `${folder}.part-${process.pid}`
  try {
    if (existsSync(folder)) return
    const { code } = await runOnce(process.execPath, [join(import.meta.dirname, 'bundle.ts'), temporary], {
      timeoutMs: TIMEOUT_MS,
    })
    if (code === 0) renameSync(temporary, folder)
    else report('not bundled')
  } finally {
    rmSync(temporary, { recursive: true, force: true })
    release()
  }
}

/** Node's option that makes a process load the bundles; none where there are none. */
export function bundleOptions(): string[] {
  const file = join(bundleFolder(), 'use.mjs')
  return existsSync(file) ? [`--import=${pathToFileURL(file).href}`] : []
}

let version: string | undefined

function bundleFolder(): string {
  version ??= sourceHash(['package-lock.json', 'deploy/local/packages'])
  return join(cacheFolder(), `packages-${version}`)
}
