/** A step's contribution to the last line of a run. */
export type Tally = { passed: number; failed: number; skipped: number }

export function addUp(tallies: Tally[]): Tally {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of tallies) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  return total
}

export function tallyText({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
