import { Tapeline } from '@tapeline/client'

const tapeline = new Tapeline()
const history = tapeline.trades.list({ symbols: ['BTC-USDT'], start: new Date(Date.now() - 60_000).toISOString() })
for await (const { ts_event, price } of history) console.log(ts_event, price)

const live = tapeline.stream({ channel: 'trades', symbols: ['BTC-USDT'], cursor: history.cursor })
for await (const { ts_event, price } of live) {
  console.log(ts_event, price, 'live')
  break // Remove this line to continue.
}
