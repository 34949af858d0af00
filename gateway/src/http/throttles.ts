import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { type Problem, tooManyRequests } from '../problems/problem.ts'
import { contextOf } from './request-context.ts'
import { THROTTLE_WINDOW_MS, type ThrottleStore } from '../limiter/throttle-store.ts'
import type { Throttle } from '../routing/route.ts'

/** Requests per minute of each bucket. */
export type Throttles = Record<Throttle | 'account' | 'failure', number>

/** Thrown where the framework expects an error; its error handler sends the problem. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.text)
    this.problem = problem
  }
}

export function throttlesOf(config: Config): Throttles {
  return {
    public: config.THROTTLE_PUBLIC_PER_MINUTE,
    sample: config.THROTTLE_SAMPLE_PER_MINUTE,
    'sign-in': config.THROTTLE_SIGN_IN_PER_MINUTE,
    'sign-up': config.THROTTLE_SIGN_UP_PER_MINUTE,
    refresh: config.THROTTLE_REFRESH_PER_MINUTE,
    account: config.THROTTLE_ACCOUNT_PER_MINUTE,
    failure: config.THROTTLE_FAILURES_PER_MINUTE,
  }
}

/** One bucket per kind and address, for the `rateLimit` configuration of a route. */
export function rateLimitOf(kind: Throttle, throttles: Throttles) {
  return {
    max: throttles[kind],
    timeWindow: THROTTLE_WINDOW_MS,
    keyGenerator: (request: FastifyRequest) => `${kind}:${contextOf(request.raw)?.throttleAddress ?? ''}`,
  }
}

export function throttleError(ttlMs: number): ProblemError {
  return new ProblemError(tooManyRequests(ttlMs))
}

/** The store of @fastify/rate-limit, which constructs one for each route: all of them count in `store`. */
export function rateLimitStoreOf(store: ThrottleStore): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (bucket, onCounted, windowMs) => {
      store.count(bucket, windowMs, (count) => onCounted(null, count))
    }

    child(): RateLimitStore {
      return this
    }
  }
}
