import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, REPOSITORY } from '../../deploy/local/folders.ts'
import { compareResults } from './compare-results.ts'
import type { LoadResult } from './load-result.ts'
import { type Comparison, reportPage } from './report-page.ts'

export type SavedResult = { json: string; page: string; comparison: Comparison | undefined }

/** Stores a result next to earlier ones: <data folder>/load/<journey>-<profile>/<time>.json and .html. */
export function saveResult(result: LoadResult): SavedResult {
  const { journey, profile, at } = result
  const dir = join(dataFolder(), 'load', `${journey}-${profile}`)
  mkdirSync(dir, { recursive: true })
  const before = lastIn(dir)
  const comparison = before === undefined ? undefined : { before, changes: compareResults(before, result) }
  const stem = join(dir, at.replaceAll(/[:.]/g, '-'))
  const saved = { json: `${stem}.json`, page: `${stem}.html`, comparison }
  writeFileSync(saved.json, `${JSON.stringify(result, null, 2)}\n`)
  writeFileSync(saved.page, reportPage(result, comparison))
  return saved
}

/** Stores a result in docs/benchmarks, from which documents quote figures. */
export function commitResult(result: LoadResult): string {
  const file = join(REPOSITORY, 'docs', 'benchmarks', `load-${result.journey}-${result.profile}.json`)
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  return file
}

/** File names are times, so the latest sorts last. */
function lastIn(dir: string): LoadResult | undefined {
  const last = readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .at(-1)
  return last === undefined ? undefined : JSON.parse(readFileSync(join(dir, last), 'utf8'))
}
