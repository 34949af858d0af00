import type { BucketUnit, UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import type { TapeSlot } from '../../../ui/Tape.tsx'

const TICK_MIN = 0.06

/** One slot per bucket, oldest first: served requests above the line, rejected and failed ones below. */
export function outcomeSlots(series: readonly UsagePoint[], most = mostIn(series)): TapeSlot[] {
  const mostServed = Math.max(1, most)
  const mostFailed = Math.max(1, ...series.map(({ failed }) => failed))
  return series.map((point): TapeSlot => {
    const up = point.success === 0 ? {} : { up: Math.max(TICK_MIN, point.success / mostServed) }
    if (point.failed === 0) return { key: point.from, ...up }
    const kind = point.server_errors > 0 ? 'server' : point.denied > 0 ? 'throttled' : 'client'
    return { key: point.from, ...up, kind, down: Math.max(0.25, point.failed / mostFailed) }
  })
}

function mostIn(series: readonly UsagePoint[]): number {
  return Math.max(0, ...series.map(({ success }) => success))
}

const POLICY_OF = { minute: 'min', hour: 'hour', day: 'day' } as const satisfies Record<BucketUnit, string>
/** The limit is drawn if the highest bucket reaches this share of it; a distant limit would flatten the data. */
const LIMIT_SHOWN_FROM = 0.5

/** The top of the strip: the highest bucket, or the limit if it is close to it. */
export function stripScale({ series, limits, period }: Pick<UsageReport, 'series' | 'limits' | 'period'>): {
  most: number
  limit: number | undefined
} {
  const most = mostIn(series)
  const limit = limits.find(({ policy }) => policy === POLICY_OF[period.bucket])?.limit
  const isNear = limit !== undefined && most >= limit * LIMIT_SHOWN_FROM
  return { most: isNear ? Math.max(most, limit) : most, limit: isNear ? limit : undefined }
}
