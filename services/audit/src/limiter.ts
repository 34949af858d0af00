import { accountHashKey, SEEDED_FIELD } from '@tapeline/service/account-versions'
import type { connectRedis } from '@tapeline/service/redis'
import type { Range } from './read-plan.ts'
import { LEVEL_MS } from './roll-up.ts'

/** What the limiter itself counted for an account. */
export type LimiterCells = {
  /** Since when it counts; undefined: Redis has lost the account. */
  knownSinceMs: number | undefined
  /** Decided requests by the start of their minute: admitted, denied and refused. */
  requests: Map<number, number>
}

/** The limiter's side of Redis, read only; every key has the `{account}` tag, so that a cluster answers too. */
export type Limiter = {
  isReady: () => boolean
  readCells: (accountId: string, range: Range) => Promise<LimiterCells>
  /** Requests that are being answered; undefined while Redis is away. */
  countOpen: (accountId: string, now: Date) => Promise<number | undefined>
}

export function createLimiter(redis: ReturnType<typeof connectRedis>): Limiter {
  return {
    isReady: () => redis.status === 'ready',
    async readCells(accountId, range) {
      const [seededAt, ...hours] = await Promise.all([
        redis.hget(accountHashKey(accountId), SEEDED_FIELD),
        ...hoursOf(range).map((hour) => redis.hgetall(`usage:{${accountId}}:${hour}`)),
      ])
      return { knownSinceMs: seededAt === null ? undefined : Number(seededAt), requests: requestsIn(hours) }
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
