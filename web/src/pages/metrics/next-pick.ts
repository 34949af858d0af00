import type { UsagePoint } from '@tapeline/contracts/audit/http'

type Pressed = { key: string; shiftKey: boolean }

/** The bucket selected by an arrow key; with Shift, the next one with failed requests. */
export function nextPick({ key, shiftKey }: Pressed, picked: number | undefined, series: readonly UsagePoint[]) {
  const last = series.length - 1
  if (last < 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowLeft') {
    const before = (picked ?? series.length) - 1
    return shiftKey ? findFailed(series, { from: before, step: -1 }) : Math.max(0, before)
  }
  return key === 'ArrowRight' ? pickAfter(shiftKey, picked, series) : undefined
}

function pickAfter(isFailedOnly: boolean, picked: number | undefined, series: readonly UsagePoint[]) {
  const last = series.length - 1
  if (isFailedOnly) return findFailed(series, { from: (picked ?? -1) + 1, step: 1 })
  return Math.min(last, (picked ?? last) + 1)
}

function findFailed(series: readonly UsagePoint[], { from, step }: { from: number; step: number }): number | undefined {
  for (let n = from; n >= 0 && n < series.length; n += step) if ((series[n]?.failed ?? 0) > 0) return n
  return undefined
}

export type TimeSpan = Pick<UsagePoint, 'from' | 'to'>

/** The first bucket that overlaps a span; it keeps the mark when a chart changes to wider or narrower buckets. */
export function bucketOf(series: readonly UsagePoint[], span: TimeSpan | undefined): number | undefined {
  if (span === undefined) return undefined
  const [start, end] = [Date.parse(span.from), Date.parse(span.to)]
  const found = series.findIndex(({ from, to }) => Date.parse(from) < end && start < Date.parse(to))
  return found < 0 ? undefined : found
}
