/** Body of a failed call (RFC 9457, `application/problem+json`). */
export type Problem = {
  code: string
  detail: string
  status?: number
  title?: string
  type?: string
  request_id?: string
  errors?: { field: string; message: string; rule?: string; limit?: number | string }[]
}

export type FailureKind = 'answer' | 'network' | 'timeout' | 'damaged'

type Facts = {
  kind: FailureKind
  status?: number | undefined
  requestId?: string | undefined
  problem?: Problem | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/**
 * Every failure of the client. `code` is the platform's error code (`limit.minute_exceeded`), or one of the client:
 * `client.network` (no answer, or one that ends early), `client.timeout`, `client.damaged` (a web page, or bytes with a
 * wrong SHA-256). `requestId` finds the call in the request log.
 */
export class TapelineError extends Error {
  override readonly name = 'TapelineError'
  readonly code: string
  readonly kind: FailureKind
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly problem: Problem | undefined
  /** Milliseconds until a retry can succeed, from the platform's answer. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, detail: string, facts: Facts) {
    super(facts.requestId === undefined ? `${code}: ${detail}` : `${code}: ${detail} (request ${facts.requestId})`, {
      cause: facts.cause,
    })
    this.code = code
    this.kind = facts.kind
    this.status = facts.status
    this.requestId = facts.requestId
    this.problem = facts.problem
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** @returns an answer with success, unread. @throws TapelineError for any other, and for a web page */
export async function checkAnswer(answer: Response): Promise<Response> {
  if (!answer.ok) throw await errorOf(answer)
  // The platform has none: it is the sign-in page of a proxy, or another server.
  if (answer.headers.get('content-type')?.startsWith('text/html') !== true) return answer
  await answer.body?.cancel()
  const text = 'The response is a web page: check the address of the gateway, and proxies in between.'
  throw new TapelineError('client.damaged', text, { kind: 'damaged', status: answer.status })
}

/** Reads the problem of a failed answer; the answer of an intermediary has the code `http.<status>`. */
async function errorOf(answer: Response): Promise<TapelineError> {
  const text = await answer.text().catch(() => '')
  const { status, headers } = answer
  const problem = problemOf(text) ?? { code: `http.${status}`, detail: answer.statusText }
  return new TapelineError(problem.code, problem.detail, {
    kind: 'answer',
    status,
    problem,
    requestId: problem.request_id ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(headers),
  })
}

function problemOf(text: string): Problem | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isProblem(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  )
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
