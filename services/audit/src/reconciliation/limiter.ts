import { accountHashKey, SEEDED_FIELD } from '@tapeline/service/account-versions'
import { type RedisClient, serversOf } from '@tapeline/service/redis'
import { isUuid } from '../is-uuid.ts'
import type { Range } from '../rollups/read-plan.ts'
import { LEVEL_MS } from '../rollups/roll-up.ts'

/** The limiter's own count for an account. */
export type LimiterCells = {
  /** Start of the count; undefined: Redis has lost the account. */
  countedSinceMs: number | undefined
  /** Decided requests by the start of their minute: allowed, denied and refused. */
  requests: Map<number, number>
}

/** Read-only access to the limiter's data in Redis. Every key has the `{account}` hash tag, as a cluster requires. */
export type Limiter = {
  isReady: () => boolean
  readCells: (accountId: string, range: Range) => Promise<LimiterCells>
  /** Accounts with counted requests in these hours. Scans all keys, so it is not for every minute. */
  listAccounts: (range: Range) => Promise<string[]>
  /** Requests in progress; undefined while Redis is unavailable. */
  countOpen: (accountId: string, now: Date) => Promise<number | undefined>
}

/** Keys per SCAN step, which bounds how long it blocks the limiter. */
const KEYS_PER_STEP = 500

export function createLimiter(redis: RedisClient): Limiter {
  return {
    isReady: () => redis.status === 'ready',
    async readCells(accountId, range) {
      const hours = await Promise.all(hoursOf(range).map((hour) => redis.hgetall(`usage:{${accountId}}:${hour}`)))
      // Read last: a mark from before a flush would make the lost cells look like a count of zero.
      const seededAt = await redis.hget(accountHashKey(accountId), SEEDED_FIELD)
      return { countedSinceMs: seededAt === null ? undefined : Number(seededAt), requests: requestsIn(hours) }
    },
    async listAccounts(range) {
      const hours = new Set(hoursOf(range).map(String))
      const found = await Promise.all(serversOf(redis).map((server) => accountsIn(server, hours)))
      return [...new Set(found.flat())]
    },
    async countOpen(accountId, now) {
      try {
        return await redis.zcount(`leases:{${accountId}}`, `(${now.getTime()}`, '+inf')
      } catch {
        return undefined
      }
    },
  }
}

async function accountsIn(server: ReturnType<typeof serversOf>[number], hours: ReadonlySet<string>): Promise<string[]> {
  const accounts = new Set<string>()
  const pages: AsyncIterable<string[]> = server.scanStream({ match: 'usage:{*}:*', count: KEYS_PER_STEP })
  for await (const keys of pages) {
    for (const key of keys) {
      const [, account = '', hour = ''] = /^usage:\{(.+)\}:(\d+)$/.exec(key) ?? []
      if (hours.has(hour) && isUuid(account)) accounts.add(account)
    }
  }
  return [...accounts]
}

function hoursOf({ fromMs, toMs }: Range): number[] {
  const first = Math.floor(fromMs / LEVEL_MS.hour)
  return Array.from({ length: Math.max(0, Math.ceil(toMs / LEVEL_MS.hour) - first) }, (_, n) => first + n)
}

/** Fields are `<minutes since 1970>:<kid or session>:<verdict>`. */
function requestsIn(hours: readonly Record<string, string>[]): Map<number, number> {
  const requests = new Map<number, number>()
  for (const [field, count] of hours.flatMap((hour) => Object.entries(hour))) {
    const minuteMs = Number(field.slice(0, field.indexOf(':'))) * LEVEL_MS.minute
    requests.set(minuteMs, (requests.get(minuteMs) ?? 0) + Number(count))
  }
  return requests
}
