import { checkAnswer, TapelineError } from './tapeline-error.ts'
import { pause, startTimer } from './timers.ts'

export type ClientOptions = {
  /**
   * `tl_live_…` or `tl_test_…`, or a function that returns the key or token of each attempt: a stream then continues with
   * a new one when an access token has expired. In Node.js the default is the environment variable TAPELINE_KEY.
   */
  apiKey?: string | (() => string | Promise<string>)
  /** Address of the gateway. Default: TAPELINE_URL, or http://localhost:3001. */
  baseUrl?: string
  /**
   * Timeout of one attempt in milliseconds, with the body of a JSON answer; of streams and files until the headers arrive.
   * Default 10,000.
   */
  timeoutMs?: number
  /** One call with all its retries and pauses, in milliseconds. Default 60,000. */
  budgetMs?: number
  /** Retries of one call after the first attempt. Default 5. */
  retriesMax?: number
  /** For tests, proxies and own agents. Default: the platform's fetch. */
  fetch?: typeof fetch
}

export type CallOptions = {
  /** Ends the call; it throws the reason of the signal. */
  signal?: AbortSignal
  /** Overrides the option of the client. */
  timeoutMs?: number
  budgetMs?: number
  retriesMax?: number
}

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | undefined>
  body?: unknown
  headers?: Record<string, string>
  /**
   * Unique to one creation, such as a UUID: the platform creates at most once for it, so the call is retried like a read.
   * Only for the calls that accept `Idempotency-Key`.
   */
  idempotencyKey?: string
  /** Answers in this type are awaited; default JSON. */
  accept?: string
}

const DEFAULTS = { timeoutMs: 10_000, budgetMs: 60_000, retriesMax: 5 }
const PAUSE_MS = 250
const PAUSE_MAX_MS = 8_000
const RETRIED_STATUSES = new Set([408, 429, 502, 503, 504])
/** An earlier attempt with the same idempotency key is still running; a later one gets its answer. */
const IN_FLIGHT = 'idempotency_key.in_flight'

/** Sends calls with retries under one time budget: `Retry-After` is honored, other pauses grow and have jitter. */
export class Transport {
  private readonly apiKey: string | (() => string | Promise<string>)
  private readonly baseUrl: string
  private readonly options: ClientOptions

  constructor(options: ClientOptions) {
    const apiKey = options.apiKey ?? environment('TAPELINE_KEY')
    if (apiKey === undefined || apiKey === '') {
      throw new TypeError('An API key is missing: pass apiKey, or set TAPELINE_KEY.')
    }
    this.options = options
    this.baseUrl = urlOf(options.baseUrl || environment('TAPELINE_URL') || 'http://localhost:3001')
    this.apiKey = typeof apiKey === 'string' ? keyOf(apiKey) : apiKey
  }

  /** True if each attempt gets its key from the caller, so that it may be a new one. */
  get hasKeyFunction(): boolean {
    return typeof this.apiKey === 'function'
  }

  /** The answer's JSON. @throws TapelineError */
  async json<Result>(call: Call, options: CallOptions = {}): Promise<Result> {
    return this.retry(options, async (attempt) => {
      const answer = await this.attempt(call, attempt)
      try {
        return (await answer.json()) as Result
      } catch (cause) {
        throw this.failureOf(cause, attempt, 'The response ended early.')
      }
    })
  }

  /** An answer whose body is not read yet; only failures before the body are retried. @throws TapelineError */
  async open(call: Call, options: CallOptions = {}): Promise<Response> {
    return this.retry(options, async (attempt) => this.attempt(call, attempt))
  }

  private async retry<Result>(options: CallOptions, run: (attempt: Attempt) => Promise<Result>): Promise<Result> {
    const { timeoutMs, budgetMs, retriesMax } = { ...DEFAULTS, ...defined(this.options), ...defined(options) }
    const endMs = performance.now() + budgetMs
    for (let retries = 0; ; retries += 1) {
      const attempt = new Attempt(Math.min(timeoutMs, Math.max(1, endMs - performance.now())), options.signal)
      try {
        return await run(attempt)
      } catch (error) {
        const pauseMs = pauseBefore(error, retries)
        if (pauseMs === undefined || retries >= retriesMax || performance.now() + pauseMs >= endMs) throw error
        await pause(pauseMs, options.signal)
      } finally {
        attempt.end()
      }
    }
  }

