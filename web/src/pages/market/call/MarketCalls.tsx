import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useId, useState } from 'react'
import { publicApiUrl } from '../../../platform.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { TabPanel, Tabs } from '../../../ui/Tabs.tsx'
import { BARS_CALL, BOOK_CALL, bookBody, candlesBody, TRADES_CALL, tradesBody } from '../market.queries.ts'
import type { Candle } from '../market-filter.ts'
import { curlOf } from './call-of.ts'

type Props = { instrument: Instrument; candle: Candle; end: string | undefined }
type Shown = 'book' | 'trades' | 'candles'

/** The calls of this page, to be run with a key. */
export function MarketCalls({ instrument, candle, end }: Props) {
  const panelId = useId()
  const [shown, setShown] = useState<Shown>('candles')
  const calls: Record<Shown, string> = {
    book: curlOf(BOOK_CALL, bookBody(instrument, end), publicApiUrl),
    trades: curlOf(TRADES_CALL, tradesBody(instrument, end), publicApiUrl),
    candles: curlOf(BARS_CALL, candlesBody(instrument, candle, end), publicApiUrl),
  }
  return (
    <section className="panel" aria-labelledby="calls">
      <div className="panel-head">
        <h2 id="calls">{t`API request for this view`}</h2>
        <span className="tools">
          <CopyButton size="small" variant="primary" text={calls[shown]} label={t`Copy as curl`}>
            {t`Copy as curl`}
          </CopyButton>
        </span>
      </div>
      <Tabs
        label={t`Call`}
        panelId={panelId}
        selected={shown}
        onSelect={setShown}
        tabs={[
          { id: 'candles', label: t`Candles` },
          { id: 'trades', label: t`Trades` },
          ...(instrument.l2_events > 0 ? [{ id: 'book' as const, label: t`Book` }] : []),
        ]}
      />
      <TabPanel id={panelId} selected={shown} className="call">
        <pre className="code" tabIndex={0} translate="no">
          {calls[shown]}
        </pre>
      </TabPanel>
      <p className="panel-foot">
        {end === undefined
          ? t`Without an end, the call reads the newest records.`
          : t`With a final day, the same call returns the same data later.`}
      </p>
    </section>
  )
}
