import { plural, t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount, formatPercent } from '../../format/number.ts'

export type Difference = { direction: 'up' | 'down' | 'same'; text: string }
type Compared = Pick<UsageReport, 'total' | 'success' | 'latency_ms'>

/** Change of the figures compared with the preceding period of the same length; undefined without one. */
export function compareWithPrevious(
  now: Compared,
  before: Compared,
): { total: Difference | undefined; success: Difference | undefined; p95: Difference | undefined } {
  const [rate, rateBefore] = [rateOf(now), rateOf(before)]
  const [p95, p95Before] = [now.latency_ms?.p95, before.latency_ms?.p95]
  return {
    total:
      before.total === 0
        ? undefined
        : difference(now.total - before.total, (change) => {
            const share = formatPercent(change / before.total)
            return t`${share} from ${formatCount(before.total)}`
          }),
    success:
      rate === undefined || rateBefore === undefined
        ? undefined
        : difference(Math.round((rate - rateBefore) * 10_000), (change) => {
            const points = change / 100
            return t`${plural(points, { one: '# point', other: '# points' })} from ${formatPercent(rateBefore)}`
          }),
    p95:
      p95 === undefined || p95Before === undefined
        ? undefined
        : difference(p95 - p95Before, (change) => {
            return t`${formatMilliseconds(change)} ms from ${formatMilliseconds(p95Before)} ms`
          }),
  }
}

function rateOf({ total, success }: Compared): number | undefined {
  return total === 0 ? undefined : success / total
}

function difference(change: number, textOf: (size: number) => string): Difference {
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'same'
  return { direction, text: textOf(Math.abs(change)) }
}
