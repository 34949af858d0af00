import { Tapeline } from '@tapeline/client'

const tapeline = new Tapeline()
const snapshots = tapeline.l2events.list({
  venues: ['sim'],
  symbols: ['BTC-USDT'],
  types: ['snapshot'],
  depth: 2,
  order: 'desc',
  limit: 1,
})
for (const { ts_event, bids, asks } of await snapshots.toArray(1)) console.log(ts_event, bids, asks)
