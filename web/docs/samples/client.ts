type Problem = { code: string; detail: string; request_id?: string }
type Page<T> = { data: T[]; next_cursor: string | null; has_more: boolean }
type Trade = {
  id: string
  symbol: string
  ts_event: string
  sequence: string
  price: string
  size: string
  side: string
}

class TapelineError extends Error {
  problem: Problem
  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail} (request ${problem.request_id ?? 'unknown'})`)
    this.problem = problem
  }
}

/** Sends one request. Retries a 429 or 503 after Retry-After seconds, at most three times. */
async function post<T>(path: string, body: unknown, tries = 4): Promise<T> {
  const answer = await fetch(process.env.TAPELINE_URL + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.TAPELINE_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  if (answer.ok) return (await answer.json()) as T
  const seconds = Number(answer.headers.get('retry-after'))
  if (seconds === 0 || tries === 1) throw new TapelineError((await answer.json()) as Problem)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return post(path, body, tries - 1)
}

/** Yields every matching trade, page by page. With order "asc" and no end it waits for new ones. */
async function* trades(filter: object): AsyncGenerator<Trade> {
  let page = await post<Page<Trade>>('/api/v1/trades/list', filter)
  for (;;) {
    yield* page.data
    if (page.next_cursor === null) return
    if (!page.has_more) await new Promise((resolve) => setTimeout(resolve, 1000))
    page = await post('/api/v1/trades/list', { cursor: page.next_cursor })
  }
}

let seen = 0
for await (const trade of trades({ symbols: ['BTC-USDT'], limit: 5 })) {
  console.log(trade.sequence, trade.ts_event, trade.side, trade.size, trade.price)
  if ((seen += 1) === 10) break
}
