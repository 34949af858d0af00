import { Tapeline } from '@tapeline/client'

const at = new Date(Date.now() - 5 * 60_000).toISOString()
const book = await new Tapeline().l2events.book({ venue: 'sim', symbol: 'BTC-USDT', at, depth: 2 })
console.log(at, book.state, book.bids, book.asks)
