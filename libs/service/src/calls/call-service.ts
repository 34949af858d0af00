import { context, propagation } from '@opentelemetry/api'
import type { Actor, ServiceName } from '@tapeline/contracts/actor'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ACTOR_HEADER, signActorToken } from '../actor-token.ts'
import { AppError } from '../app-error.ts'
import { Breaker } from './breaker.ts'
import type { InternalKeys } from '../internal-keys.ts'
import { type Answered, sendRequest } from './send-request.ts'
import { DEADLINE_HEADER } from './abort-on-close.ts'

export type ServiceClientOptions = {
  caller: ServiceName
  audience: ServiceName
  baseUrl: string
  keys: InternalKeys
  timeoutMs: number
}
export type ServiceCall<T extends TSchema> = {
  path: string
  answer: T
  method?: 'GET' | 'POST'
  body?: unknown
  /** The actor to call as; defaults to the calling service. */
  actor?: Actor
  requestId?: string
}
export type ServiceClient = {
  /**
   * Sends a request.
   * @returns the parsed response, or undefined for 404 and 304
   * @throws AppError `service.unavailable` for every other status that is not 2xx
   */
  call: <T extends TSchema>(request: ServiceCall<T>) => Promise<Static<T> | undefined>
}

/**
 * Creates a client of another service: signs a token per call, and applies a timeout and a circuit breaker. A service
 * that rejects calls (4xx, except 408 and 429) responds: the breaker does not count that as a failure.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const breaker = new Breaker()
  return {
    async call(request) {
      const sentMs = performance.now()
      if (!breaker.allows(sentMs)) throw unavailable(options.audience, 'the breaker is open')
      const outcome = await attempt(options, request).catch((error: unknown) => {
        breaker.failed(performance.now())
        throw error instanceof AppError ? error : unavailable(options.audience, error)
      })
      breaker.succeeded(performance.now(), sentMs)
      if ('rejected' in outcome) throw unavailable(options.audience, `status ${outcome.rejected}`)
      return outcome.answer
    },
  }
}

type Outcome<T> = { answer: T | undefined } | { rejected: number }

async function attempt<T extends TSchema>(
  options: ServiceClientOptions,
  request: ServiceCall<T>,
): Promise<Outcome<Static<T>>> {
  const response = await send(options, request)
  const { status } = response
  if (status === 404 || status === 304) return { answer: undefined }
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { rejected: status }
  return { answer: parse(options.audience, request.answer, response) }
}

async function send<T extends TSchema>(options: ServiceClientOptions, request: ServiceCall<T>): Promise<Answered> {
  const { caller, audience, keys } = options
  const actor = request.actor ?? { kind: 'service', service: caller }
  const headers: Record<string, string> = {
    [ACTOR_HEADER]: signActorToken(keys, { caller, audience, actor, nowMs: Date.now() }),
    [DEADLINE_HEADER]: String(options.timeoutMs),
  }
  propagation.inject(context.active(), headers)
  if (request.requestId !== undefined) headers['x-request-id'] = request.requestId
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  return sendRequest({
    url: new URL(request.path, options.baseUrl),
    method: request.method ?? 'GET',
    headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    timeoutMs: options.timeoutMs,
  })
}

function parse<T extends TSchema>(audience: string, answer: T, { status, text }: Answered): Static<T> {
  if (status < 200 || status > 299) throw unavailable(audience, `status ${status}`)
  const body: unknown = JSON.parse(text)
  if (!Value.Check(answer, body)) throw unavailable(audience, 'a response of an unknown shape')
  return body
}

function unavailable(audience: string, cause: unknown): AppError {
  return new AppError('service.unavailable', 'A service did not respond. Try again in a moment.', {
    cause: cause instanceof Error ? cause : new Error(`${audience}: ${String(cause)}`),
    retryAfterSeconds: 1,
    isPartial: true,
  })
}
