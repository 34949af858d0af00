/** The largest number of these times (ms, any order) in one half-open window of `windowMs`, at any position. */
export function mostInWindow(timesMs: readonly number[], windowMs: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b)
  let most = 0
  let from = 0
  for (const [to, time] of sorted.entries()) {
    while ((sorted[from] ?? time) <= time - windowMs) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

/** The largest number of these spans (ms) that overlap at one moment. */
export function maxOverlap(spans: readonly { fromMs: number; toMs: number }[]): number {
  const edges = spans.flatMap(({ fromMs, toMs }) => [
    { atMs: fromMs, step: 1 },
    { atMs: toMs, step: -1 },
  ])
  let open = 0
  let most = 0
  for (const { step } of edges.toSorted((a, b) => a.atMs - b.atMs || a.step - b.step)) {
    open += step
    most = Math.max(most, open)
  }
  return most
}
