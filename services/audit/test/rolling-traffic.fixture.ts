import { randomUUID } from 'node:crypto'
import { POLICIES } from '@tapeline/contracts/usage/events'
import { seededRandom } from '@tapeline/testing/seeded-random'
import type { ArchivedRequest } from '../src/request-log/archive/archived-request.ts'
import { archivedRequest, uuidV7At } from './archive.fixture.ts'

const WINDOWS = { burst: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000, month: 2_678_400_000, conc: 0 }

export type Traffic = { account: number; rows: number; startsAt: string; everyMs: number }

/** Requests of one account at random times, `everyMs` apart on average, with rolling windows as the limiter reports them. */
export function rollingTraffic({ account, rows, startsAt, everyMs }: Traffic): ArchivedRequest[] {
  const account_id = randomUUID()
  const keys = [randomUUID(), randomUUID()]
  const random = seededRandom(account)
  const times: number[] = []
  const oldest = POLICIES.map(() => 0)
  let timeMs = Date.parse(startsAt)
  return Array.from({ length: rows }, (_, n) => {
    timeMs += Math.ceil(-Math.log(1 - random()) * everyMs)
    times.push(timeMs)
    const windows = POLICIES.map((policy, at) => {
      while ((times[oldest[at] ?? 0] ?? timeMs) < timeMs - WINDOWS[policy]) oldest[at] = (oldest[at] ?? 0) + 1
      const reset_ms = (times[oldest[at] ?? 0] ?? timeMs) + WINDOWS[policy] - timeMs
      return {
        policy,
        used: n - (oldest[at] ?? 0) + 1,
        limit: 10 ** (at + 2),
        ...(policy === 'conc' ? {} : { reset_ms }),
      }
    })
    const upstream = Math.ceil(1_500 * Math.exp(random()))
    return archivedRequest({
      account,
      account_id,
      timeUs: timeMs * 1_000,
      id: uuidV7At(timeMs),
      key_id: keys[n % 2] ?? '',
      upstream_latency_us: upstream,
      latency_us: upstream + Math.ceil(random() * 600),
      bytes_out: 20_000 + Math.floor(random() * 3_000),
      decision: { verdict: 'admitted', degraded: false, denied_by: [], retry_after_ms: 0, windows },
    })
  })
}
