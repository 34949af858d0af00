import { Tapeline } from '@tapeline/client'

const tapeline = new Tapeline()
const bars = tapeline.bars.list({ venues: ['sim'], symbols: ['BTC-USDT'], interval: '1h', order: 'desc', limit: 2 })
for (const { ts_start, open, high, low, close, volume } of await bars.toArray(2)) {
  console.log(ts_start, open, high, low, close, volume)
}
