import { sleep } from 'k6'
import type { Account } from './accounts.ts'
import { dataOf, sendCall } from './send-call.ts'

const PAGE_ROWS = 100
const WAIT_SECONDS = 1
const TRIES_MAX = 120
/** All outcomes but `denied` consume the limit. */
const ADMITTED = ['ok', 'client_error', 'server_error', 'aborted']

export type LimitsReport = { windows: { policy: string; used: number; limit: number }[] }
type Page = { requests: { time: string }[]; next_cursor: string | null }
export type LogReading = {
  gateway: string
  token: string
  /** The log is read again until it has this many requests. */ atLeast: number
}

/** Usage according to the limiter; the request itself is not counted. */
export function readLimitsOf(gateway: string, { apiKey }: Account): LimitsReport {
  const reply = sendCall({ method: 'GET', url: `${gateway}/api/v1/limits`, name: 'after the load', token: apiKey })
  return dataOf<LimitsReport>(reply) ?? { windows: [] }
}

/** Times at which requests were admitted, by the limiter's clock, as soon as the log is complete. */
export function readRequestLog(reading: LogReading): number[] {
  for (let tries = 1; ; tries += 1) {
    const times = ADMITTED.flatMap((outcome) => readOutcome(reading, outcome))
    if (times.length >= reading.atLeast) return times
    if (tries === TRIES_MAX) throw new Error(`the log has ${times.length} of ${reading.atLeast} admitted requests`)
    sleep(WAIT_SECONDS)
  }
}

function readOutcome({ gateway, token }: LogReading, outcome: string): number[] {
  const times: number[] = []
  let query = `period=24h&outcome=${outcome}&limit=${PAGE_ROWS}`
  for (;;) {
    const url = `${gateway}/api/v1/internal/requests?${query}`
    const page = dataOf<Page>(sendCall({ method: 'GET', url, name: 'after the load', token }))
    times.push(...(page?.requests ?? []).map(({ time }) => Date.parse(time)))
    if (page?.next_cursor == null) return times
    query = `limit=${PAGE_ROWS}&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}
