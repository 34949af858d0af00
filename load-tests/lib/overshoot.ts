/** Time at which a request was admitted: exact by the limiter's clock, or between its first byte and its response. */
export type Accepted = { fromMs: number; toMs: number }
export type RollingLimit = { policy: string; limit: number; windowMs: number }
export type Overshoot = RollingLimit & { most: number; over: number }

/**
 * The highest number certainly accepted within any rolling window, compared with the limit. Only what lies
 * wholly within a window counts, so slow responses cause no false overshoot.
 */
export function overshootsOf(accepted: readonly Accepted[], limits: readonly RollingLimit[]): Overshoot[] {
  const sorted = accepted.toSorted((one, other) => one.fromMs - other.fromMs)
  return limits.map((limit) => {
    const most = mostWithin(sorted, limit.windowMs)
    return { ...limit, most, over: Math.max(0, most - limit.limit) }
  })
}

/** Windows are half-open: a request exactly one window later is in the next. */
function mostWithin(sorted: readonly Accepted[], windowMs: number): number {
  const lastMs = sorted.reduce((latest, { toMs }) => Math.max(latest, toMs), 0)
  if (lastMs < (sorted[0]?.fromMs ?? 0) + windowMs) return sorted.length
  let most = 0
  for (const [index, { fromMs }] of sorted.entries()) {
    let within = 0
    for (let at = index; at < sorted.length; at += 1) {
      const one = sorted[at]
      if (one === undefined || one.fromMs >= fromMs + windowMs) break
      if (one.toMs < fromMs + windowMs) within += 1
    }
    most = Math.max(most, within)
  }
  return most
}
