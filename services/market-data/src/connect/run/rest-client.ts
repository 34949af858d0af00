import { setTimeout as delay } from 'node:timers/promises'
import type { Feed, FeedRequest } from '../feeds/feed.ts'

const REQUEST_TIMEOUT_MS = 10_000
const MINUTE_MS = 60_000
/** Share of the venue's limit to use, because other programs may share the address. */
const SHARE = 0.5
const RETRY_AFTER_MS = 60_000
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** The venue's response contained no data. */
export class VenueAnswer extends Error {
  status: number
  constructor(status: number, body: string) {
    super(`the venue returned ${status}: ${body.slice(0, 200)}`)
    this.status = status
  }
}

/**
 * GET requests within the venue's limit of weight per minute; after 429 or 418 nothing is sent until the venue allows.
 */
export type RestClient = { get: (request: FeedRequest) => Promise<string> }

export type RestOptions = { feed: Feed; address: string; signal: AbortSignal; nowMs?: () => number }

export function createRestClient({ feed, address, signal, nowMs = () => performance.now() }: RestOptions): RestClient {
  const budget = feed.limits.weightPerMinute * SHARE
  let used: { atMs: number; weight: number }[] = []
  let blockedUntilMs = 0

  function waitMs(weight: number): number {
    const now = nowMs()
    used = used.filter(({ atMs }) => now - atMs < MINUTE_MS)
    const sum = used.reduce((total, entry) => total + entry.weight, 0)
    const oldest = used[0]
    const untilRoom = sum + weight > budget && oldest !== undefined ? oldest.atMs + MINUTE_MS - now : 0
    return Math.max(untilRoom, blockedUntilMs - now, 0)
  }

  return {
    async get({ path, weight }) {
      for (let pause = waitMs(weight); pause > 0; pause = waitMs(weight)) await delay(pause, undefined, { signal })
      used.push({ atMs: nowMs(), weight })
      const response = await fetch(address + path, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
        headers: { accept: 'application/json' },
      })
      const body = await bodyOf(response)
      if (response.ok) return body
      if (response.status === 429 || response.status === 418) {
        blockedUntilMs = nowMs() + retryAfterMs(response.headers.get('retry-after'))
      }
      throw new VenueAnswer(response.status, body)
    },
  }
}

async function bodyOf(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0)
  if (length > BODY_BYTES_MAX) throw new Error(`the venue returned ${length} bytes`)
  return response.text()
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? '')
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : RETRY_AFTER_MS
}
