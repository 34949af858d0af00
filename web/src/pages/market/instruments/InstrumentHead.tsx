import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount, formatNumber, formatPercent } from '../../../format/number.ts'
import { downloadsPath } from '../../../paths.ts'
import { Link } from '../../../router.ts'
import { buttonClass } from '../../../ui/button-class.ts'
import { isoOf } from '../moment.ts'
import { fractionDigits, showDecimal } from '../prices.ts'
import type { MarketView } from '../use-market-view.ts'
import { type DayFigures, dayFigures } from './day-figures.ts'
import { kindName } from './kind-name.ts'

const VOLUME_DECIMALS = 2

export function InstrumentHead({ instrument, view }: { instrument: Instrument; view: MarketView }) {
  const { symbol, venue, kind, base, size_unit } = instrument
  const { moment, activity } = view
  const trades = view.shownTrades ?? []
  const figures = dayFigures(activity.data ?? [], moment.atMs)
  const [last] = trades
  const digits = fractionDigits(trades.map(({ price }) => price))
  const day = isoOf(moment.atMs).slice(0, 10)
  return (
    <div className="inst">
      <div>
        <h2 translate="no">{symbol}</h2>
        <p className="muted small">
          <span translate="no">{venue}</span>, {kindName(kind)}
        </p>
      </div>
      <p className="last-price">
        <span className="sr-only">{t`Last price`} </span>
        {last === undefined ? '–' : showDecimal(last.price, digits)}
      </p>
      <DayFacts figures={figures} digits={digits} sizeUnit={size_unit === 'base' ? base : size_unit} />
      <div className="end">
        <Link className={buttonClass()} to={downloadsPath({ venue, symbol, from: day, to: day })}>
          <Download className="icon" aria-hidden="true" />
          {t`Files of this day`}
        </Link>
      </div>
    </div>
  )
}

type FactsProps = { figures: DayFigures | undefined; digits: number; sizeUnit: string }

function DayFacts({ figures, digits, sizeUnit }: FactsProps) {
  return (
    <dl>
      <Figure name={t`24 hours`}>
        {figures && (
          <span className={figures.change < 0 ? 'down' : 'up'}>{formatPercent(Math.abs(figures.change))}</span>
        )}
      </Figure>
      <Figure name={t`High`}>{figures && showDecimal(figures.high, digits)}</Figure>
      <Figure name={t`Low`}>{figures && showDecimal(figures.low, digits)}</Figure>
      <Figure name={t`Volume, ${sizeUnit}`}>{figures && formatNumber(figures.volume, VOLUME_DECIMALS)}</Figure>
      <Figure name={t`Trades`}>{figures && formatCount(figures.trades)}</Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  )
}
