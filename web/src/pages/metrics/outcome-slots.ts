import type { UsagePoint } from '@tapeline/contracts/audit/http'
import type { TapeSlot } from '../../ui/Tape.tsx'

const TICK_MIN = 0.06

/** One slot per bucket, oldest first: served above the line, what was refused or failed below. */
export function outcomeSlots(series: readonly UsagePoint[]): TapeSlot[] {
  const mostServed = Math.max(1, ...series.map(({ success }) => success))
  const mostFailed = Math.max(1, ...series.map(({ failed }) => failed))
  return series.map((point): TapeSlot => {
    const up = point.success === 0 ? {} : { up: Math.max(TICK_MIN, point.success / mostServed) }
    if (point.failed === 0) return { key: point.from, ...up }
    const kind = point.server_errors > 0 ? 'server' : point.denied > 0 ? 'throttled' : 'client'
    return { key: point.from, ...up, kind, down: Math.max(0.25, point.failed / mostFailed) }
  })
}
