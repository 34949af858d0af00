import type { ReplayResult } from '@tapeline/contracts/audit/replay'
import type { TapeSlot } from '../../../ui/Tape.tsx'

/** Requests by hour above the line, those that proposed limits would reject below it. */
export function rejectedSlots(hours: ReplayResult['hours']): TapeSlot[] {
  const most = Math.max(1, ...hours.map((hour) => hour.requests))
  const mostRejected = Math.max(1, ...hours.map((hour) => hour.would_be_rejected))
  return hours.map((hour) => ({
    key: hour.at,
    up: hour.requests / most,
    ...(hour.would_be_rejected > 0 ? { down: hour.would_be_rejected / mostRejected, kind: 'throttled' as const } : {}),
  }))
}
