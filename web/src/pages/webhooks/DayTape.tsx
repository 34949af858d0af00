import { t } from '@lingui/core/macro'
import type { Webhook } from '@tapeline/contracts/audit/webhooks'
import { formatCount } from '../../format/number.ts'
import { Tape, type TapeSlot } from '../../ui/Tape.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'

const HOURS = 24
const HOUR_MS = 3_600_000
const HEIGHT_PX = 36
const LOWEST = 0.12

/** Deliveries of the last 24 hours by hour, newest first: accepted ones above the line, failed and waiting ones below. */
export function DayTape({ endpoint: { hours, state } }: { endpoint: Webhook }) {
  const newest = Math.floor(useNow() / HOUR_MS)
  const most = Math.max(1, ...hours.map((hour) => Math.max(hour.delivered, hour.failed + hour.waiting)))
  const height = (count: number): number => Math.max(LOWEST, Math.sqrt(count / most))
  const slots = Array.from({ length: HOURS }, (_, n): TapeSlot => {
    const hour = hours.find(({ at }) => Math.floor(Date.parse(at) / HOUR_MS) === newest - n)
    const { delivered = 0, failed = 0, waiting = 0 } = hour ?? {}
    return {
      key: String(newest - n),
      ...(delivered === 0 ? {} : { up: height(delivered) }),
      ...(failed + waiting === 0
        ? {}
        : { kind: failed > 0 ? ('server' as const) : ('throttled' as const), down: height(failed + waiting) }),
    }
  })
  const sum = (name: 'delivered' | 'failed' | 'waiting') =>
    formatCount(hours.reduce((total, hour) => total + hour[name], 0))
  const [delivered, failed, waiting] = [sum('delivered'), sum('failed'), sum('waiting')]
  const label = t`In the last 24 hours: ${delivered} delivered, ${failed} failed, ${waiting} waiting`
  return (
    <div className="day-tape">
      <Tape label={label} slots={slots} isOff={state !== 'active'} heightPx={HEIGHT_PX} />
    </div>
  )
}
