/** Percentile of values in ascending order. */
export function percentile(sorted: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length)
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** Measurements of one target in one round. */
export type Measured = {
  target: string
  round: number
  /** The service called without a gateway, to determine the latency that a gateway adds. */
  isDirect: boolean
  cpuMicrosPerRequest: number
  threadMicrosPerRequest: Record<string, number>
  redisMicrosPerRequest: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  rssMb: number
  /** Share of the target's core that other processes used during the slice at the maximum rate, 0 to 1. */
  coreTakenByOthers: number
}
export type Summary = Omit<Measured, 'round'> & {
  requestsPerSecondAndCore: number
  cpuToYardstick: number
  /** Difference from the direct call in the same round; undefined if that was not measured. */
  addedP50Ms: number | undefined
}
type Figure = Exclude<keyof Measured, 'target' | 'isDirect' | 'threadMicrosPerRequest'>

/**
 * Medians over the rounds; the comparison is the median of the ratios within a round, which is least affected by noise.
 */
export function summarize(measured: readonly Measured[], yardstick: string): Summary[] {
  const targets = [...new Set(measured.map(({ target }) => target))]
  return targets.map((target) => {
    const own = measured.filter((one) => one.target === target)
    const of = (key: Figure): number => median(own.map((one) => one[key]))
    const cpuMicrosPerRequest = of('cpuMicrosPerRequest')
    return {
      target,
      isDirect: own.some(({ isDirect }) => isDirect),
      cpuMicrosPerRequest,
      threadMicrosPerRequest: threadsOf(own),
      redisMicrosPerRequest: of('redisMicrosPerRequest'),
      addedP50Ms: addedP50(measured, own),
      requestsPerSecondAndCore: Math.round(1_000_000 / cpuMicrosPerRequest),
      cpuToYardstick: median(own.map((one) => one.cpuMicrosPerRequest / cpuOf(measured, yardstick, one.round))),
      requestsPerSecond: of('requestsPerSecond'),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      rssMb: of('rssMb'),
      coreTakenByOthers: of('coreTakenByOthers'),
    }
  })
}

function threadsOf(own: readonly Measured[]): Record<string, number> {
  const kinds = [...new Set(own.flatMap(({ threadMicrosPerRequest }) => Object.keys(threadMicrosPerRequest)))]
  return Object.fromEntries(
    kinds.map((kind) => [kind, median(own.map((one) => one.threadMicrosPerRequest[kind] ?? 0))]),
  )
}

function addedP50(measured: readonly Measured[], own: readonly Measured[]): number | undefined {
  const direct = new Map(measured.filter(({ isDirect }) => isDirect).map(({ round, p50Ms }) => [round, p50Ms]))
  const added = own.map(({ round, p50Ms }) => p50Ms - (direct.get(round) ?? Number.NaN))
  return added.some((one) => Number.isNaN(one)) ? undefined : median(added)
}

function cpuOf(measured: readonly Measured[], target: string, round: number): number {
  return measured.find((one) => one.target === target && one.round === round)?.cpuMicrosPerRequest ?? Number.NaN
}
