export type Answered = {
  requestId: string
  status: number
  /** Milliseconds since 1970, from this process's clock. */
  startMs: number
  endMs: number
  isDegraded: boolean
  retryAfter: string | null
  body: string
}
/** A request without a complete response. */
export type Unanswered = { startMs: number; endMs: number }
export type TrafficLog = { answered: Answered[]; /** Requests that got no whole answer. */ broken: number }
export type TrafficOptions = {
  urls: readonly string[]
  key: string
  clients: number
  /** Pause of each client after a response, in ms; 0 sends the next request immediately. */
  pauseMs?: number
  body?: object
  /** Called when a request is finished. */
  onAnswer?: (one: Answered | Unanswered) => void
}
export type Traffic = { log: TrafficLog; stop: () => Promise<TrafficLog> }

const REQUEST_TIMEOUT_MS = 15_000
const PAUSE_AFTER_BROKEN_MS = 50
const BODY = { venues: ['sim'], limit: 1 }
const ARRIVE_EVERY_MS = 10
/** Maximum stall of this process that is compensated for, in ms. */
const CAUGHT_UP_MS = 100

/** Closed-loop clients that list trades, each at its own gateway, until stopped; every response is recorded. */
export function startTraffic({
  urls,
  key,
  clients,
  pauseMs = 0,
  body = BODY,
  onAnswer = () => {},
}: TrafficOptions): Traffic {
  const log: TrafficLog = { answered: [], broken: 0 }
  let isStopping = false
  const one = async (url: string) => {
    while (!isStopping) {
      const answer = await sendRequest(url, key, body)
      if ('status' in answer) log.answered.push(answer)
      else log.broken += 1
      onAnswer(answer)
      await pause('status' in answer ? pauseMs : PAUSE_AFTER_BROKEN_MS)
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

export type ArrivalsOptions = Omit<TrafficOptions, 'clients' | 'pauseMs'> & { perSecond: number }

/** Open-loop load: lists trades at a fixed rate, independent of the responses, until stopped. */
export function startArrivals({ urls, key, perSecond, body = BODY, onAnswer = () => {} }: ArrivalsOptions) {
  const open = new Set<Promise<void>>()
  let beganMs = performance.now()
  let sent = 0
  const send = () => {
    const answer = sendRequest(urls[sent % urls.length] ?? '', key, body).then(onAnswer)
    open.add(answer)
    void answer.then(() => open.delete(answer))
    sent += 1
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - beganMs) / 1_000) * perSecond) - sent
    const most = Math.ceil((CAUGHT_UP_MS / 1_000) * perSecond)
    for (let n = 0; n < Math.min(due, most); n += 1) send()
    if (due > most) beganMs = performance.now() - (sent / perSecond) * 1_000
  }, ARRIVE_EVERY_MS)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

async function sendRequest(url: string, key: string, body: object): Promise<Answered | Unanswered> {
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
      retryAfter: response.headers.get('retry-after'),
      body: text,
    }
  } catch {
    return { startMs, endMs: Date.now() }
  }
}

function pause(ms: number): Promise<void> | undefined {
  return ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms))
}
