import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type ForbiddenImport = { rule: string; from: string; to: string }

const FOLDERS = ['gateway', 'services', 'libs', 'web', 'deploy', 'tests', 'load-tests']
const REPOSITORY_DIR = join(import.meta.dirname, '..', '..')
const PROGRAM = join(REPOSITORY_DIR, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const RULES = join(REPOSITORY_DIR, '.dependency-cruiser.cjs')
const OUTPUT_BYTES_MAX = 200_000_000
const CRUISE_TIMEOUT_MS = 120_000

/** Violations of .dependency-cruiser.cjs; `filesRead` of 0 means that nothing was checked. */
export function findForbiddenImports(rootDir: string): { filesRead: number; forbidden: ForbiddenImport[] } {
  const folders = FOLDERS.filter((folder) => existsSync(join(rootDir, folder)))
  if (folders.length === 0) return { filesRead: 0, forbidden: [] }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, '--config', RULES, '--output-type', 'json', ...folders],
    { cwd: rootDir, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX, timeout: CRUISE_TIMEOUT_MS },
  )
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not answer: ${stderr}`)
  const report: CruiseReport = JSON.parse(stdout)
  return {
    filesRead: report.modules.filter(({ dependencies }) => dependencies.length > 0).length,
    forbidden: report.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }
}

/** The part of dependency-cruiser's output that this check reads. */
type CruiseReport = {
  modules: { source: string; dependencies: unknown[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}
