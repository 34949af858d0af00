import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import { historySection } from './history.ts'
import { readFigures } from './read-figures.ts'
import { streamsSection } from './streams.ts'
import { writePage } from './write-page.ts'

const BENCHMARKS = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks')

test('docs/capacity.md is generated from the benchmark files', async () => {
  const sections = [historySection(BENCHMARKS), streamsSection(BENCHMARKS)]
  await expectGolden('docs/capacity.md', writePage(readFigures(BENCHMARKS), sections))
})