  private async attempt(call: Call, attempt: Attempt): Promise<Response> {
    const send = this.options.fetch ?? fetch
    const apiKey = typeof this.apiKey === 'string' ? this.apiKey : keyOf(await this.apiKey())
    let answer: Response
    try {
      answer = await send(this.addressOf(call), {
        method: call.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: call.accept ?? 'application/json',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: attempt.signal,
      })
    } catch (cause) {
      throw this.failureOf(cause, attempt, `No response from ${this.baseUrl}${reasonOf(cause)}.`)
    }
    return checkAnswer(answer)
  }

  private addressOf({ path, query = {} }: Call): string {
    const params = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return `${this.baseUrl}${path}${params.length === 0 ? '' : `?${new URLSearchParams(params).toString()}`}`
  }

  private failureOf(cause: unknown, attempt: Attempt, text: string): unknown {
    if (attempt.caller?.aborted === true) return attempt.caller.reason
    if (attempt.isTimedOut) {
      return new TapelineError('client.timeout', `No response within ${attempt.timeoutMs} ms.`, {
        kind: 'timeout',
        cause,
      })
    }
    return new TapelineError('client.network', text, { kind: 'network', cause })
  }
}

/** One attempt's time limit. A response that is passed on outlives it: `end` stops the clock. */
class Attempt {
  isTimedOut = false
  readonly timeoutMs: number
  readonly caller: AbortSignal | undefined
  private readonly controller = new AbortController()
  private readonly timer: ReturnType<typeof setTimeout>

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.timeoutMs = timeoutMs
    this.caller = caller
    this.timer = startTimer(() => {
      this.isTimedOut = true
      this.controller.abort()
    }, timeoutMs)
  }

  get signal(): AbortSignal {
    return this.caller === undefined ? this.controller.signal : AbortSignal.any([this.caller, this.controller.signal])
  }

  end(): void {
    clearTimeout(this.timer)
  }
}

/** Milliseconds until the next attempt; undefined when another attempt would fail the same way. */
function pauseBefore(error: unknown, retries: number): number | undefined {
  if (!(error instanceof TapelineError)) return undefined
  const { status, code } = error
  if (status !== undefined && !RETRIED_STATUSES.has(status) && code !== IN_FLIGHT) return undefined
  const ceilingMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** retries)
  const jitterMs = Math.random() * ceilingMs
  return error.retryAfterMs === undefined ? jitterMs : error.retryAfterMs + jitterMs / 4
}

/** ` (ECONNREFUSED)`, or the name of another cause; empty in browsers, whose errors have none. */
function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined
  if (!(cause instanceof Error)) return ''
  return 'code' in cause ? ` (${String(cause.code)})` : ` (${cause.message})`
}

/** The error does not contain the key, as that of `fetch` would. @throws TypeError */
function keyOf(text: string): string {
  const key = text.trim()
  if (/^[!-~]+$/.test(key)) return key
  throw new TypeError('The API key contains characters that a header cannot contain, such as spaces or line breaks.')
}

/** Without a slash at the end; a path is relative to the page of a browser. @throws TypeError */
function urlOf(text: string): string {
  const isOnPage = text.startsWith('/') && 'location' in globalThis
  if (isOnPage || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return text.replace(/\/+$/, '')
  throw new TypeError(`baseUrl must begin with http:// or https://: ${text}`)
}

/** Removes fields with the value undefined, so that they do not override a default. */
function defined<Options extends object>(
  options: Options,
): { [Name in keyof Options]: Exclude<Options[Name], undefined> } {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Options]: Exclude<Options[Name], undefined> }
}

function environment(name: string): string | undefined {
  return typeof process === 'undefined' ? undefined : process.env?.[name]
}
