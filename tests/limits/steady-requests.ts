import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string }
/** A request, and the state derived from its response. */
export type Probe = { method: 'GET' | 'POST'; path: string; body?: object; stateOf: (answer: Answer) => string }
/** Times by performance.now() of this process. */
export type ObservedAnswer = { gateway: string; startMs: number; endMs: number; state: string }
export type Rate = {
  perSecond: number
  /** Maximum number of open requests; a machine that cannot keep up gets a lower rate. */
  openMax: number
}
export type SteadyOptions = Rate & { urls: readonly string[]; probe: Probe }
export type Steady = {
  /** Sets the credential of the following requests. */
  use: (credential: string) => void
  /** Sends this many additional requests to each gateway at once and waits for all responses. */
  sendAll: (times: number) => Promise<void>
  /** Answers since the last call. */
  take: () => ObservedAnswer[]
  stop: () => Promise<void>
}

/** The limiter did not decide, so the state may be outdated. */
export const DEGRADED = 'degraded'
export const BROKEN = 'broken'

const TICK_MS = 5
const TIMEOUT_MS = 20_000

/** The same request at a steady rate, regardless of the latency, distributed over the gateways. */
export function startSteady({ urls, probe, perSecond, openMax }: SteadyOptions): Steady {
  const agent = new Agent({ keepAlive: true })
  const open = new Set<Promise<void>>()
  const startedMs = performance.now()
  let observed: ObservedAnswer[] = []
  let credential = ''
  let sent = 0
  const send = (url: string): Promise<void> => {
    const pending = sendOnce(agent, { url, probe, credential }).then((one) => void observed.push(one))
    open.add(pending)
    void pending.finally(() => open.delete(pending))
    return pending
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond)
    if (credential === '' || open.size >= openMax) sent = due
    for (; sent < due; sent += 1) void send(urls[sent % urls.length] ?? '')
  }, TICK_MS)
  return {
    use(next) {
      credential = next
    },
    async sendAll(times) {
      await Promise.all(urls.flatMap((url) => Array.from({ length: times }, () => send(url))))
    },
    take() {
      const taken = observed
      observed = []
      return taken
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
    },
  }
}

function sendOnce(
  agent: Agent,
  { url, probe, credential }: { url: string; probe: Probe; credential: string },
): Promise<ObservedAnswer> {
  const { method, path, body, stateOf } = probe
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${credential}`,
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const { promise, resolve } = Promise.withResolvers<ObservedAnswer>()
  const startMs = performance.now()
  const done = (state: string) => resolve({ gateway: url, startMs, endMs: performance.now(), state })
  const pending = request(url + path, { method, headers, agent, timeout: TIMEOUT_MS }, (reply) => {
    let answer = ''
    reply.setEncoding('utf8')
    reply.on('data', (piece: string) => (answer += piece))
    reply.on('error', () => done(BROKEN))
    reply.on('end', () => {
      const isDegraded = reply.headers['x-ratelimit-policy'] === DEGRADED
      done(isDegraded ? DEGRADED : stateOf({ status: reply.statusCode ?? 0, headers: reply.headers, body: answer }))
    })
  })
  pending.on('timeout', () => pending.destroy())
  pending.on('error', () => done(BROKEN))
  pending.end(text)
  return promise
}
