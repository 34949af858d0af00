export type Answered = {
  requestId: string
  status: number
  /** Milliseconds since 1970, by this process's clock. */
  startMs: number
  endMs: number
  isDegraded: boolean
  body: string
}
export type TrafficLog = { answered: Answered[]; /** Requests that got no whole answer. */ broken: number }
export type TrafficOptions = {
  urls: readonly string[]
  key: string
  clients: number
  /** Pause of each client after an answer; 0 sends the next at once. */
  pauseMs?: number
  body?: object
}
export type Traffic = { log: TrafficLog; stop: () => Promise<TrafficLog> }

const REQUEST_TIMEOUT_MS = 15_000
const PAUSE_AFTER_BROKEN_MS = 50

/** Clients that list trades one after the other, each at its own gateway, until they are stopped; every answer is kept. */
export function startTraffic({
  urls,
  key,
  clients,
  pauseMs = 0,
  body = { venues: ['sim'], limit: 1 },
}: TrafficOptions): Traffic {
  const log: TrafficLog = { answered: [], broken: 0 }
  let isStopping = false
  const one = async (url: string) => {
    while (!isStopping) {
      const answered = await ask(url, key, body)
      if (answered === undefined) log.broken += 1
      else log.answered.push(answered)
      await pause(answered === undefined ? PAUSE_AFTER_BROKEN_MS : pauseMs)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, n) => one(urls[n % urls.length] ?? '')))
  return {
    log,
    async stop() {
      isStopping = true
      await all
      return log
    },
  }
}

async function ask(url: string, key: string, body: object): Promise<Answered | undefined> {
  const startMs = Date.now()
  try {
    const response = await fetch(`${url}/api/v1/trades/list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    return {
      requestId: response.headers.get('x-request-id') ?? '',
      status: response.status,
      startMs,
      endMs: Date.now(),
      isDegraded: response.headers.get('x-ratelimit-policy') === 'degraded',
      body: text,
    }
  } catch {
    return undefined
  }
}

function pause(ms: number): Promise<void> | undefined {
  return ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms))
}
