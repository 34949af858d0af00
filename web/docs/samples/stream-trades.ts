import { Tapeline } from '@tapeline/client'

const trades = new Tapeline().stream({ channel: 'trades', venues: ['sim'], symbols: ['BTC-USDT'] })
for await (const { ts_event, side, size, price } of trades) {
  console.log(ts_event, side, size, price)
  break // Remove this line to continue.
}
