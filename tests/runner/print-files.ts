import type { FileReport } from './file-report.ts'

const SLOWEST_SHOWN = 10

export function printSlowest(reports: FileReport[]): void {
  if (reports.length === 0) return
  console.log('\nSlowest test files:')
  const slowest = reports.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, SLOWEST_SHOWN)
  for (const { file, durationMs } of slowest) console.log(`  ${String(durationMs).padStart(7)} ms  ${file}`)
}

/** Prints every skipped test with its reason, if there is one. */
export function printSkipped(reports: FileReport[]): void {
  const skipped = reports.flatMap(({ file, tests }) =>
    tests.filter(({ state }) => state === 'skipped').map(({ name, note }) => ({ file, name, note })),
  )
  if (skipped.length === 0) return
  console.log('\nSkipped:')
  if (process.env['RECORDINGS_DIR'] === undefined) {
    console.log('  RECORDINGS_DIR is not set, so tests on recorded market data are skipped')
  }
  for (const { file, name, note } of skipped) console.log(`  ${file}: ${name}${note === undefined ? '' : ` (${note})`}`)
}
