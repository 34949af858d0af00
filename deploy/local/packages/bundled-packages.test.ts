import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runOnce } from '../processes/run-once.ts'
import { silent } from '../report.ts'
import { bundleOptions, bundlePackages } from './bundled-packages.ts'

const PRINT_EXPORTS = `for (const name of ['typebox', 'typebox/value', 'typebox/compile', 'kysely', 'kysely/migration'])
  console.log(name, Object.keys(await import(name)).sort().join())`

test('a process loads the bundles, which export what the packages export', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'tapeline-packages-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  vi.stubEnv('TAPELINE_CACHE_DIR', cache)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(bundleOptions()).toEqual([])
  await bundlePackages(silent)
  const options = bundleOptions()

  expect(await print(options, `console.log(import.meta.resolve('kysely'))`)).toContain(cache)
  expect(await print(options, PRINT_EXPORTS)).toBe(await print([], PRINT_EXPORTS))
})

async function print(options: string[], script: string): Promise<string> {
  const { code, output } = await runOnce(process.execPath, [...options, '--input-type=module', '-e', script], {
    timeoutMs: 60_000,
  })
  expect(code, output).toBe(0)
  return output
}
