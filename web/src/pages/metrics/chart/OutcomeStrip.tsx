import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { formatShortCount } from '../../../format/number.ts'
import { Tape } from '../../../ui/Tape.tsx'
import { outcomeSentence } from './outcome-sentence.ts'
import { outcomeSlots, stripScale } from './outcome-slots.ts'

const STRIP_HEIGHT_PX = 84

/** Served above the line, refused and failed below, in the slots of the plot over it. */
export function OutcomeStrip({ report, isNow }: { report: UsageReport; isNow: boolean }) {
  const { series } = report
  const { most, limit } = stripScale(report)
  const slots = outcomeSlots(series, most).map((slot, n) => {
    const point = series[n]
    return point?.partial === true ? { ...slot, isPartial: true } : slot
  })
  return (
    <>
      <div className="strip-k" aria-hidden="true">
        {most > 0 && <span style={{ top: 4 }}>{formatShortCount(most)}</span>}
        <span style={{ top: 50 }}>0</span>
      </div>
      <div className="strip">
        <Tape now={isNow ? 'right' : 'none'} label={outcomeSentence(report)} slots={slots} heightPx={STRIP_HEIGHT_PX} />
        {limit !== undefined && limit <= most && (
          <span className="limit-line" style={{ top: `${50 - (limit / most) * 50}%` }}>
            {t`limit ${formatShortCount(limit)}`}
          </span>
        )}
      </div>
      <div className="chart-ends" />
    </>
  )
}
