import type { TracedCall } from '@tapeline/contracts/gateway/http'

type Deps = {
  send: typeof fetch
  /** Milliseconds of a clock that never jumps. */
  now: () => number
  page: {
    baseURI: string
    visibilityState: DocumentVisibilityState
    addEventListener: (name: 'visibilitychange', listener: () => void) => void
  }
}
type EndedCall = Omit<TracedCall, 'ended_ms_ago'> & { endedMs: number }

const PATH = '/api/v1/internal/calls-traced'
const EVERY_MS = 5_000
/** Maximum number of calls in one report; further calls are dropped. */
const CALLS_MAX = 50
/** Calls that are older or longer than this are discarded: the computer was asleep. */
const MS_MAX = 60_000
const SPAN_ID_BYTES = 8
const TRACE_ID_BYTES = 16
const REQUEST_ID = /^[0-9a-f]{32}$/

/**
 * A fetch that records each call as a span, up to the start of the answer; reported every few seconds and when the page
 * is left.
 */
function traceCalls({ send, now, page }: Deps): typeof fetch {
  let ended: EndedCall[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRefused = false
  let url = PATH

  const report = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const calls = ended
      .map(({ endedMs, ...call }) => ({ ...call, ended_ms_ago: now() - endedMs }))
      .filter(({ ended_ms_ago }) => ended_ms_ago <= MS_MAX)
    ended = []
    if (calls.length === 0) return
    // A beacon would send cookies, which the gateway does not accept from any page.
    const answer = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ calls }),
      credentials: 'omit',
      keepalive: true,
    }).catch(() => undefined)
    // Tracing was turned off in the meantime.
    isRefused ||= answer?.status === 404
  }
  page.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'hidden') void report()
  })
  const record = (call: Omit<EndedCall, 'endedMs'>): void => {
    if (!REQUEST_ID.test(call.trace_id) || call.duration_ms > MS_MAX || ended.length >= CALLS_MAX) return
    ended.push({ ...call, endedMs: now() })
    timer ??= setTimeout(() => void report(), EVERY_MS)
  }

  return async (input, init = {}) => {
    if (isRefused) return send(input, init)
    url = new URL(PATH, new URL(input instanceof Request ? input.url : input, page.baseURI)).href
    const begunMs = now()
    const span_id = hex(SPAN_ID_BYTES)
    // The gateway assigns the trace id, which is in the answer; the id here is a placeholder.
    const headers = new Headers(init.headers)
    headers.set('traceparent', `00-${hex(TRACE_ID_BYTES)}-${span_id}-01`)
    const response = await send(input, { ...init, headers })
    const method = (init.method ?? 'GET') as TracedCall['method']
    const trace_id = response.headers.get('x-request-id') ?? ''
    record({ trace_id, span_id, method, status: response.status, duration_ms: now() - begunMs })
    return response
  }
}

let ofThisPage: typeof fetch | undefined

/** The recorder of this page, created with its first call. */
export const traced: typeof fetch = (...request) => {
  ofThisPage ??= traceCalls({ send: (...all) => fetch(...all), now: () => performance.now(), page: document })
  return ofThisPage(...request)
}

function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}
