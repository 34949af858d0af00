const answer = await fetch(`${process.env.TAPELINE_URL}/api/v1/trades/list`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.TAPELINE_KEY}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ venues: ['sim'], symbols: ['BTC-USDT'], order: 'desc', limit: 2 }),
})
const page = await answer.json()
if (!answer.ok) throw new Error(`${page.code}: ${page.detail} (request ${page.request_id})`)
for (const { ts_event, price, size, side } of page.data) console.log(ts_event, side, size, price)
