import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

/** A process has other work besides the measured one. */
export const MEASURED_MARGIN = 1.1

type Benchmark = { measured: { pages: { serviceRssMb?: number }[] }[] }

/** The most resident memory of market-data in docs/benchmarks/lake.json, in MiB. */
export function measuredMib(): number {
  const text = readFileSync(join(REPOSITORY, 'docs', 'benchmarks', 'lake.json'), 'utf8')
  const { measured } = JSON.parse(text) as Benchmark
  return Math.max(...measured.flatMap(({ pages }) => pages.map(({ serviceRssMb = 0 }) => serviceRssMb)))
}
