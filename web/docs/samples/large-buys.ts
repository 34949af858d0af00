import { Tapeline } from '@tapeline/client'

const tapeline = new Tapeline()
const large = tapeline.trades.list({
  venues: ['sim'],
  symbols: ['BTC-USDT'],
  side: 'buy',
  size: { gte: '0.01' },
  order: 'desc',
  limit: 1,
})
console.log(await large.toArray(1))
