import { AppError } from '@tapeline/service/app-error'
import type { FastifyRequest } from 'fastify'
import { throttleAddress } from './client-address.ts'
import type { Config } from './config.ts'
import { exchangeOf } from './exchange.ts'
import type { Throttle } from './upstreams.ts'

/** Requests per minute of each bucket. */
export type Throttles = Record<Throttle | 'account' | 'failure', number>

export const THROTTLE_WINDOW_MS = 60_000
/** Where a wrong credential is sent inside, so that the bucket of its address counts it. */
export const FAILURE_PATH = '/-/failure'

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

export function tooManyRequests(ttlMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(ttlMs / 1_000))
  return new AppError('throttle.exceeded', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** Of wrong credentials: right ones from the same address are let in. */
export function tooManyFailures(ttlMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(ttlMs / 1_000))
  const text = `Too many wrong credentials came from your address, and this one is wrong too. Try again in ${retryAfterSeconds} s.`
  return new AppError('throttle.exceeded', text, { retryAfterSeconds })
}

/** One bucket per kind and address. */
export function bucketOf(request: FastifyRequest, kind: Throttle | 'failure'): string {
  return `${kind}:${throttleAddress(exchangeOf(request.raw)?.address ?? '')}`
}
