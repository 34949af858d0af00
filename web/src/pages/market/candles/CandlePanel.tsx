import { t } from '@lingui/core/macro'
import type { Bar } from '@tapeline/contracts/market-data/bars'
import { useState } from 'react'
import { Segmented } from '../../../ui/Segmented.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { CANDLES_SHOWN } from '../market.queries.ts'
import { type Candle, isCandle } from '../market-filter.ts'
import { fractionDigits, showDecimal } from '../prices.ts'
import type { MarketView } from '../use-market-view.ts'
import { CandleChart } from './CandleChart.tsx'
import { candleScale } from './candle-scale.ts'

type Props = { view: MarketView; candle: Candle; onCandle: (candle: Candle) => void }

export function CandlePanel({ view, candle, onCandle }: Props) {
  const { candles, moment, gaps } = view
  const [pickedStart, setPicked] = useState<string>()
  const bars = candles.data ?? []
  const scale = candleScale(bars, candle, CANDLES_SHOWN, untilOf(bars, moment))
  const digits = fractionDigits(scale.bars.flatMap(({ bar }) => [bar.open, bar.high, bar.low, bar.close]))
  const picked = scale.bars.find(({ bar }) => bar.ts_start === pickedStart)
  const shown = (picked ?? scale.bars.at(-1))?.bar
  return (
    <div className="chart-side">
      <div className="controls">
        <Segmented
          label={t`Candle`}
          value={candle}
          options={[
            { value: '1s', label: '1 s', name: t`One second` },
            { value: '1m', label: '1 m', name: t`One minute` },
            { value: '5m', label: '5 m', name: t`Five minutes` },
            { value: '1h', label: '1 h', name: t`One hour` },
          ]}
          onChoose={(next) => isCandle(next) && onCandle(next)}
        />
        {shown && <Readout bar={shown} candle={candle} digits={digits} isPicked={picked !== undefined} />}
      </div>
      <LoadFailure query={candles} title={t`The candles could not be loaded`} />
      {candles.isRefetchError && (
        <p className="hint" role="status">
          {t`The candles are not updated. ${candles.error.message}`}
        </p>
      )}
      {!candles.isLoadingError && (
        <CandleChart
          scale={scale}
          candle={candle}
          gaps={gaps.data ?? []}
          digits={digits}
          isLoading={candles.isPending || candles.isPlaceholderData}
          picked={shown?.ts_start}
          onPick={setPicked}
        />
      )}
    </div>
  )
}

/** A live chart ends with its newest candle: the clock of the browser may be ahead. */
function untilOf(bars: readonly Bar[], { isLive, atMs }: MarketView['moment']): number {
  const newest = bars.at(-1)
  return isLive && newest !== undefined ? Date.parse(newest.ts_start) : atMs - 1
}

type ReadoutProps = { bar: Bar; candle: Candle; digits: number; isPicked: boolean }

function Readout({ bar, candle, digits, isPicked }: ReadoutProps) {
  return (
    <p className="read end" aria-live={isPicked ? 'polite' : 'off'}>
      <time dateTime={bar.ts_start}>{bar.ts_start.slice(11, candle === '1s' ? 19 : 16)}</time>
      <Value name="O" title={t`Open`} value={showDecimal(bar.open, digits)} />
      <Value name="H" title={t`High`} value={showDecimal(bar.high, digits)} />
      <Value name="L" title={t`Low`} value={showDecimal(bar.low, digits)} />
      <Value name="C" title={t`Close`} value={showDecimal(bar.close, digits)} />
    </p>
  )
}

function Value({ name, title, value }: { name: string; title: string; value: string }) {
  return (
    <span>
      <abbr title={title}>{name}</abbr> <b>{value}</b>
    </span>
  )
}
