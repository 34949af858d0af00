import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { instrumentsQuery } from '../../api/instruments.queries.ts'
import { paths } from '../../paths.ts'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { placeholderSlots, Tape } from '../../ui/Tape.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { Market } from './Market.tsx'
import './candles/candle-chart.css'
import './market.css'

const PLACEHOLDER_TRADES = 90

/** One instrument, live or at a moment of the past: candles, trades, and the calls behind them. */
export function MarketPage() {
  const instruments = useQuery(instrumentsQuery)
  if (instruments.data !== undefined) {
    const traded = instruments.data.filter(({ trades }) => trades > 0)
    return traded.length === 0 ? <NoMarket /> : <Market instruments={traded} />
  }
  if (instruments.isPending) {
    return (
      <Skeleton label={t`Loading the market`}>
        <section className="panel market">
          <div className="message">
            <Bone widthPx={240} heightPx={28} />
            <Bone widthPx={520} heightPx={320} />
          </div>
        </section>
      </Skeleton>
    )
  }
  return (
    <section className="panel market">
      <LoadFailure query={instruments} title={t`The instruments could not be loaded`} />
    </section>
  )
}

/** Shown until something has been recorded or imported. */
function NoMarket() {
  return (
    <section className="panel market" aria-labelledby="no-market">
      <div className="panel-body" aria-hidden="true">
        <Tape label="" slots={placeholderSlots(PLACEHOLDER_TRADES)} now="none" isOff heightPx={64} />
      </div>
      <div className="message">
        <h2 id="no-market">{t`No trades yet`}</h2>
        <p>{t`Instruments appear here with their first trade: from the simulator, a venue connector or an import.`}</p>
        <a className="link" href={paths.docsMarketData}>
          {t`Read the market data guide`}
        </a>
      </div>
    </section>
  )
}
