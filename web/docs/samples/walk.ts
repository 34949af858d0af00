import { Tapeline } from '@tapeline/client'

const trades = new Tapeline().trades.list({ symbols: ['SPY-USD'], order: 'desc', limit: 1000 })
for await (const page of trades.pages()) {
  console.log(page.data.length, 'trades, down to', page.data.at(-1)?.ts_event)
  break // Remove this line to read all pages.
}
