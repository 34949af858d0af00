import { t } from '@lingui/core/macro'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import { formatDuration } from '../../../format/duration.ts'
import type { CandleScale } from './candle-scale.ts'

/** Room that a label needs to the left of its band, in percent. */
const LABEL_ROOM = 14

export function gapsWithin(gaps: readonly BookGap[], { startMs, endMs }: CandleScale): BookGap[] {
  return gaps.filter(({ from, to }) => Date.parse(to) > startMs && Date.parse(from ?? to) < endMs)
}

/** Times at which the book was unknown: hatched, with their length. */
export function GapBands({ gaps, scale }: { gaps: readonly BookGap[]; scale: CandleScale }) {
  return gaps.map(({ from, to }) => {
    const end = Date.parse(to)
    const start = from === null ? end : Date.parse(from)
    const left = Math.max(0, scale.leftOf(start))
    const width = Math.min(100, scale.leftOf(end)) - left
    return (
      <span key={to}>
        <span className="hole" style={{ left: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` }} />
        {left > LABEL_ROOM && (
          <span className="gap-label" style={{ left: `${left.toFixed(2)}%` }}>
            {from === null ? t`book gap` : t`book gap, ${formatDuration(end - start)}`}
          </span>
        )}
      </span>
    )
  })
}
