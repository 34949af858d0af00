import { Tapeline } from '@tapeline/client'

const tapeline = new Tapeline()
const newest = tapeline.trades.list({ venues: ['sim'], symbols: ['BTC-USDT'], order: 'desc', limit: 2 })
for (const { ts_event, side, size, price } of await newest.toArray(2)) console.log(ts_event, side, size, price)
