import { apiBaseUrl } from '../../api/api-base.ts'

const TIMEOUT_MS = 20_000

export type Reply<T> = { body: T; status: number; durationMs: number }

/** A failed call, with the server's message if there is one. */
export class CallError extends Error {
  readonly status: number
  readonly requestId: string | undefined
  readonly fields: readonly { field: string; message: string }[]

  constructor(status: number, problem: Problem) {
    super(problem.errors?.[0]?.message ?? problem.message ?? '')
    this.status = status
    this.requestId = problem.request_id
    this.fields = problem.errors ?? []
  }
}

type Problem = { message?: string; request_id?: string; errors?: { field: string; message: string }[] }

/** The API under the origin that the page names. */
export function apiAddress(path: string): string {
  return apiBaseUrl(document.querySelector<HTMLMetaElement>('meta[name="tapeline-api"]')?.content) + path
}

/** A public call, with the milliseconds until its answer was complete. */
export async function call<T>(path: string, body?: unknown): Promise<Reply<T>> {
  const startedMs = performance.now()
  const response = await fetch(apiAddress(path), {
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (response === undefined) throw new CallError(0, {})
  const answer: T & Problem = await response.json().catch(() => ({}))
  if (!response.ok) throw new CallError(response.status, answer)
  return { body: answer, status: response.status, durationMs: performance.now() - startedMs }
}
