import bench from '../../../docs/benchmarks/bench.json'
import kills from '../../../docs/benchmarks/chaos-kills.json'
import lake from '../../../docs/benchmarks/lake.json'
import limits from '../../../docs/benchmarks/limits-against-log.json'

/** Services/audit's own default: how long single requests are kept. */
const USAGE_DAYS = 90
const ROWS_PER_MILLION = 1_000_000
const ROWS_PER_BILLION = 1_000_000_000

/** Published measurements as the pages display them, read from the result files. */
export function proseFigures(language: string) {
  const number = (value: number | null | undefined, digits = 0): string => {
    if (typeof value !== 'number') throw new Error('A figure that the pages name was not measured.')
    return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
  }
  const gateway = summaryOf('gateway')
  const proxy = summaryOf('bare @fastify/http-proxy')
  const { answered, rows, cells } = kills.figures
  const stored = largestLake()
  return {
    microseconds: number(gateway.cpuMicrosPerRequest),
    proxyMicroseconds: number(proxy.cpuMicrosPerRequest),
    perSecondAndCore: number(gateway.requestsPerSecondAndCore),
    proxyPerSecondAndCore: number(proxy.requestsPerSecondAndCore),
    ratio: number(gateway.cpuToYardstick, 2),
    p99: number(gateway.p99Ms, 1),
    proxyP99: number(proxy.p99Ms, 1),
    addedP50: number(gateway.addedP50Ms, 2),
    memory: number(gateway.rssMb),
    proxyMemory: number(proxy.rssMb),
    redisMicroseconds: number(gateway.redisMicrosPerRequest),
    processor: bench.processor,
    node: bench.node,
    commit: bench.commit,
    day: bench.at.slice(0, '2026-11-22'.length),
    decisions: number(limits.decisions),
    denials: number(limits.denials),
    kills: number(kills.figures.kills),
    answered: number(answered),
    rows: number(rows),
    cells: number(cells),
    surplus: number(rows - answered),
    usageDays: number(USAGE_DAYS),
    tradeMillions: number(stored.rows / ROWS_PER_MILLION),
    bytesPerTrade: number(stored.bytes / stored.rows, 1),
  }
}

function summaryOf(target: string) {
  const found = bench.summary.find((one) => one.target === target)
  if (found === undefined) throw new Error(`The benchmark has no ${target}.`)
  return found
}

/** Whether pages were measured with a billion trades; otherwise that figure is arithmetic. */
export const isBillionMeasured = largestLake().rows >= ROWS_PER_BILLION

/** The most trades that pages were measured with. */
function largestLake() {
  const found = lake.measured.at(-1)
  if (found === undefined) throw new Error('The benchmark of sealed days is empty.')
  return found.lake
}
