import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import { formatClock } from '../../../format/date.ts'
import { formatNumber } from '../../../format/number.ts'
import type { Candle } from '../market-filter.ts'
import { showDecimal } from '../prices.ts'
import { type CandleScale, timeTicks } from './candle-scale.ts'
import { GapBands, gapsWithin } from './GapBands.tsx'

/** Height of a label, of the plot. */
const LABEL_PERCENT = 6

type Props = {
  scale: CandleScale
  candle: Candle
  gaps: readonly BookGap[]
  digits: number
  isLoading: boolean
  /** Beginning of the candle that is read out. */
  picked: string | undefined
  onPick: (start: string | undefined) => void
}

/** Price and volume by time. Arrows and the pointer choose a candle, which the line above reads out. */
export function CandleChart({ scale, candle, gaps, digits, isLoading, picked, onPick }: Props) {
  const plot = useRef<HTMLDivElement>(null)
  const { bars, slots } = scale
  const here = bars.findIndex(({ bar }) => bar.ts_start === picked)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') return onPick(undefined)
    const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: bars.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onPick(bars[Math.max(0, Math.min(bars.length - 1, next))]?.bar.ts_start)
  }
  function onPointerMove({ clientX }: PointerEvent): void {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined) return
    const slot = Math.floor(((clientX - box.left) / box.width) * slots)
    const found = bars.find((one) => one.slot === slot)
    if (found !== undefined) onPick(found.bar.ts_start)
  }

  const within = gapsWithin(gaps, scale)
  const span = t`${formatClock(scale.startMs)} to ${formatClock(scale.endMs)} UTC`
  const label = [
    t`Candles of ${candle}, ${span}`,
    plural(bars.length, { one: '# candle', other: '# candles' }),
    plural(within.length, { one: '# gap in the book', other: '# gaps in the book' }),
  ].join(', ')
  return (
    <div className="plot-frame">
      <div
        className="plot"
        ref={plot}
        tabIndex={0}
        role="group"
        aria-roledescription={t`chart`}
        aria-label={label}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onPick(undefined)}
      >
        {scale.ticks.map(({ price, top }) => (
          <span key={price} className="gridline" style={{ top: `${top.toFixed(2)}%` }} />
        ))}
        <GapBands gaps={within} scale={scale} />
        <Candles scale={scale} picked={picked} />
        {bars.length === 0 && !isLoading && <p className="nothing muted">{t`No trades in this range.`}</p>}
      </div>
      <PriceAxis scale={scale} digits={digits} />
      <Volumes scale={scale} />
      <div className="price-axis" aria-hidden="true">
        {scale.volumeMax > 0 && <span style={{ top: 10 }}>{formatNumber(scale.volumeMax, 2)}</span>}
      </div>
      <TimeAxis scale={scale} candle={candle} />
    </div>
  )
}

function Candles({ scale, picked }: Pick<Props, 'scale' | 'picked'>) {
  return scale.bars.map(({ bar, isUp, left, top, height, bodyTop, bodyHeight }) => (
    <i
      key={bar.ts_start}
      className={`${isUp ? 'rising' : 'falling'}${bar.ts_start === picked ? ' here' : ''}`}
      style={{ left: `${left.toFixed(3)}%`, top: `${top.toFixed(2)}%`, height: `${height.toFixed(2)}%` }}
    >
      <b style={bodyOf(height, bodyTop - top, bodyHeight)} />
    </i>
  ))
}

function PriceAxis({ scale: { bars, ticks, topOf }, digits }: Pick<Props, 'scale' | 'digits'>) {
  const close = bars.at(-1)?.bar.close
  const now = close === undefined ? 0 : topOf(Number(close))
  return (
    <div className="price-axis" aria-hidden="true">
      {close !== undefined && (
        <>
          {ticks
            .filter(({ top }) => Math.abs(top - now) > LABEL_PERCENT)
            .map(({ price, top }) => (
              <span key={price} style={{ top: `${top.toFixed(2)}%` }}>
                {formatNumber(price, digits)}
              </span>
            ))}
          <span className="now" style={{ top: `${now.toFixed(2)}%` }}>
            {showDecimal(close, digits)}
          </span>
        </>
      )}
    </div>
  )
}

function Volumes({ scale }: Pick<Props, 'scale'>) {
  return (
    <div className="vols" aria-hidden="true">
      {scale.bars.map(({ bar, isUp, left, volume }) => (
        <i
          key={bar.ts_start}
          className={isUp ? 'rising' : 'falling'}
          style={{ left: `${left.toFixed(3)}%`, height: `${(volume * 100).toFixed(1)}%` }}
        />
      ))}
    </div>
  )
}

function TimeAxis({ scale, candle }: { scale: CandleScale; candle: Candle }) {
  return (
    <div className="time-axis" aria-hidden="true">
      {timeTicks(scale).map((ms) => (
        <span key={ms} style={{ left: `${scale.leftOf(ms).toFixed(2)}%` }}>
          {formatClock(ms).slice(0, candle === '1s' ? 8 : 5)}
        </span>
      ))}
    </div>
  )
}

/** The body inside its wick, in percent of the wick. */
function bodyOf(wick: number, offset: number, height: number) {
  if (wick === 0) return { top: 0, height: '1px' }
  return { top: `${((offset / wick) * 100).toFixed(1)}%`, height: `max(1px, ${((height / wick) * 100).toFixed(1)}%)` }
}
