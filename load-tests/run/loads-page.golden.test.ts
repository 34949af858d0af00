import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import { writeLoadsPage } from './loads-page.ts'

const BENCHMARKS = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks')

test('docs/benchmarks/loads.md is generated from the stored results', async () => {
  await expectGolden('docs/benchmarks/loads.md', writeLoadsPage(BENCHMARKS))
})
