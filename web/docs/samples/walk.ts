let cursor: string | null = null
do {
  const answer = await fetch(`${process.env.TAPELINE_URL}/api/v1/trades/list`, {
    method: 'POST',
    headers: { 'x-api-key': String(process.env.TAPELINE_KEY), 'content-type': 'application/json' },
    body: JSON.stringify(cursor === null ? { symbols: ['SPY-USD'], order: 'desc', limit: 1000 } : { cursor }),
  })
  const page = await answer.json()
  if (!answer.ok) throw new Error(`${page.code}: ${page.detail}`)
  console.log(page.data.length, 'trades, down to', page.data.at(-1)?.ts_event)
  cursor = page.next_cursor
  break // Leave this out to go on to the very end.
} while (cursor !== null)
